import type { DailyLimit } from '../budget/index.js'
import { matchesEtag } from './etag.js'
import type { RequestLog } from '../log/index.js'
import type { Metrics } from './metrics.js'
import type { PageHandler } from './page-handler.js'
import type { RawRequest, RawResponse } from './raw-message.js'
import type { CreateRequestContext } from './request-context.js'
import { perRequestHeaders } from './response-headers.js'

export interface CachedResponseSources {
  pages: PageHandler
  dailyLimit: DailyLimit
  createRequestContext: CreateRequestContext
  metrics: Metrics
  requestLog: RequestLog
  clock: () => number
}

/**
 * Responds to repeated requests of the free host from memory, synchronously and without router, `Request` and `Response`,
 * which would cost more than everything else.
 *
 * @returns  A function that returns `undefined` where the response or the client's quota is not in memory.
 */
export function cachedResponder({
  pages,
  dailyLimit,
  createRequestContext,
  metrics,
  requestLog: { recordAccess },
  clock,
}: CachedResponseSources): (request: RawRequest) => RawResponse | undefined {
  return (request) => {
    const { method, url, ifNoneMatch, acceptEncoding, allowHosts } = request
    const cached = method === 'GET' && allowHosts === undefined ? pages.cachedResponse(url, acceptEncoding) : undefined
    if (!cached) return undefined
    const { requestId, traceParent, startedAt, plan, client } = createRequestContext(request)
    const quota = plan === 'free' ? dailyLimit.recentState(client) : undefined
    if (!quota) return undefined
    const { result, etag, body } = cached
    const isNotModified = matchesEtag(ifNoneMatch, etag)
    const status = isNotModified ? 304 : 200
    const ownHeaders = perRequestHeaders(result, { requestId, startedAt, plan, quota }, clock())
    const headers = ownHeaders.concat(isNotModified ? cached.headers : cached.headersWithLength)
    const { cacheStatus } = result
    metrics.recordResponse({ status, cacheStatus, startedAt })
    const traceId = traceParent?.traceId
    recordAccess?.({ method: 'GET', url, status, cacheStatus, requestId, traceId, client, startedAt })
    return { status, headers, body: isNotModified ? undefined : body }
  }
}
