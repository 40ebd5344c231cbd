import {
  QueryClient,
  queryOptions,
  type DataTag,
  type Query,
  type QueryFunctionContext,
  type UnusedSkipTokenOptions,
} from '@tanstack/react-query'
import { chooseImage, filterData, type PagePreviewKey, type PreviewRequest } from '../card/index.js'
import { requestPage } from '../client/request.js'
import { fields, PageError } from '../query/index.js'
import type { PagePreviewQuerySource } from './props.js'
import { warnOnce } from './warnings.js'
import { revalidationPollMs, trackRevalidation, type PreviewResult } from './preview-state.js'

// Bundlers of apps replace it, as they do for React.
declare const process: { env: { NODE_ENV?: string } }

type CachedQuery = Query<PreviewResult, PageError, PreviewResult, PagePreviewKey>

/** The options of one preview for react-query. */
export type PagePreviewQueryOptions = UnusedSkipTokenOptions<
  PreviewResult,
  PageError,
  PreviewResult,
  PagePreviewKey
> & {
  queryKey: DataTag<PagePreviewKey, PreviewResult, PageError>
}

/** How long to pause after a request without any response. */
const TIMEOUT_PAUSE_MS = 10_000

// A longer timer fires at once: https://developer.mozilla.org/en-US/docs/Web/API/Window/setTimeout#maximum_delay_value
const MAX_TIMER_MS = 2 ** 31 - 2

/** `pagePreviewQueryOptions` for a query that is parsed already. */
export function queryOptionsFor(
  request: PreviewRequest,
  { fetch, refreshInterval }: Pick<PagePreviewQuerySource, 'fetch' | 'refreshInterval'>,
): PagePreviewQueryOptions {
  const { queryKey, staleTtl, filter } = request
  return queryOptions<PreviewResult, PageError, PreviewResult, PagePreviewKey>({
    queryKey,
    queryFn: (context) => fetchPreview(request, fetch, context),
    ...(filter && { select: (result) => ({ ...result, data: filterData(result.data, filter) }) }),
    staleTime: ({ state }: CachedQuery) => (state.data ? freshMs(state.data, staleTtl) : 0),
    refetchInterval: ({ state }: CachedQuery) => nextFetchMs(state) ?? refreshInterval ?? false,
    refetchIntervalInBackground: false,
    refetchOnMount: true,
    refetchOnWindowFocus: true,
    refetchOnReconnect: true,
    // The client retries by itself, and being offline is an error to show rather than to wait for.
    retry: false,
    networkMode: 'always',
    throwOnError: false,
    placeholderData: undefined,
  })
}

function nextFetchMs({ data, error, dataUpdatedAt, errorUpdatedAt }: CachedQuery['state']): number | undefined {
  const pauseMs = error ? retryPauseMs(error) : undefined
  return pauseMs ?? (data && revalidationPollMs(data, Math.max(dataUpdatedAt, errorUpdatedAt)))
}

/** Milliseconds until a failure that is not the page's own is worth another request; `undefined` for a page that fails. */
function retryPauseMs({ code, status, retryAfterMs }: PageError): number | undefined {
  if (retryAfterMs !== undefined) return Math.min(retryAfterMs, MAX_TIMER_MS)
  if (status === 429) return DEFAULT_PAUSE_MS
  // Browsers send six requests to a host at once over HTTP/1.1, so that others may never have been sent.
  return code === 'ETIMEOUTCLIENT' ? TIMEOUT_PAUSE_MS : undefined
}

function freshMs({ cache, revalidation }: PreviewResult, staleTtl: PreviewRequest['staleTtl']): number {
  if (revalidation) return 0
  const ttlMs = cache.ttlMs ?? fields.ttl.default
  const lifetimeMs = typeof staleTtl === 'number' ? Math.min(staleTtl, ttlMs) : ttlMs
  return Math.min(Math.max(0, lifetimeMs - (cache.ageMs ?? 0)), MAX_TIMER_MS)
}

/**
 * Fetches the result of one page, unless the service has responded 429 and may not be requested yet.
 *
 * @param client  Holds the previous result, and the rate limits that other previews have run into.
 * @throws        {PageError} as `Client.page` does; `ERATE` without a request during a rate limit.
 */
