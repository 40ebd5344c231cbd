'use client'

import { useState, type ReactNode } from 'react'
import { toDisplayUrl } from './data/index.js'
import type { PagePreviewProps } from './page-preview-props.js'
import { useDefaults } from './page-preview-provider.js'
import { useLoaded } from './use-loaded.js'

export interface HoverPreviewProps extends Partial<PagePreviewProps> {
  /** Default: where the link inside leads. */
  url?: string
  /** What is pointed at, best a link. Default: a link to `url`. */
  children?: ReactNode
  /** A link that stands elsewhere on the page already: the preview is for it, and nothing else is shown. */
  anchor?: HTMLElement
}

const loadCard = () => import('./hover-card.js')

/**
 * Shows a preview beside a link while somebody points at it, has it in focus, or holds a finger on it. Nothing is loaded
 * before; there is nothing in it to be clicked or focused.
 */
export function HoverPreview({ children, anchor, ...given }: HoverPreviewProps): ReactNode {
  const props = useDefaults(given)
  const [home, setHome] = useState<HTMLElement | null>(null)
  const [isPointedAt, setIsPointedAt] = useState(false)
  const { HoverCard } = useLoaded(loadCard, isPointedAt || Boolean(anchor)) ?? {}
  const want = () => setIsPointedAt(true)
  const { href, text } = toDisplayUrl(props.url ?? '')
  return (
    <span ref={setHome} className={props.unstyled ? undefined : 'pp-hover'} onPointerEnter={want} onFocus={want}>
      {!anchor && (children ?? <a href={href}>{text}</a>)}
      {HoverCard && home && <HoverCard {...props} anchor={anchor ?? home} home={home} />}
    </span>
  )
}
