import type { RequestLog } from '../log/index.js'
import { traceRequest } from '../tracing/index.js'
import { unlessClientLeft } from './client-left-error.js'
import type { Metrics } from './metrics.js'
import type { CreateRequestContext } from './request-context.js'
import type { Router } from './router.js'

export interface ObserveRequestsOptions {
  createRequestContext: CreateRequestContext
  metrics: Metrics
  requestLog: RequestLog
}

/** Gives each request its context, and records its response in metrics, log and trace. */
export function observeRequests(
  router: Router,
  { createRequestContext, metrics, requestLog }: ObserveRequestsOptions,
): void {
  router.use(async (c, next) => {
    const { method, url } = c.req
    const request = createRequestContext({
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
