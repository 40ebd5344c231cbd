'use client'

import {
  QueryClient,
  QueryObserver,
  useIsRestoring,
  type NotifyOnChangeProps,
  type QueryObserverResult,
} from '@tanstack/react-query'
import { useCallback, useEffect, useMemo, useState, useSyncExternalStore } from 'react'
import {
  chooseImage,
  toDisplayUrl,
  type CardImage,
  type DisplayUrl,
  type PagePreviewKey,
  type PreviewRequest,
  requestOf,
} from '../card/index.js'
import type { PageError } from '../query/index.js'
import type { PreviewRef, Proximity } from './use-proximity.js'
import type { PreviewProps } from './page-preview-provider.js'
import { useLazyModule } from './use-lazy-module.js'
import { warnOfPreview, warnOnce } from './warnings.js'
import { queryOptionsFor, rateLimitPauseMs, type PagePreviewQueryOptions } from './fetch-preview.js'
import { canRetry, previewState, type PreviewResult, type PreviewState, type ReadyPreview } from './preview-state.js'
import { shareClient, useKnownQueryClient, type StableQuery } from './preview-query.js'

// Bundlers of apps replace it, as they do for React.
declare const process: { env: { NODE_ENV?: string } }

/** The properties of a preview that do not depend on its state. */
export interface PreviewDetails {
  /** The page's URL as it is shown; its `href` is for a link that works in every state. */
  displayUrl: DisplayUrl
  /** The image of the card; with `embed` it is known from the start. */
  image: CardImage | undefined
  /** Fetches again. During a rate limit it fails without a request. */
  refresh: () => void
  /** Whether fetching again may help: false for an address that is not public, a missing key, an invalid parameter. */
  canRetry: boolean
}

/**
 * The ref is separate from the state: for the React Compiler and its lint rules, every value of an object that holds
 * a ref is part of a ref, which must not be read while rendering.
 */
export type UsePagePreviewResult = readonly [ref: PreviewRef, preview: PreviewState & PreviewDetails]

export type UseSuspensePagePreviewResult = readonly [ref: PreviewRef, preview: ReadyPreview & PreviewDetails]

/**
 * The data and the state of one preview.
 *
 * @param awaitedResult  From a hook that suspends until there is one; then there is always a page.
 */
export function usePreviewData(
  props: PreviewProps,
  proximity: Proximity,
  awaitedResult: PreviewResult,
): ReadyPreview & PreviewDetails
export function usePreviewData(props: PreviewProps, proximity: Proximity): PreviewState & PreviewDetails
export function usePreviewData(
  props: PreviewProps,
  proximity: Proximity,
  awaitedResult?: PreviewResult,
): PreviewState & PreviewDetails {
  const { query, options, stableQuery, id } = props
  const { data: ownData } = options
  const queryClient = usePreviewQueryClient(options.queryClient)

  // Parsing and observing a query costs more than the rest of a preview, and most previews of a long page are never visible.
  const isNeeded = !ownData && (proximity !== 'far' || query.embed !== undefined || hasPreviews(queryClient))
  const request = isNeeded ? requestOf(stableQuery) : undefined
  const queryOptions = useMemo(() => (isNeeded ? stableQueryOptions(stableQuery) : undefined), [isNeeded, stableQuery])
  const observed = useObservedQuery(id, queryOptions, queryClient, proximity)

  const { data: result = awaitedResult, dataUpdatedAt: resultAt = 0, error, isFetching = false } = observed ?? {}
  const lastError = useLastError(id, error)
  useDevelopmentWarnings(props, request, error, result)
  const state = previewState({ ownData, result, resultAt, error, isFetching, lastError })
  // The same function as long as it does the same, so that an effect may depend on it.
  const refresh = useCallback(() => {
    if (!ownData) void queryClient.prefetchQuery({ ...stableQueryOptions(stableQuery), staleTime: 0 })
  }, [ownData, stableQuery, queryClient])
  // An embedded image is a separate request: none is sent while the service limits the rate, nor after a failure.
  const showsImage = state.page || (request && state.status !== 'failed' && !rateLimitPauseMs(queryClient, request))
  const details: PreviewDetails = {
    displayUrl: useDisplayUrl(query.url),
    image: showsImage ? chooseImage(state.page, request?.embed, result) : undefined,
    refresh,
    canRetry: state.status === 'failed' && canRetry(state.error),
  }
  return { ...details, ...state }
}

/**
 * The caller's QueryClient, else the app's, else a client that all previews of the document share.
 *
 * @param onServer  In place of the shared client, which would hold the results of every page that a server has ever rendered. Default:
 *                  one for this render alone.
 */
export function usePreviewQueryClient(
  callerClient: QueryClient | undefined,
  onServer = () => new QueryClient(),
): QueryClient {
  const knownClient = useKnownQueryClient(callerClient)
  // During hydration none is known, and this one is for that alone.
  return knownClient ?? (typeof window === 'undefined' ? onServer() : shareClient(new QueryClient()))
}

/** Whether the cache holds results of any previews. */
export const hasPreviews = (queryClient: QueryClient | undefined): boolean =>
  Boolean(
    queryClient
      ?.getQueryCache()
      .getAll()
      .some(({ queryKey: [product] }) => product === 'page-preview'),
  )

