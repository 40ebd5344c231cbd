import type { ReactNode } from 'react'
import { CardFooter } from './card-footer.js'
import { CardLink } from './card-link.js'
import type { CardView } from './card-view.js'

interface CardBodyProps {
  view: CardView
  /** Lines shown in place of the description while it loads. Default: 3. */
  skeletonLines?: number
}

/** The title, which is the link, the description and the footer. */
export function CardBody({ view, skeletonLines = 3 }: CardBodyProps): ReactNode {
  const { tags, classNames, card } = view
  return (
    <tags.body className={classNames('body')}>
      <tags.text className={classNames('text')}>
        <CardLink view={view} className={classNames('link')} />
        {card.description === undefined ? (
          Array.from({ length: skeletonLines }, (_, line) => <span key={line} className={classNames('bone')} />)
        ) : (
          <>
            {!isBlock(tags.title) && <br />}
            <tags.description className={classNames('description')}>{card.description}</tags.description>
          </>
        )}
      </tags.text>
      <CardFooter view={view}>
        <tags.host className={classNames('host')}>{card.displayUrl.host}</tags.host>
      </CardFooter>
    </tags.body>
  )
}

/** Block elements end their line themselves; a line break after one would be an empty line. */
const isBlock = (tag: unknown) => /^(h\d|p|div)$/.test(String(tag))
