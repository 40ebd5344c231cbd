import type { ReactNode, RefObject } from 'react'
import { partClass, type PreviewView } from './preview-view.js'

interface PreviewLinkProps {
  view: PreviewView
  link: RefObject<HTMLAnchorElement | null>
  className: string
}

/** The one link; its cover makes the whole card clickable and keeps the link's name short. */
export function PreviewLink({ view, link, className }: PreviewLinkProps): ReactNode {
  return (
    <a ref={link} className={className} href={view.address.href}>
      <span className={partClass(view, 'title')}>{view.title}</span>
      <span className="pp-cover" />
    </a>
  )
}
