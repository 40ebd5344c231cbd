'use client'

import { useState, type ReactNode, type SyntheticEvent } from 'react'
import { pageAddress } from './data/index.js'
import type { PagePreviewProps } from './page-preview-props.js'
import { useLoaded } from './use-loaded.js'

export interface HoverPreviewProps extends Partial<PagePreviewProps> {
  /** Default: where the link inside leads. */
  url?: string
  /** What is pointed at, best a link. Default: a link to `url`. */
  children?: ReactNode
}

const loadCard = () => import('./hover-card.js')

/**
 * Shows a preview beside a link while somebody points at it, has it in focus, or holds a finger on it. Nothing is loaded
 * before; there is nothing in it to be clicked or focused.
 */
export function HoverPreview({ children, ...props }: HoverPreviewProps): ReactNode {
  const [anchor, setAnchor] = useState<HTMLElement>()
  const { HoverCard } = useLoaded(loadCard, Boolean(anchor)) ?? {}
  const want = ({ currentTarget }: SyntheticEvent<HTMLElement>) => setAnchor(currentTarget)
  return (
    <span className={props.unstyled ? undefined : 'pp-hover'} onPointerEnter={want} onFocus={want}>
      {children ?? <a href={pageAddress(props.url ?? '').href}>{pageAddress(props.url ?? '').text}</a>}
      {HoverCard && anchor && <HoverCard {...props} anchor={anchor} />}
    </span>
  )
}
