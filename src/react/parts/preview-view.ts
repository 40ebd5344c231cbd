'use client'

import { useCallback, useEffect, useRef, useState, type Key, type ReactNode, type Ref } from 'react'
import { canonicalLocale, cardModel, layoutOf, type CardModel, type Layout } from '../../card/index.js'
import type { PageData, PageError } from '../../query/index.js'
import { resultDetails, type PreviewState } from '../preview-state.js'
import { isDeepEqual } from '../preview-query.js'
import { usePreviewData, type PreviewDetails } from '../use-preview-data.js'
import { useShownImage } from '../image.js'
import type { Proximity } from '../use-proximity.js'
import type { PreviewProps } from '../page-preview-provider.js'
import { englishLabels } from '../messages/messages.js'
import type { PreviewOptions, SplitProps } from '../props.js'
import { useLazyModule } from '../use-lazy-module.js'
import type { FailureParts } from './failure-parts.js'

/** What `render`, `className` and `style` of a part get: the state of the preview, and its layout. */
export type PartState = PreviewState & PreviewDetails & { layout: Layout }

/** The elements that parts are by default. */
export type PartTag = 'a' | 'article' | 'audio' | 'bdi' | 'button' | 'div' | 'img' | 'p' | 'span' | 'time' | 'video'

/** What a part shows unless its props say otherwise. */
export interface PartContent {
  /** Default: `span`. */
  tag?: PartTag | undefined
  /** A new key is a new element, which is not a layout shift. */
  key?: Key
  /** In addition to the caller's; the same one as long as it does the same. */
  ref?: Ref<HTMLElement> | undefined
  attributes?: Record<string, unknown>
}

/** Everything that the parts of a preview show, decided in one place. */
export interface PreviewView {
  state: PartState
  /** Whether each part has `data-status` and `data-layout`. */
  showsState: boolean
  /** Changes with the query and the service: a key for elements that must not outlive them. */
  id: string
  options: SplitProps['options']
  locale: string
  page: PageData | undefined
  card: CardModel
  /** The page's title, else the caller's text, else its URL. */
  linkText: ReactNode
  /** Once they are loaded, which only failed and stale previews do, and no server, where an age would differ from the browser's. */
  failureParts: FailureParts | undefined
  /** Text on the image. */
  statusText: string | undefined
  onBrokenImage: () => void
  onBrokenIcon: () => void
}

const loadFailureParts = () => import('./failure-parts.js')

/**
 * The one state of a preview, from far to ready, and everything that its parts show.
 *
 * @param children  The caller's text for the link.
 */
export function useView(
  props: PreviewProps,
  proximity: Proximity,
  { showsState, children }: { showsState: boolean; children?: ReactNode },
): PreviewView {
  const { id, options } = props
  const preview = usePreviewData(props, proximity)
  usePreviewEvents(id, preview, options)
  const { status, displayUrl, page, refresh: fetchAgain } = preview
  const [retriedId, setRetriedId] = useState<string>()
  const refresh = useCallback(() => {
    setRetriedId(id)
    fetchAgain()
  }, [id, fetchAgain])
  const failureModule = useLazyModule(loadFailureParts, status === 'failed' || status === 'stale')
  const [image, onBrokenImage] = useShownImage(preview.image)
  const [brokenIcon, setBrokenIcon] = useState<string>()
  const messages = { ...englishLabels, ...options.messages }
  const locale = canonicalLocale(options.locale ?? messages.locale)
  const failureParts = failureModule?.failureParts(preview, options.messages, locale, retriedId === id)
  const layout = layoutOf(options.layout)
  const card = cardModel({ ...options, displayUrl, state: status, page, image, locale })
  const { icon } = card
  return {
    state: { ...preview, layout, refresh },
    showsState,
    id,
    options,
    locale,
    page,
    card: {
      ...card,
      icon: icon === brokenIcon ? undefined : icon,
      description: failureParts?.failure ?? card.description,
    },
    linkText: card.title ?? children ?? displayUrl.text,
    failureParts,
    statusText: status === 'refreshing' ? messages.updating : failureParts?.saved,
    onBrokenImage,
    onBrokenIcon: () => setBrokenIcon(icon),
  }
}

/**
 * Whether a running request will change what is shown. Far from the viewport nothing is requested, and some screen readers skip what
 * is busy.
 */
export function isBusy(preview: PreviewState, proximity: Proximity): boolean {
  const { status } = preview
  const isRequested = status === 'failed' ? preview.isRetrying : status === 'loading' || status === 'refreshing'
  return isRequested && proximity !== 'far'
}

/** Calls each handler once per event: the first result of a query, each newer one, each failure. */
function usePreviewEvents(
  id: string,
  preview: PreviewState,
  handlers: Pick<PreviewOptions, 'onLoad' | 'onError' | 'onRefresh'>,
): void {
  const latestHandlers = useRef(handlers)
  const { page, result } = preview
  const timestamp = result?.cache.timestamp
  const error = preview.status === 'failed' && !preview.isRetrying ? preview.error : undefined
  const reported = useRef<{ id: string; timestamp: number | undefined; page: PageData }>(undefined)
  const reportedError = useRef<PageError>(undefined)

  useEffect(() => {
    latestHandlers.current = handlers
  })
  useEffect(() => {
    const previous = reported.current
    // A result that is not newer is not reported again.
    if (!page || (previous?.id === id && previous.timestamp === timestamp)) return
    reported.current = { id, timestamp, page }
    const details = resultDetails(result)
    if (previous?.id !== id) latestHandlers.current.onLoad?.(page, details)
    else latestHandlers.current.onRefresh?.(page, { ...details, changed: changedFields(previous.page, page) })
  }, [id, page, timestamp, result])
  useEffect(() => {
    if (error && error !== reportedError.current) latestHandlers.current.onError?.(error)
    reportedError.current = error
  }, [error])
}

const changedFields = (before: PageData, now: PageData) =>
  (Object.keys({ ...before, ...now }) as (keyof PageData)[]).filter(
    (name) => name !== 'history' && !isDeepEqual(before[name], now[name]),
  )
