import { setImmediate } from 'node:timers/promises'
import { Hono } from 'hono'
import { getPath } from 'hono/utils/url'
import { PageError } from '../../query/index.js'
import { createFairQueue, type FairQueue } from '../budget/index.js'
import { busyError } from '../busy-error.js'
import { answerCapture, captureFailure, CAPTURES_PATH } from '../captures/index.js'
import { traceRequest } from '../tracing.js'
import { aboutRoute } from './about-bot.js'
import { addAppParts, type AppParts, type ServiceParts, type WorkerAppParts } from './app-parts.js'
import { fileRoutes } from './file-routes.js'
import { jobRoutes } from './job-routes.js'
import { oembedRoute } from './oembed.js'
import { operationalRoutes, workerRoutes } from './operational-routes.js'
import { ownerRoutes } from './owner-routes.js'
import { pageRoute } from './page-route.js'
import { previewsRoute } from './previews-route.js'
import {
  createReceiver,
  type Connection,
  type RawRequest,
  type RawResponse,
  type Receive,
  type ReceivedRequest,
  type Router,
} from './request-scopes.js'
import { errorResponse, notFoundError } from './response.js'
import {
  headersFromList,
  matchesEtag,
  perRequestHeaders,
  preflightHeaders,
  readQuota,
  requestHeaders,
} from './response-headers.js'

export interface App {
  /** Handles one request by its route; never rejects. */
  fetch(request: Request, connection?: Connection): Promise<Response>
  /** For listeners: the response from the in-memory response cache, or `undefined` when `fetch` has to handle the request. */
  cachedResponse(request: RawRequest): RawResponse | undefined
  /** Handles one request of the operator: `/healthz`, `/readyz`, `/metrics` or `DELETE /cache`; never rejects. It must not be public. */
  fetchAdmin(request: Request, connection?: Connection): Promise<Response>
}

/** Longer than any route. The router looks paths up in a table; see `BoundedRequest` for long keys. */
const MAX_PATH_CHARS = 1_024

/** The HTTP interface of the service: all routes as one function from request to response. */
export function createApp(serviceParts: ServiceParts): App {
  const parts = addAppParts(serviceParts)
  const receive = createReceiver(parts.settings)
  const router = createRouter()
  const adminRouter = createRouter()

  const { dailyLimit } = parts
  const respond: RespondToFailure = async (error, request) => {
    const response = errorResponse(error, request)
    const headers = headersFromList(requestHeaders(request, await readQuota(request, dailyLimit)))
    for (const [name, value] of Object.entries(headers)) response.headers.set(name, value)
    return response
  }
  for (const each of [router, adminRouter]) handleRequests(each, receive, respond, parts)
  startInTurn(router)
  router.options('*', () => new Response(null, { status: 204, headers: preflightHeaders }))
  pageRoute(router, parts)
  previewsRoute(router, parts)
  oembedRoute(router, parts)
  fileRoutes(router, parts)
  jobRoutes(router, parts)
  aboutRoute(router, parts)
  if (!parts.settings.ignoreOptOut) ownerRoutes(router, parts)
  operationalRoutes(router, adminRouter, parts)
  for (const each of [router, adminRouter]) addFallback(each)

  return {
    fetch: async (request, connection = {}) => router.fetch(request, connection),
    fetchAdmin: async (request, connection = {}) => adminRouter.fetch(request, connection),
    cachedResponse: cachedResponder(receive, parts),
  }
}

/** The HTTP interface of a worker: captures for fronts, and its state. */
export function createWorkerApp(parts: WorkerAppParts): App {
  const router = createRouter()
  handleRequests(router, createReceiver(parts.settings), captureFailure, parts)
  router.use(CAPTURES_PATH, async (c, next) => {
    await next()
    const { queueLength, slots } = parts.worker.browser.status()
    // A balancer replaces them by those of all workers.
    c.header('x-queue', String(queueLength))
    c.header('x-slots', String(slots.all))
  })
  router.post(CAPTURES_PATH, (c) => answerCapture(c.req.raw, parts))
  workerRoutes(router, parts)
  addFallback(router)
  const fetch: App['fetch'] = async (request, connection = {}) => router.fetch(request, connection)
  return { fetch, fetchAdmin: fetch, cachedResponse: () => undefined }
}

const createRouter = (): Router => new Hono({ getPath: (request) => getPath(request).slice(0, MAX_PATH_CHARS) })

function addFallback(router: Router): void {
  router.all('*', (c) => {
    if (!['GET', 'HEAD'].includes(c.req.method))
      throw new PageError('EMETHOD', 'Only GET, HEAD and OPTIONS are supported.')
    throw notFoundError(c.req.path)
  })
}

