import type { ReactNode, RefObject } from 'react'
import { PreviewEnd } from './preview-end.js'
import { PreviewIcon } from './preview-icon.js'
import { PreviewLink } from './preview-link.js'
import { PreviewMedia } from './preview-media.js'
import { partClass, type PreviewView } from './preview-view.js'

interface PreviewCardProps {
  view: PreviewView
  link: RefObject<HTMLAnchorElement | null>
  boneCount: number
}

/** The inside of the layouts `card` and `row`. */
export function PreviewCard({ view, link, boneCount }: PreviewCardProps): ReactNode {
  const { description } = view
  return (
    <>
      <PreviewMedia key={view.id} view={view} />
      <div className={partClass(view, 'body')}>
        <div className={partClass(view, 'text')}>
          <PreviewLink view={view} link={link} className={partClass(view, 'link')} />
          {description === undefined ? (
            Array.from({ length: boneCount }, (_, at) => <span key={at} className="pp-bone" />)
          ) : (
            <>
              <br />
              <span className={partClass(view, 'description')}>{description}</span>
            </>
          )}
        </div>
        <div className={partClass(view, 'foot')}>
          <span className={partClass(view, 'site')}>
            <PreviewIcon view={view} as="icon" />
            <bdi className={partClass(view, 'host')}>{view.address.host}</bdi>
          </span>
          <PreviewEnd view={view} />
        </div>
      </div>
    </>
  )
}
