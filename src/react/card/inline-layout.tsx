import type { ReactNode } from 'react'
import type { CardView } from './card-view.js'

/** A chip in running text. It keeps the caller's text, because a change of its width would move the text around it. */
export function InlineLayout({ view }: { view: CardView }): ReactNode {
  return (
    <>
      <view.Icon view={view} part="icon" />
      {view.options.unstyled && ' '}
      <span>{view.children ?? view.card.displayUrl.text}</span>
    </>
  )
}
