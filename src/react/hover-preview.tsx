'use client'

import { useState, type ReactNode } from 'react'
import { toDisplayUrl } from '../card/index.js'
import { useProviderDefaults } from './page-preview-provider.js'
import type { PagePreviewProps } from './props.js'
import { useLazyModule } from './use-lazy-module.js'

export interface HoverPreviewProps extends Partial<PagePreviewProps> {
  /**
   * The page to preview. Default: the `href` of the link among the children.
   *
   * @example url: 'https://example.com'
   */
  url?: string
  /**
   * The element to hover, ideally a link. Default: a link to `url`.
   *
   * @example children: <a href="https://example.com">Example</a>
   */
  children?: ReactNode
  /**
   * A link elsewhere in the document, in place of children: it has the preview, and nothing else is rendered.
   *
   * @example anchor: document.querySelector('a')
   */
  anchor?: HTMLElement
}

const loadHoverCard = () => import('./hover/hover-card.js')

/**
 * Shows a preview next to a link while it is hovered, focused or long-pressed. Nothing is loaded before; the preview itself has
 * nothing to click or focus.
 *
 * @example  <HoverPreview screenshot><a href="https://example.com">Example</a></HoverPreview>
 */
export function HoverPreview({ children, anchor, ...ownProps }: HoverPreviewProps): ReactNode {
  const props = useProviderDefaults(ownProps)
  const [container, setContainer] = useState<HTMLElement | null>(null)
  const [wasHovered, setWasHovered] = useState(false)
  const { HoverCard } = useLazyModule(loadHoverCard, wasHovered || Boolean(anchor)) ?? {}
  const onHover = () => setWasHovered(true)
  const { href, text } = toDisplayUrl(props.url ?? '')
  return (
    <span ref={setContainer} className="pp-hover" onPointerEnter={onHover} onFocus={onHover}>
      {!anchor && (children ?? <a href={href}>{text}</a>)}
      {HoverCard && container && <HoverCard {...props} anchor={anchor ?? container} container={container} />}
    </span>
  )
}
