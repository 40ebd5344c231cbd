import type { AppParts } from './app-parts.js'
import type { RawRequest, RawResponse } from './received-request.js'
import { matchesEtag } from './response.js'
import { perRequestHeaders } from './response-headers.js'

/**
 * Responds to repeated requests of the free host from memory, synchronously and without router, `Request` and `Response`,
 * which would cost more than everything else.
 *
 * @returns  A function that returns `undefined` where the response or the client's quota is not in memory.
 */
export function cachedResponder({
  responseCache,
  dailyLimit,
  receive,
  metrics,
  requestLog: { recordAccess },
  parts: { clock },
}: AppParts): (request: RawRequest) => RawResponse | undefined {
  return (raw) => {
    const { method, url, ifNoneMatch, acceptEncoding, allowedHosts } = raw
    const cached = method === 'GET' && allowedHosts === undefined ? responseCache.get(url, acceptEncoding) : undefined
    if (!cached) return undefined
    const request = receive(raw)
    const { requestId, traceParent, startedAt, plan, client } = request
    const quota = plan === 'free' ? dailyLimit.recentState(client) : undefined
    if (!quota) return undefined
    const { result, etag, body } = cached
    const isNotModified = matchesEtag(ifNoneMatch, etag)
    const status = isNotModified ? 304 : 200
    const ownHeaders = perRequestHeaders(result, request, quota, clock())
    const headers = ownHeaders.concat(isNotModified ? cached.headers : cached.headersWithLength)
    const { cacheStatus } = result
    metrics.recordResponse({ status, cacheStatus, startedAt })
    const traceId = traceParent?.traceId
    recordAccess?.({ method: 'GET', url, status, cacheStatus, requestId, traceId, client, startedAt })
    return { status, headers, body: isNotModified ? undefined : body }
  }
}