const loadUnicodeHost = () => import('../card/unicode-host.js')

/** In Unicode once the code for that is loaded, which few hosts need. */
function useDisplayUrl(url: string): DisplayUrl {
  const displayUrl = useMemo(() => toDisplayUrl(url), [url])
  const { withUnicodeHost } = useLazyModule(loadUnicodeHost, displayUrl.host.includes('xn--')) ?? {}
  return useMemo(() => withUnicodeHost?.(displayUrl) ?? displayUrl, [withUnicodeHost, displayUrl])
}

/** The latest error of a query; react-query itself drops it when it fetches again. */
function useLastError(id: string, error: PageError | null | undefined): PageError | undefined {
  const [last, setLast] = useState<{ id: string; error: PageError }>()
  if (error && last?.error !== error) setLast({ id, error })
  return last && last.id === id ? last.error : undefined
}

/** The options of a query that the page keeps, for react-query. */
export const stableQueryOptions = (stableQuery: StableQuery): PagePreviewQueryOptions =>
  queryOptionsFor(requestOf(stableQuery), stableQuery.source)

type Observer = QueryObserver<PreviewResult, PageError, PreviewResult, PreviewResult, PagePreviewKey>

const RENDERED_FIELDS: NotifyOnChangeProps = ['data', 'error', 'isFetching']

/**
 * `useQuery` for a query that may not be needed yet: without options it does nothing, and far from the viewport it reads what is
 * cached already.
 */
function useObservedQuery(
  id: string,
  options: PagePreviewQueryOptions | undefined,
  queryClient: QueryClient,
  proximity: Proximity,
): QueryObserverResult<PreviewResult, PageError> | undefined {
  const isRestoring = useIsRestoring()
  const observerFor = useMemo(() => observerCache(queryClient), [queryClient])
  const observer = options && observerFor(id, options)
  // Also far away with a result, which the cache would drop after a while.
  const isSubscribed = (proximity !== 'far' || observer?.getCurrentResult().data !== undefined) && !isRestoring

  // Before the subscription, which fetches at once if it is enabled.
  useEffect(() => {
    if (!options) return
    const isNear = proximity === 'near'
    observer?.setOptions({
      ...options,
      enabled: isNear || proximity === 'eager',
      refetchInterval: isNear && options.refetchInterval,
      refetchOnWindowFocus: isNear,
      refetchOnReconnect: isNear,
      notifyOnChangeProps: RENDERED_FIELDS,
    })
  }, [observer, options, proximity])
  const subscribe = useCallback(
    (onChange: () => void) => {
      const unsubscribe = isSubscribed ? observer?.subscribe(onChange) : undefined
      // Reads what has changed since the component was rendered.
      observer?.updateResult()
      return unsubscribe ?? (() => {})
    },
    [observer, isSubscribed],
  )
  const readResult = () => observer?.getCurrentResult()
  return useSyncExternalStore(subscribe, readResult, readResult)
}

/**
 * One observer per id, which fetches what has failed with another key. Its options may change with each render, for example an inline
 * `fetch`.
 */
function observerCache(queryClient: QueryClient): (id: string, options: PagePreviewQueryOptions) => Observer {
  let observer: Observer | undefined
  let observedId: string | undefined
  return (id, options) => {
    if (!observer || observedId !== id) observer = new QueryObserver(queryClient, { ...options, enabled: false })
    observedId = id
    return observer
  }
}

const NO_STYLESHEET = "The stylesheet is missing: add `import 'page-preview/styles.css'`."
/** How long a stylesheet may take to arrive. */
const STYLESHEET_WAIT_MS = 1_000

/** Warns developers in the console about what they can fix. Bundlers leave it out of production builds. */
const useDevelopmentWarnings: typeof useWarnings = process.env.NODE_ENV === 'production' ? () => {} : useWarnings

function useWarnings(
  { component, options: { layout }, stableQuery }: PreviewProps,
  request: PreviewRequest | undefined,
  error: PageError | null | undefined,
  result: PreviewResult | undefined,
): void {
  const hasResult = result !== undefined
  const { endpoint } = stableQuery.source
  useEffect(
    () => warnOfPreview({ component, request, endpoint, layout, error: error ?? undefined, hasResult }),
    [component, request, endpoint, layout, error, hasResult],
  )
  useEffect(() => {
    // Stored, because a test environment may be torn down before the timer fires.
    const { document } = window
    const timer = setTimeout(() => {
      if (lacksStylesheet(document)) warnOnce(NO_STYLESHEET, component)
    }, STYLESHEET_WAIT_MS)
    return () => clearTimeout(timer)
  }, [component])
}

/** Whether a document shows previews without `styles.css`. */
function lacksStylesheet(document: Document): boolean {
  // Only an element with a box: hidden ones, and those in environments without layout, do not show whether styles apply.
  const root = [...document.querySelectorAll('.page-preview')].find((element) => element.getClientRects().length > 0)
  return root !== undefined && !getComputedStyle(root).getPropertyValue('--_pp-muted')
}
