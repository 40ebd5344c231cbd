import { Hono } from 'hono'
import { getPath } from 'hono/utils/url'
import { PageError } from '../../query/index.js'
import { createDailyLimit } from '../budget/index.js'
import { createKeyLimits } from '../keys/index.js'
import { createImageVariants } from '../media/index.js'
import { addActivityMetrics } from './activity-metrics.js'
import type { AppOptions } from './app-options.js'
import { assetRoutes } from './asset-routes.js'
import { cachedResponder } from './cached-responder.js'
import type { Connection } from './connection.js'
import { preflightHeaders } from './cors.js'
import { createErrorHandler } from './error-handler.js'
import { notFoundError } from './error-response.js'
import { imageRoutes } from './image-routes.js'
import { observeRequests } from './observe-requests.js'
import { oembedRoute } from './oembed-route.js'
import { operationalRoutes } from './operational-routes.js'
import { createPageHandler } from './page-handler.js'
import { pageRoute } from './page-route.js'
import { purgeRoute } from './purge-route.js'
import type { RawRequest, RawResponse } from './raw-message.js'
import { startInTurn } from './request-turns.js'
import { requestContextFactory } from './request-context.js'
import { createRequestQuota } from './request-quota.js'
import type { Router } from './router.js'

export interface App {
  /** Handles a request by its route; never rejects. */
  fetch(request: Request, connection?: Connection): Promise<Response>
  /** The response from the in-memory response cache; `undefined` when `fetch` has to handle the request. */
  cachedResponse(request: RawRequest): RawResponse | undefined
  /** Handles a request to the admin port; never rejects. */
  fetchAdmin(request: Request, connection?: Connection): Promise<Response>
}

/**
 * Longer than any route. The router looks paths up in a table, and V8 hashes strings of more than 16,383 characters by their
 * length alone.
 */
const MAX_PATH_CHARS = 1_024

/** The HTTP interface of the service: all routes as one function from request to response. */
export function createApp(options: AppOptions): App {
  const { context, keys, requestLog, metrics, freeDailyLimit } = options
  const { store, clock } = context
  const dailyLimit = createDailyLimit(store, { limit: freeDailyLimit, clock })
  const quota = createRequestQuota(dailyLimit)
  const createRequestContext = requestContextFactory(options)
  const variants = createImageVariants(context)
  const keyLimits = createKeyLimits({ store, clock })
  const pages = createPageHandler({ ...options, keyLimits, variants })
  const router = createRouter()
  const adminRouter = createRouter()

  addActivityMetrics(metrics, context)
  for (const each of [router, adminRouter]) observeRequests(each, { createRequestContext, metrics, requestLog })
  startInTurn(router)
  router.options('*', () => new Response(null, { status: 204, headers: preflightHeaders }))
  pageRoute(router, pages, quota)
  oembedRoute(router, options, { pages, quota })
  imageRoutes(router, { store, clock, variants, quota, keys, keyLimits })
  operationalRoutes({ router, adminRouter }, options, metrics)
  purgeRoute(adminRouter, context)
  assetRoutes(router, options)
  for (const each of [router, adminRouter]) {
    addFallback(each)
    each.onError(createErrorHandler(quota))
  }

  return {
    fetch: async (request, connection = {}) => router.fetch(request, connection),
    fetchAdmin: async (request, connection = {}) => adminRouter.fetch(request, connection),
    cachedResponse: cachedResponder({ pages, dailyLimit, createRequestContext, metrics, requestLog, clock }),
  }
}

const createRouter = (): Router => new Hono({ getPath: (request) => getPath(request).slice(0, MAX_PATH_CHARS) })

function addFallback(router: Router): void {
  router.all('*', (c) => {
    if (!['GET', 'HEAD'].includes(c.req.method))
      throw new PageError('EMETHOD', 'Only GET, HEAD and OPTIONS are supported.')
    throw notFoundError(c.req.path)
  })
}
