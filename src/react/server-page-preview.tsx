import type { ReactNode } from 'react'
import { filterData, previewRequest, type PreviewRequest } from '../card/index.js'
import { requestPage } from '../client/request.js'
import { withoutApiKey } from '../query/help/index.js'
import { isPageError, PageError, type PageData } from '../query/index.js'
import { resultDetails, trackRevalidation } from './preview-state.js'
import { HydratedPreview, type ServerResult } from './hydrated-preview.js'
import { splitProps, type PagePreviewProps, type ServerOptions } from './props.js'
import { warnOfPreview, warnOnce } from './warnings.js'

// Bundlers of apps replace it, as they do for React.
declare const process: { env: { NODE_ENV?: string } }

/**
 * `PagePreview` in server components: it waits for the service for a limited time, so that the HTML has the whole card, and the
 * browser starts with that result. Without a result in time the browser fetches it. It never throws for a page or a service that
 * fails.
 *
 * `onLoad` and `onError` are called on the server. Neither `server` nor an API key is sent to browsers.
 *
 * @example  <PagePreview url="https://example.com" screenshot server={{ fetch: proxy.fetch }} />
 */
export async function PagePreview(props: PagePreviewProps): Promise<ReactNode> {
  const { server = {}, endpoint, apiKey, onLoad, onError, onRefresh, ...own } = props
  const { query, options } = splitProps(own)
  const request = previewRequest(query, { endpoint: server.endpoint ?? endpoint, apiKey: server.apiKey || apiKey })
  const serverResult = options.data ? undefined : await fetchOnServer(request, { ...props, server })
  if (serverResult && !isServerAction(onLoad))
    onLoad?.(shownData(serverResult.result.data, request), resultDetails(serverResult.result))
  // The key of the preview belongs to its endpoint, so that is not for browsers either.
  const isForBrowsers = endpoint !== undefined && (server.apiKey || !request.apiKey)
  return (
    <HydratedPreview
      {...own}
      {...(own.query && { query: withoutApiKey(own.query) })}
      {...(isForBrowsers && { endpoint })}
      {...serverActions({ onLoad, onError, onRefresh })}
      serverResult={serverResult}
    />
  )
}

const shownData = (data: PageData, { filter }: PreviewRequest) => (filter ? filterData(data, filter) : data)

type Handlers = Pick<PagePreviewProps, 'onLoad' | 'onError' | 'onRefresh'>

/** Functions of a `'use server'` file, which browsers may call. */
const isServerAction = (value: unknown) => typeof value === 'function' && '$$typeof' in value

const serverActions = (handlers: Handlers): Handlers =>
  Object.fromEntries(Object.entries(handlers).filter(([, handler]) => isServerAction(handler)))

const DEFAULT_TIME_LIMIT_MS = 2_000

/**
 * Requests a page once, without retries and for a limited time.
 *
 * @returns  `undefined` after a failure, which is reported to `onError` and, in development, to the console.
 */
async function fetchOnServer(
  request: PreviewRequest,
  { server, layout, onError }: PagePreviewProps & { server: ServerOptions },
): Promise<ServerResult | undefined> {
  const { timeLimit = DEFAULT_TIME_LIMIT_MS } = server
  const missing = request.error ? undefined : missingSetting(request, server)
  if (missing) {
    if (process.env.NODE_ENV !== 'production') warnOnce(missing, 'PagePreview')
    return undefined
  }
  const checked = { component: 'PagePreview', request, layout, endpoint: request.url }
  const signal = AbortSignal.timeout(timeLimit)
  // Raced as well, because a caller's own `fetch` may ignore the signal.
  const timeout = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(timeoutError(timeLimit)))
  })
  const response = requestPage(request, { fetch: server.fetch, retry: 0, signal })
  try {
    const result = trackRevalidation(await Promise.race([response, timeout]), undefined)
    warnOfPreview(checked)
    return { result, receivedAt: Date.now(), cacheKey: request.queryKey[3] }
  } catch (cause) {
    if (!isPageError(cause)) throw cause
    const error = cause.code === 'EABORTED' ? timeoutError(timeLimit) : cause
    warnOfPreview({ ...checked, error })
    if (!isServerAction(onError)) onError?.(error)
    return undefined
  }
}

const timeoutError = (timeLimitMs: number) =>
  new PageError(
    'ETIMEOUTCLIENT',
    `The service did not respond within ${timeLimitMs} ms, so the browser fetches this preview; raise \`server.timeLimit\` to wait longer.`,
  )

/** What a server component needs to request a page, and was not given. */
function missingSetting({ url }: PreviewRequest, { fetch, apiKey }: ServerOptions): string | undefined {
  if (!fetch && url.startsWith('/'))
    return (
      `A server cannot request the relative endpoint ${url.split('?', 1)[0]}, so the browser fetches this preview. ` +
      'Set `server={{ fetch: proxy.fetch }}` with the `createProxy` that this app mounts there, ' +
      "or `server={{ endpoint: 'https://previews.example.com' }}`."
    )
  if (apiKey === '')
    return '`server.apiKey` is empty, so the browser fetches this preview. Is its environment variable set?'
  return undefined
}