/** The response to a request that has failed. */
type RespondToFailure = (error: unknown, request: ReceivedRequest) => Response | Promise<Response>

/** Identifies each request, turns errors of routes into responses, and records the response in metrics, log and trace. */
function handleRequests(
  router: Router,
  receive: Receive,
  respond: RespondToFailure,
  { metrics, requestLog }: Pick<ServiceParts, 'metrics' | 'requestLog'>,
): void {
  router.use(async (c, next) => {
    const { method, url } = c.req
    const request = receive({
      ...c.env,
      url,
      forwardedFor: c.req.header('x-forwarded-for'),
      requestId: c.req.header('x-request-id'),
      traceparent: c.req.header('traceparent'),
    })
    const { requestId, traceParent, network, startedAt } = request
    c.set('request', request)
    c.set('cacheStatus', 'none')
    await traceRequest({ method, traceParent }, async (traceId) => {
      await next()
      const { status } = c.res
      const { cacheStatus, failure: error } = c.var
      metrics.recordResponse({ status, cacheStatus, startedAt })
      const finished = { method, url, status, cacheStatus, requestId, traceId, network, startedAt, error }
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
  router.onError((thrown, c) => {
    const error = unlessClientLeft(thrown, c.req.raw.signal)
    c.set('failure', error)
    return respond(error, c.var.request)
  })
}

/** The status that nginx logs for a client that has closed the connection, and so does not receive it. */
const CLIENT_LEFT_STATUS = 499

/** The error of a request whose client has disconnected; any other error unchanged. */
const unlessClientLeft = (error: unknown, { aborted }: AbortSignal): unknown =>
  aborted
    ? new PageError('EABORTED', 'The client closed the connection before the response.', {
        status: CLIENT_LEFT_STATUS,
        cause: error,
      })
    : error

/** Requests that start in one turn of the event loop. Starting only one per turn would make cheap requests take twice as long. */
const STARTS_PER_TURN = 4
/** The rest is for other clients. */
const STARTS_PER_CLIENT = 2
/** More than the connections of all clients send before they get a response. */
const MAX_WAITING = 10_000

/**
 * Starts few requests per turn of the event loop, clients in turn. However busy one client keeps the main
 * thread, another client waits for at most two of its requests. A request starts at once if few others did in this turn.
 */
function startInTurn(router: Router): void {
  const turns = createFairQueue({
    concurrency: STARTS_PER_TURN,
    maxPerClient: STARTS_PER_CLIENT,
    maxWaiting: MAX_WAITING,
    fullError,
  })
  router.use(async (c, next) => {
    await nextTurn(turns, c.var.request.network, c.req.raw.signal)
    await next()
  })
}

/** Resolves when the client may start a request. Its place is free again in the next turn of the event loop. */
const nextTurn = (turns: FairQueue, network: string, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const useTurn = () => {
      resolve()
      return setImmediate()
    }
    turns.run({ client: network }, useTurn, signal).catch(reject)
  })

const fullError = () => busyError('Too many requests are waiting', { retryAfterMs: 1_000 })

/**
 * Responds to repeated requests of the free host from memory, synchronously and without router, `Request` and `Response`,
 * which would cost more than everything else.
 *
 * @returns  A function that returns `undefined` if the response or the client's quota is not in memory.
 */
function cachedResponder(
  receive: Receive,
  { responseCache, dailyLimit, metrics, requestLog: { recordAccess }, clock }: AppParts,
): (request: RawRequest) => RawResponse | undefined {
  return (raw) => {
    const { method, url, ifNoneMatch, acceptEncoding, allowedHosts } = raw
    const cached = method === 'GET' && allowedHosts === undefined ? responseCache.get(url, acceptEncoding) : undefined
    if (!cached) return undefined
    const request = receive(raw)
    const { requestId, traceParent, startedAt, plan, network } = request
    const quota = plan === 'free' ? dailyLimit.recentState(network) : undefined
    if (!quota) return undefined
    const { result, etag, body } = cached
    const isNotModified = matchesEtag(ifNoneMatch, etag)
    const status = isNotModified ? 304 : 200
    const ownHeaders = perRequestHeaders(result, request, quota, clock())
    const headers = ownHeaders.concat(isNotModified ? cached.headers : cached.headersWithLength)
    const { cacheStatus } = result
    metrics.recordResponse({ status, cacheStatus, startedAt })
    const traceId = traceParent?.traceId
    recordAccess?.({ method: 'GET', url, status, cacheStatus, requestId, traceId, network, startedAt })
    return { status, headers, body: isNotModified ? undefined : body }
  }
}
