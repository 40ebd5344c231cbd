import type { ReactNode } from 'react'
import type { PreviewView } from './preview-view.js'

interface MediaBoxProps {
  view: PreviewView
  /** Absent when there is none, or none that can be shown. */
  image: ReactNode
  /** What lies on the picture. */
  children?: ReactNode
}

/** The place of the picture, with what stands there when there is none. */
export function MediaBox({ view, image, children }: MediaBoxProps): ReactNode {
  const { tags, name, picture, description, options } = view
  const { fallback, placeholder } = options
  const isAwaited = !picture && description === undefined
  return (
    <tags.media className={name('media')}>
      {image || (isAwaited ? placeholder : (fallback ?? <view.Icon view={view} as="mark" />))}
      {children}
    </tags.media>
  )
}
