import type { ReactNode, RefObject } from 'react'
import { PreviewEnd } from './preview-end.js'
import { PreviewIcon } from './preview-icon.js'
import { PreviewLink } from './preview-link.js'
import { PreviewMedia } from './preview-media.js'
import { partClass, type PreviewView } from './preview-view.js'

interface PreviewFigureProps {
  view: PreviewView
  link: RefObject<HTMLAnchorElement | null>
}

/** The inside of the layout `image`: the picture and one line below it. */
export function PreviewFigure({ view, link }: PreviewFigureProps): ReactNode {
  return (
    <>
      <PreviewMedia key={view.id} view={view} />
      <figcaption className={partClass(view, 'foot')}>
        <span className={partClass(view, 'site')}>
          <PreviewIcon view={view} as="icon" />
          <PreviewLink view={view} link={link} className={`${partClass(view, 'link')} ${partClass(view, 'host')}`} />
        </span>
        <PreviewEnd view={view} />
      </figcaption>
    </>
  )
}
