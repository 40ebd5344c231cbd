import type { DailyLimit } from '../budget/index.js'
import { matchesEtag } from './etag.js'
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
  clock,
}: CachedResponseSources): (request: RawRequest) => RawResponse | undefined {
  return ({ method, url, ifNoneMatch, acceptEncoding, forwardedFor, allowHosts, ...connection }) => {
    const cached = method === 'GET' && allowHosts === undefined ? pages.cachedResponse(url, acceptEncoding) : undefined
    if (!cached) return undefined
    const { requestId, startedAt, plan, client } = createRequestContext(url, forwardedFor, connection)
    const quota = plan === 'free' ? dailyLimit.recentState(client) : undefined
    if (!quota) return undefined
    const { result, etag, body } = cached
    const isNotModified = matchesEtag(ifNoneMatch, etag)
    const status = isNotModified ? 304 : 200
    const ownHeaders = perRequestHeaders(result, { requestId, startedAt, plan, quota }, clock())
    const headers = ownHeaders.concat(isNotModified ? cached.headers : cached.headersWithLength)
    metrics.recordResponse({ status, cacheStatus: result.cacheStatus, startedAt })
    return { status, headers, body: isNotModified ? undefined : body }
  }
}
