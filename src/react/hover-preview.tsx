'use client'

import { useEffect, useRef, useState, type ReactNode, type RefObject } from 'react'
import { toDisplayUrl } from '../card/index.js'
import type { HoverSide } from './hover-card.js'
import type { Hover } from './hover-intent.js'
import type { PagePreviewProps } from './props.js'
import { useLazyModule } from './use-lazy-module.js'

/** The options of hovering, and the props of the `PagePreview` in the card. */
export interface HoverPreviewProps extends Partial<Omit<PagePreviewProps, 'url' | 'server'>> {
  /**
   * The page to preview. Default: the `href` of the link.
   *
   * @example url: 'https://example.com'
   */
  url?: string | undefined
  /**
   * The element to hover, ideally a link. Default: a link to `url`.
   *
   * @example children: <a href="https://example.com">Example</a>
   */
  children?: ReactNode
  /**
   * How long the pointer or the focus rests on the link before the card opens, in milliseconds.
   *
   * @default 300
   * @example delay: 600
   */
  delay?: number | undefined
  /**
   * How long the card stays open after the pointer has left both the link and the card, in milliseconds.
   *
   * @default 150
   * @example closeDelay: 0
   */
  closeDelay?: number | undefined
  /**
   * Whether the card is open, for an app that decides it itself. With `within`, it is the card of the link that was hovered last.
   *
   * @example open: isOpen
   */
  open?: boolean | undefined
  /**
   * Called when the card opens or closes, or would with your own `open`.
   *
   * @example onOpenChange: setIsOpen
   */
  onOpenChange?: ((isOpen: boolean) => void) | undefined
  /**
   * Instead of children: every link in this element, also a later one, has the preview. For HTML that React did not render.
   *
   * @example within: articleRef
   */
  within?: RefObject<HTMLElement | null> | undefined
  /**
   * The side of the link on which the card opens if there is enough space, otherwise on the opposite one.
   *
   * @default 'bottom'
   * @example side: 'right'
   */
  side?: HoverSide | undefined
  /**
   * A card of your own in place of `PagePreview`, for the URL of the link. What it previews is fetched at once.
   *
   * @example render: (url) => <Card url={url} />
   */
  render?: ((url: string) => ReactNode) | undefined
  /**
   * Receives the root element of the card, in React 19.
   *
   * @example ref: cardRef
   */
  ref?: PagePreviewProps['ref']
}

/** What only the script tag passes, which loads this component when a link is hovered. */
interface HoverStart {
  /** The event that reached the link before this component was there. */
  startedBy?: Event | undefined
}

const loadHoverIntent = () => import('./hover-intent.js')
const loadHoverCard = () => import('./hover-card.js')

/**
 * Shows a preview next to a link while it is hovered, focused or long-pressed. Before that, only the code that observes the link is
 * loaded, after the first render. The card has nothing to click or focus, and screen readers skip it: the link keeps its name, and leads
 * to the page itself.
 *
 * @example  <HoverPreview screenshot><a href="https://example.com">Example</a></HoverPreview>
 */
export function HoverPreview(props: HoverPreviewProps): ReactNode
export function HoverPreview({
  children,
  within,
  delay = 300,
  closeDelay = 150,
  side = 'bottom',
  open,
  onOpenChange,
  startedBy,
  ...props
}: HoverPreviewProps & HoverStart): ReactNode {
  const [container, setContainer] = useState<HTMLElement | null>(null)
  const [{ link: hoveredLink, stage, pointer }, setHover] = useState<Hover>({ stage: 'closed' })
  const { HoverIntent } = useLazyModule(loadHoverIntent, true) ?? {}
  const firstEvent = useRef(startedBy)
  useEffect(() => {
    // Until the code that observes the links is loaded.
    const area = HoverIntent ? undefined : within ? within.current : container
    const remember = (event: Event) => (firstEvent.current = event)
    area?.addEventListener('pointerdown', remember)
    return () => area?.removeEventListener('pointerdown', remember)
  }, [HoverIntent, within, container])
  const link = hoveredLink ?? (within ? undefined : container)
  const isOpen = open ?? stage === 'open'
  const isNeeded = isOpen || stage !== 'closed'
  const { HoverCard } = useLazyModule(loadHoverCard, isNeeded) ?? {}
  const { href, text } = toDisplayUrl(props.url ?? '')
  return (
    <span ref={setContainer} className="pp-hover">
      {!within &&
        (children ?? (
          <a href={href} target={props.target} rel={props.rel}>
            {text}
          </a>
        ))}
      {HoverIntent && container && (
        <HoverIntent
          container={container}
          within={within}
          settings={{ delay, closeDelay, open, onOpenChange, startedBy: firstEvent }}
          onChange={setHover}
        />
      )}
      {HoverCard && isNeeded && container && link && (
        <HoverCard {...props} {...{ link, container, isOpen, side, pointer }} />
      )}
    </span>
  )
}