async function fetchPreview(
  request: PreviewRequest,
  fetch: PagePreviewQuerySource['fetch'],
  { client: queryClient, signal }: QueryFunctionContext<PagePreviewKey>,
): Promise<PreviewResult> {
  const warning = process.env.NODE_ENV === 'production' ? undefined : foreignClientWarning(queryClient)
  if (warning) warnOnce(warning)
  const { queryKey } = request
  const [, , serviceUrl] = queryKey
  const retryAfterMs = rateLimitPauseMs(queryClient, request)
  if (retryAfterMs)
    throw new PageError(
      'ERATE',
      `${serviceUrl} has limited the rate of requests, so none is sent until it allows them.`,
      { retryAfterMs },
    )
  const previous = queryClient.getQueryData<PreviewResult>(queryKey)
  const revalidate = previous !== undefined || Boolean(queryClient.getQueryState(queryKey)?.errorUpdateCount)
  try {
    const result = trackRevalidation(await requestPage(request, { fetch, signal, revalidate }), previous)
    const newImageUrl = imageUrl(result, request)
    // The previous result is shown until the new image is decoded, so that both change at the same time.
    if (previous && newImageUrl && newImageUrl !== imageUrl(previous, request)) await decodeImage(newImageUrl, signal)
    return result
  } catch (error) {
    if (error instanceof PageError && error.status === 429) startRateLimitPause(queryClient, request, error)
    throw error
  }
}

const imageUrl = (result: PreviewResult, { embed }: PreviewRequest) => chooseImage(result.data, embed, result)?.src

/** How long to pause after a 429 response without `retry-after`. */
const DEFAULT_PAUSE_MS = 60_000

/** When the service at each URL may be requested again, milliseconds since 1970, shared by all previews of one QueryClient. */
const pauseEnds = new WeakMap<QueryClient, Map<string, number>>()

/** Milliseconds for which a service must not be requested; 0 when it may be. */
export function rateLimitPauseMs(queryClient: QueryClient, { queryKey: [, , serviceUrl] }: PreviewRequest): number {
  return Math.max(0, (pauseEnds.get(queryClient)?.get(serviceUrl) ?? 0) - Date.now())
}

/** Pauses all requests to a service that has responded 429. */
function startRateLimitPause(
  queryClient: QueryClient,
  { queryKey: [, , serviceUrl] }: PreviewRequest,
  { retryAfterMs = DEFAULT_PAUSE_MS }: PageError,
): void {
  const ends = pauseEnds.get(queryClient) ?? new Map<string, number>()
  pauseEnds.set(queryClient, ends.set(serviceUrl, Math.max(Date.now() + retryAfterMs, ends.get(serviceUrl) ?? 0)))
}

const DECODE_TIMEOUT_MS = 30_000

/**
 * Downloads and decodes an image, so that it can be swapped in without a flash. Resolves at once if the environment has
 * no images.
 *
 * @throws  {PageError} `EFATALCLIENT` when the image cannot be decoded within 30 seconds.
 */
async function decodeImage(url: string, signal: AbortSignal): Promise<void> {
  if (typeof Image === 'undefined' || !('decode' in Image.prototype)) return
  const image = new Image()
  const deadline = AbortSignal.any([signal, AbortSignal.timeout(DECODE_TIMEOUT_MS)])
  // Removing `src` aborts the download and rejects `decode()`.
  deadline.addEventListener('abort', () => image.removeAttribute('src'))
  image.src = url
  try {
    await image.decode()
  } catch (cause) {
    throw new PageError('EFATALCLIENT', `The new image ${url} cannot be decoded; the previous image is kept.`, {
      cause,
    })
  }
}

/**
 * A warning for a developer whose app uses another copy of react-query than this library. The copies share no context, so that
 * previews do not find the QueryClient of a `QueryClientProvider`. It can only be detected in a client that is passed as a prop
 * or an argument, because React provides no access to the contexts of other copies.
 *
 * @returns  `undefined` for a client of the same copy.
 */
const foreignClientWarning = (queryClient: QueryClient): string | undefined =>
  queryClient instanceof QueryClient
    ? undefined
    : 'There are two copies of @tanstack/react-query: this QueryClient comes from another copy than page-preview uses, so ' +
      'previews do not find the QueryClientProvider of the app. `npm ls @tanstack/react-query` lists them; keep one of them, by its ' +
      'version in package.json or by `resolve.dedupe` of the bundler.'
