import { Hono } from 'hono'
import { getPath } from 'hono/utils/url'
import { PageError } from '../../query/index.js'
import { createDailyLimit } from '../budget/index.js'
import { createImageVariants } from '../media/index.js'
import type { AppOptions, AppParts } from './app-parts.js'
import { assetRoutes } from './asset-routes.js'
import { cachedResponder } from './cached-responder.js'
import { createCompressor } from './content-coding.js'
import { createErrorHandler, notFoundError } from './error-response.js'
import { imageRoutes } from './image-routes.js'
import { observeRequests } from './observe-requests.js'
import { oembedRoute } from './oembed.js'
import { operationalRoutes } from './operational-routes.js'
import { pageRoute } from './page-route.js'
import { createReceiver, type Connection, type RawRequest, type RawResponse } from './received-request.js'
import { createRequestScopes } from './request-scopes.js'
import { startInTurn } from './request-turns.js'
import { createResponseCache } from './response-cache.js'
import { preflightHeaders } from './response-headers.js'
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
  const app = createParts(options)
  const router = createRouter()
  const adminRouter = createRouter()

  for (const each of [router, adminRouter]) observeRequests(each, app)
  startInTurn(router)
  router.options('*', () => new Response(null, { status: 204, headers: preflightHeaders }))
  pageRoute(router, app)
  oembedRoute(router, app)
  imageRoutes(router, app)
  operationalRoutes({ router, adminRouter }, app)
  assetRoutes(router, app)
  for (const each of [router, adminRouter]) {
    addFallback(each)
    each.onError(createErrorHandler(app.dailyLimit))
  }

  return {
    fetch: async (request, connection = {}) => router.fetch(request, connection),
    fetchAdmin: async (request, connection = {}) => adminRouter.fetch(request, connection),
    cachedResponse: cachedResponder(app),
  }
}

function createParts(options: AppOptions): AppParts {
  const { store, clock } = options.parts
  const responseCache = createResponseCache(clock)
  store.onPurge(() => responseCache.clear())
  const parts = { ...options.parts, onReplaced: responseCache.replace }
  const dailyLimit = createDailyLimit(store, { limit: options.freeDailyLimit, clock })
  return {
    ...options,
    parts,
    responseCache,
    dailyLimit,
    receive: createReceiver(options),
    scopes: createRequestScopes(parts, options.keys, dailyLimit),
    variants: createImageVariants(parts),
    compress: createCompressor(),
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
