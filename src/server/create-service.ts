import { PageError } from '../query/index.js'
import type { Browser } from './browser/index.js'
import {
  createMetrics,
  errorResponse,
  requestIdOf,
  type App,
  type Connection,
  type RawRequest,
  type RawResponse,
} from './http/index.js'
import { createLogger, createRequestLog, type RequestLog } from './log.js'
import type { ServiceOptions } from './service-options.js'
import { startComponents } from './start-components.js'

/** The service without a listener: a function from `Request` to `Response`. */
export interface Service {
  /** Handles one request; never rejects. */
  fetch(request: Request, connection?: Connection): Promise<Response>
  /** For listeners: the response from the in-memory response cache, or `undefined` when `fetch` has to handle the request. */
  cachedResponse(request: RawRequest): RawResponse | undefined
  /** Handles one request of the operator: `/healthz`, `/readyz` or `/metrics`; never rejects. It must not be public. */
  fetchAdmin(request: Request, connection?: Connection): Promise<Response>
  /** Resolves when store and network are set up; rejects with the reason when they cannot be. */
  ready(): Promise<void>
  /** Number of pages captured since the start. */
  captures(): number
  /** Lets `/readyz` respond with 503 from now on, so that load balancers send no more requests; those that come are served. */
  startDraining(): void
  /** Rejects new requests with `EBUSY`, finishes the running ones, then closes the browser, sockets and temporary files. */
  close(): Promise<void>
}

/** Creates the service. It returns immediately: a failed start-up rejects `ready()` and fails every request. */
export function createService(options: ServiceOptions = {}): Service {
  const running = new Set<Promise<Response>>()
  let isDraining = false
  let isClosed = false
  let closing: Promise<void> | undefined
  const { log = createLogger(options.logLevel ?? 'silent'), accessLog = false } = options
  const requestLog = createRequestLog({ log, accessLog })
  const starting = startComponents(
    { ...options, log },
    {
      requestLog,
      metrics: createMetrics(),
      isDraining: () => isDraining,
    },
  )
  let browser: Browser | undefined
  let app: App | undefined
  const ready = starting.then((components) => void ({ browser, app } = components))
  // The error surfaces in `ready()` and in every response; unhandled here, it would end the process.
  ready.catch(() => undefined)

  const respond = async (route: 'fetch' | 'fetchAdmin', request: Request, connection?: Connection) => {
    const startedAt = performance.now()
    try {
      if (isClosed)
        throw new PageError('EBUSY', 'The service is shutting down; retry in a few seconds.', { retryAfterMs: 5_000 })
      const { app } = await starting
      return await app[route](request, connection)
    } catch (error) {
      return unservedResponse(request, { error, client: connection?.clientAddress ?? '', startedAt, requestLog })
    }
  }

  const handle = (route: 'fetch' | 'fetchAdmin') => async (request: Request, connection?: Connection) => {
    const response = respond(route, request, connection)
    running.add(response)
    try {
      return await response
    } finally {
      running.delete(response)
    }
  }

  return {
    fetch: handle('fetch'),
    fetchAdmin: handle('fetchAdmin'),
    cachedResponse: (request) => (isClosed ? undefined : app?.cachedResponse(request)),
    ready: () => ready,
    captures: () => browser?.captures() ?? 0,
    startDraining() {
      isDraining = true
    },
    close() {
      isDraining = true
      isClosed = true
      closing ??= Promise.allSettled(running)
        .then(async () => (await starting.catch(() => undefined))?.stop())
        .finally(() => requestLog.close())
      return closing
    },
  }
}

/** The response, and the line of the log, to a request that no route handles: the start failed, or the service is closed. */
function unservedResponse(
  { method, url, headers }: Request,
  { requestLog, ...failure }: { error: unknown; client: string; startedAt: number; requestLog: RequestLog },
): Response {
  const requestId = requestIdOf(headers.get('x-request-id'))
  const response = errorResponse(failure.error, { requestId, base: new URL(url).origin })
  response.headers.set('x-request-id', requestId)
  const { status } = response
  requestLog.recordFailure({ method, url, status, cacheStatus: 'none', requestId, traceId: undefined, ...failure })
  return response
}
