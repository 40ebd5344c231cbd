'use client'

import {
  useCallback,
  useEffect,
  useRef,
  useState,
  useSyncExternalStore,
  type CSSProperties,
  type ReactNode,
} from 'react'
import { imageSizes, type DisplayUrl } from '../../card/index.js'
import type { PreviewResult, PreviewState } from '../data/preview-state.js'
import { usePreviewData, type InternalDetails } from '../data/use-preview-data.js'
import type { Proximity, ProximityRef } from '../near-viewport/use-proximity.js'
import type { PreviewProps } from '../page-preview-provider.js'
import type { PreviewOptions, ResultDetails } from '../props.js'
import { useLazyModule } from '../use-lazy-module.js'
import { cardView, type CardView, type IconProps } from './card-view.js'
import { FadeInImage, useShownImage } from './interactive-image.js'
import { MediaFrame, PreviewCard, previewRoot, StaticIcon } from './preview-card.js'

interface InteractiveCardProps extends PreviewProps {
  proximity: Proximity
  proximityRef: ProximityRef
  isPassive?: boolean
}

const loadFailureDetails = () => import('./failure-details.js')
const loadMediaPlayer = () => import('./media-player.js')

const VISUALLY_HIDDEN: CSSProperties = {
  position: 'absolute',
  clipPath: 'inset(50%)',
  overflow: 'hidden',
  width: '1px',
  height: '1px',
}

/** A preview that fetches its data and follows every change of it. */
export function InteractiveCard({ proximity, proximityRef, isPassive, ...props }: InteractiveCardProps): ReactNode {
  const { query, options, attributes } = props
  const { children, style, ...rest } = attributes
  const preview = usePreviewData(props, proximity)
  usePreviewEvents(preview, options)
  const elementRef = useFocusHandover(proximityRef, preview.displayUrl)
  const needsFailureDetails = preview.status === 'failed' || preview.status === 'stale'
  const failureDetails = useLazyModule(loadFailureDetails, needsFailureDetails)
  const view = cardView(preview, {
    options,
    children,
    isPassive,
    failureDetails,
    Icon: IconWithFallback,
    Media: InteractiveMedia,
  })
  const isInline = options.layout === 'inline'
  // A style attribute in the server's markup would violate a strict content security policy.
  const hasStyle = useIsHydrated() && !isInline
  const background = hasStyle ? preview.image?.background : undefined
  return previewRoot({
    preview,
    query,
    options,
    attributes: { ...rest, style: background ? { ['--pp-media-background' as string]: background, ...style } : style },
    elementRef,
    isPassive,
    children: (
      <>
        <PreviewCard view={view} />
        {preview.wasRetried && !isInline && (
          <span style={VISUALLY_HIDDEN} role="status">
            {view.announcement}
          </span>
        )}
      </>
    ),
  })
}

/** The image of a card, or the fallback instead of it, with the status and the play button on top. */
function InteractiveMedia({ view }: { view: CardView }): ReactNode {
  const { classNames, card, statusText, isBusy, playable, options } = view
  const { MediaPlayer } = useLazyModule(loadMediaPlayer, Boolean(playable)) ?? {}
  const [shownImage, onBroken] = useShownImage(card.image)
  const image = shownImage && (
    <FadeInImage
      className={classNames('image')}
      image={shownImage}
      alt={card.alt}
      sizes={imageSizes(options.layout)}
      options={options}
      onBroken={onBroken}
    />
  )
  return (
    <MediaFrame view={view} image={image}>
      {statusText && (
        // Keyed by its text: an element that changes its width counts as a layout shift, a new one does not.
        <span key={statusText} className={classNames('status')}>
          {isBusy && <span className={classNames('spinner')} />}
          <span>{statusText}</span>
        </span>
      )}
      {MediaPlayer && playable && <MediaPlayer view={view} playable={playable} />}
    </MediaFrame>
  )
}

/** An icon that is replaced by the letter when it cannot be loaded. */
function IconWithFallback({ view, part }: IconProps): ReactNode {
  const [brokenIcon, setBrokenIcon] = useState<string>()
  const { card } = view
  const isBroken = card.icon === brokenIcon
  return (
    <StaticIcon
      view={isBroken ? { ...view, card: { ...card, icon: undefined } } : view}
      part={part}
      onError={() => setBrokenIcon(card.icon)}
    />
  )
}

/** Calls each handler once per event: the first result of a query, each newer one, each failure. */
function usePreviewEvents(
  preview: PreviewState & InternalDetails,
  handlers: Pick<PreviewOptions, 'onLoad' | 'onError' | 'onRefresh'>,
): void {
  const latestHandlers = useRef(handlers)
  const reported = useRef<{ id: string; timestamp: number | undefined }>(undefined)
  const { id } = preview
  const page = 'page' in preview ? preview.page : undefined
  const result = 'result' in preview ? preview.result : undefined
  const timestamp = result?.cache.timestamp
  const error = preview.status === 'failed' && !preview.isRetrying ? preview.error : undefined

  useEffect(() => {
    latestHandlers.current = handlers
  })
  useEffect(() => {
    const previous = reported.current
    if (!page || (previous?.id === id && previous.timestamp === timestamp)) return
    reported.current = { id, timestamp }
    if (previous?.id === id) latestHandlers.current.onRefresh?.(page, detailsOf(result))
    else latestHandlers.current.onLoad?.(page, detailsOf(result))
    // A result without a newer page is not reported again.
  }, [id, page, timestamp, result])
  useEffect(() => {
    if (error) latestHandlers.current.onError?.(error)
  }, [error])
}

function detailsOf(result: PreviewResult | undefined): ResultDetails {
  if (!result) return {}
  const { status, statusCode, headers, redirects, warnings, cache, rateLimit } = result
  return { status, statusCode, headers, redirects, warnings, cache, rateLimit }
}

/**
 * Moves the focus to the link of a card when the link of its placeholder had it.
 *
 * @returns  The ref of the root element.
 */
function useFocusHandover(ref: ProximityRef, displayUrl: DisplayUrl): (element: HTMLElement | null) => void {
  const root = useRef<HTMLElement>(null)
  // Read in the first render: the placeholder is removed before any effect.
  const [previouslyFocused] = useState(focusedElement)
  const [href] = useState(displayUrl.href)
  useEffect(() => {
    if (!previouslyFocused || previouslyFocused.isConnected || previouslyFocused.getAttribute('href') !== href) return
    const link = root.current?.matches('a') ? root.current : root.current?.querySelector('a')
    link?.focus({ preventScroll: true })
  }, [previouslyFocused, href])
  return useCallback(
    (element) => {
      root.current = element
      ref(element)
    },
    [ref],
  )
}

/** The focused element, also inside shadow roots, of which the document knows only the host element. */
function focusedElement(): Element | null {
  if (typeof document === 'undefined') return null
  let element: Element | null = document.activeElement
  // Two elements of the page with this name hide the property.
  if (!(element instanceof Element)) return null
  while (element.shadowRoot?.activeElement) element = element.shadowRoot.activeElement
  return element
}

const neverChanges = () => () => {}

/** `false` on a server and during hydration, so that both render the same markup; `true` afterwards. */
function useIsHydrated(): boolean {
  return useSyncExternalStore(
    neverChanges,
    () => true,
    () => false,
  )
}
