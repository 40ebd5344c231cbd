import type { ReactNode } from 'react'
import type { CardView } from './card-view.js'

interface CardFooterProps {
  view: CardView
  /** Next to the icon: the host, or the link. */
  children: ReactNode
}

/** The icon and host on one side; on the other the details of the image, or the retry button after a failure. */
export function CardFooter({ view, children }: CardFooterProps): ReactNode {
  const { tags, classNames, RetryButton, options } = view
  // Replaces the gaps of the stylesheet.
  const gap = options.unstyled && ' '
  return (
    <tags.foot className={classNames('foot')}>
      <tags.site className={classNames('site')}>
        <view.Icon view={view} part="icon" />
        {gap}
        {children}
      </tags.site>
      {gap}
      {RetryButton ? <RetryButton view={view} /> : <ImageDetails view={view} />}
    </tags.foot>
  )
}

function ImageDetails({ view: { tags, classNames, card, options } }: { view: CardView }): ReactNode {
  const { imageDetails } = card
  if (options.facts === false || !imageDetails.length) return null
  return (
    // Keyed by its content, so that new details are a new element, which is not a layout shift. The server's `Intl` may format
    // numbers differently from the browser's.
    <tags.meta key={imageDetails.join()} className={classNames('meta')} dir="ltr" suppressHydrationWarning>
      {options.unstyled ? imageDetails.join(' · ') : imageDetails.map((detail) => <span key={detail}>{detail}</span>)}
    </tags.meta>
  )
}
