import type { ReactNode } from 'react'
import type { CardView } from './card-view.js'

interface MediaFrameProps {
  view: CardView
  /** Absent when there is none, or none that can be loaded. */
  image: ReactNode
  /** On top of the image. */
  children?: ReactNode
}

/** The space reserved for the image, with the placeholder or the mark while there is none. */
export function MediaFrame({ view, image, children }: MediaFrameProps): ReactNode {
  const { tags, classNames, card, options } = view
  const { fallback, placeholder } = options
  const isLoading = !card.image && card.description === undefined
  return (
    <tags.media className={classNames('media')}>
      {image || (isLoading ? placeholder : (fallback ?? <view.Icon view={view} part="mark" />))}
      {children}
    </tags.media>
  )
}
