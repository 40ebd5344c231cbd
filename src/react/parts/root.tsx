'use client'

import {
  forwardRef,
  useEffect,
  useRef,
  useState,
  type ForwardRefExoticComponent,
  type ReactNode,
  type RefAttributes,
} from 'react'
import { isBusy, resultDetails, type PreviewState } from '../preview-state.js'
import type { PageData } from '../../query/index.js'
import { isDeepEqual } from '../preview-query.js'
import { usePreviewData, type PreviewDetails } from '../use-preview-data.js'
import { useShownImage } from '../image.js'
import { useProximity, type Proximity } from '../use-proximity.js'
import { usePreviewProps, type PreviewProps } from '../page-preview-provider.js'
import type { CaptureProps, PreviewOptions, SourceOptions } from '../props.js'
import { useLazyModule } from '../use-lazy-module.js'
import { useMergedRefs, PreviewContext, usePartElement, type PartProps } from './part.js'
import { previewView, type PreviewView } from './preview-view.js'

/** Which page, what its parts need, and the props of every part. */
export interface RootProps
  extends
    CaptureProps,
    SourceOptions,
    Pick<PreviewOptions, 'layout' | 'alt' | 'target' | 'rel' | 'onLoad' | 'onError' | 'onRefresh'>,
    Omit<PartProps<'article'>, keyof CaptureProps | keyof PreviewOptions> {}

/** The root of a preview: fetches its page once it is near the viewport, and provides its state to the parts inside. */
export const Root: ForwardRefExoticComponent<RootProps & RefAttributes<HTMLElement>> = /* @__PURE__ */ forwardRef<
  HTMLElement,
  RootProps
>(function Root({ render, className, style, ...ownProps }, callerRef) {
  const props = usePreviewProps('Preview.Root', ownProps)
  const [proximityRef, proximity] = useProximity(props.options)
  const view = useView(props, proximity, { showsState: true })
  const ref = useMergedRefs(proximityRef, callerRef)
  const { children, ...attributes } = props.attributes
  const own = {
    dir: props.options.messages?.dir,
    'aria-busy': isBusy(view.state, proximity) || undefined,
    children: (
      <>
        {children}
        {view.announcement}
      </>
    ),
  }
  const element = usePartElement(
    { tag: 'article', attributes: own },
    view,
    { render, className, style, ...attributes },
    ref,
  )
  return <PreviewContext.Provider value={view}>{element}</PreviewContext.Provider>
})

const loadFailureParts = () => import('./failure-parts.js')

/** The one state of a preview, from far to ready, and everything that its parts show. */
export function useView(
  props: PreviewProps,
  proximity: Proximity,
  { showsState, children }: { showsState: boolean; children?: ReactNode },
): PreviewView {
  const { options } = props
  const preview = usePreviewData(props, proximity)
  usePreviewEvents(preview, options)
  const needsFailureParts = preview.status === 'failed' || preview.status === 'stale'
  const failureParts = useLazyModule(loadFailureParts, needsFailureParts)
  const [image, onBrokenImage] = useShownImage(preview.image)
  const [brokenIcon, setBrokenIcon] = useState<string>()
  const icon = preview.page?.logo?.url
  const onBrokenIcon = () => setBrokenIcon(icon)
  return previewView({
    preview,
    showsState,
    options,
    children,
    image,
    brokenIcon,
    failureParts,
    onBrokenImage,
    onBrokenIcon,
  })
}

/** Calls each handler once per event: the first result of a query, each newer one, each failure. */
function usePreviewEvents(
  preview: PreviewState & PreviewDetails & { id: string },
  handlers: Pick<PreviewOptions, 'onLoad' | 'onError' | 'onRefresh'>,
): void {
  const latestHandlers = useRef(handlers)
  const reported = useRef<{ id: string; timestamp: number | undefined; page: PageData }>(undefined)
  const { id, page, result } = preview
  const timestamp = result?.cache.timestamp
  const error = preview.status === 'failed' && !preview.isRetrying ? preview.error : undefined

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
    if (error) latestHandlers.current.onError?.(error)
  }, [error])
}

const changedFields = (before: PageData, now: PageData) =>
  (Object.keys({ ...before, ...now }) as (keyof PageData)[]).filter(
    (name) => name !== 'history' && !isDeepEqual(before[name], now[name]),
  )
