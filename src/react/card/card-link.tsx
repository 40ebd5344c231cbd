import type { ReactNode } from 'react'
import type { CardView } from './card-view.js'

/** The only link of a card. Its cover makes the whole card clickable and keeps the link's accessible name short. */
export function CardLink({ view, className }: { view: CardView; className: string | undefined }): ReactNode {
  const { tags, classNames, card, linkText } = view
  return (
    <tags.link className={className} href={card.displayUrl.href}>
      <tags.title className={classNames('title')}>{linkText}</tags.title>
      <span className={classNames('cover')} />
    </tags.link>
  )
}
