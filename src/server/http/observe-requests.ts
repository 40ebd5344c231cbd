import { traceRequest } from '../tracing/index.js'
import type { AppParts } from './app-parts.js'
import { unlessClientLeft } from './error-response.js'
import type { Router } from './router.js'

/** Identifies each request, and records its response in metrics, log and trace. */
export function observeRequests(router: Router, { receive, metrics, requestLog }: AppParts): void {
  router.use(async (c, next) => {
    const { method, url } = c.req
    const request = receive({
      ...c.env,
      url,
      forwardedFor: c.req.header('x-forwarded-for'),
      requestId: c.req.header('x-request-id'),
      traceparent: c.req.header('traceparent'),
    })
    const { requestId, traceParent, client, startedAt } = request
    c.set('request', request)
    c.set('cacheStatus', 'none')
    await traceRequest({ method, traceParent }, async (traceId) => {
      await next()
      const { status } = c.res
      const { cacheStatus, failure: error } = c.var
      metrics.recordResponse({ status, cacheStatus, startedAt })
      const finished = { method, url, status, cacheStatus, requestId, traceId, client, startedAt, error }
      if (error !== undefined) {
        requestLog.recordFailure(finished)
        metrics.recordError(error)
      }
      requestLog.recordAccess?.(finished)
      return finished
    })
  })
  // Hono handles errors that are an `Error`; the reason of a connection that was closed is a text.
  router.use(async (c, next) => {
    try {
      await next()
    } catch (error) {
      throw unlessClientLeft(error, c.req.raw.signal)
    }
  })
}
