import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PageError } from '../query/index.js'
import { assetsDir, playgroundDir } from './asset-folders.js'
import { createBrowser, findBrowserUser, isRemoteBrowser, type Browser } from './browser/index.js'
import {
  createApp,
  createMetrics,
  errorResponse,
  requestIdOf,
  type App,
  type AppOptions,
  type Connection,
  type RawRequest,
  type RawResponse,
} from './http/index.js'
import { watchEventLoop } from './event-loop/index.js'
import { createImages, findImageUser } from './images/index.js'
import { createNegativeCache, createRevalidations, createSingleFlight } from './jobs/index.js'
import { createKeyVerifier, openSigningKeyCipher } from './keys/index.js'
import { createLogger, createRequestLog, type Logger, type RequestLog } from './log/index.js'
import {
  createDispatcher,
  createGuard,
  createPageProxies,
  openDenyList,
  restrictGuard,
  startEgressProxy,
} from './network/index.js'
import { createDocumentReader, createFetchQueue, fetchImage } from './page/index.js'
import { createStateCounter, type ResultContext } from './results/index.js'
import type { ServiceOptions } from './service-options.js'
import {
  checkAllowances,
  describePurge,
  ensureDataDir,
  isRedisUrl,
  openStore,
  traceStore,
  type PurgeableStore,
} from './store/index.js'
import { version } from './version.js'

/** The service without a listener: a function from `Request` to `Response`. */
export interface Service {
  /** Handles one request; never rejects. */
  fetch(request: Request, connection?: Connection): Promise<Response>
  /** For listeners: the response from the in-memory response cache, or `undefined` when `fetch` has to handle the request. */
  cachedResponse(request: RawRequest): RawResponse | undefined
  /** Handles one request of the operator: `/healthz`, `/readyz` or `/metrics`; never rejects. Anybody else must not reach it. */
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

const DEFAULT_STORE_BYTES = 5e9
const DEFAULT_DAILY_LIMIT = 250

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

interface Components {
  browser: Browser
  app: App
  stop(): Promise<void>
}

async function startComponents(
  options: ServiceOptions & Required<Pick<ServiceOptions, 'log'>>,
  observed: Pick<AppOptions, 'requestLog' | 'metrics' | 'isDraining'>,
): Promise<Components> {
  const { clock = Date.now, log } = options
  const temporaryDir = options.dataDir ? undefined : await mkdtemp(join(tmpdir(), 'page-preview-'))
  const dataDir = await ensureDataDir(options.dataDir ?? temporaryDir)
  const cipher = await openSigningKeyCipher(options, await keyFolder(options, dataDir))
  const denyList = await openDenyList({
    hosts: options.denyHosts,
    file: options.denyFile,
    onError: (error) =>
      log.error({ event: 'deny-file-not-read', reason: String(error) }, 'the hosts denied before stay denied'),
  })
  const opened = await openServiceStore(options, { dataDir, clock, log })
  const guard = createGuard({
    allowTargets: options.allowTargets,
    denyTargets: options.denyTargets,
    isDeniedHost: (hostname) => denyList.includes(hostname),
  })
  const store = traceStore(checkAllowances(opened, (allowance) => guard.isAllowed(allowance)))
  const dispatcher = createDispatcher(guard)
  const proxy = await startEgressProxy(guard)
  const documents = createDocumentReader()
  const images = createImages({ user: await imageUser(options, log) })
  const eventLoop = watchEventLoop(options.logLevel ?? 'silent')
  const { proxyHost, proxyPublicHost = proxyHost } = options
  const requireCredentials = [options.browser ?? []].flat().some(isRemoteBrowser)
  const pageProxies = createPageProxies(
    guard,
    requireCredentials ? { host: proxyHost, publicHost: proxyPublicHost, requireCredentials } : {},
  )
  const browser = createBrowser({
    executable: options.browser,
    proxyHost: proxyPublicHost,
    proxyUrl: proxy.url,
    openProxy: () => pageProxies.open(),
    guard,
    fetchImage: (url, signal, allowHosts) =>
      fetchImage(url, { guard: restrictGuard(guard, allowHosts), dispatcher, signal }),
    images,
    concurrency: options.concurrency,
    queue: options.queue,
    onWaited: (waitedMs) => observed.metrics.recordQueueWait(waitedMs),
    browserUser: options.browserUser,
    allowUnsandboxed: options.allowUnsandboxed,
    log: ({ level, ...event }) => (level === 'warn' ? log.warn(event, 'browser') : log.info(event, 'browser')),
  })
  const revalidations = createRevalidations({ clock, claims: store })
  const failures = createNegativeCache({ clock })
  store.onPurge((purges) => {
    failures.clear()
    for (const purged of purges.flatMap((purge) => describePurge(purge) ?? []))
      log.info({ event: 'purged', ...purged }, 'results were purged, by this instance or another one')
  })
  const flights: ResultContext['flights'] = createSingleFlight()
  const extraction = { guard, dispatcher, fetchQueue: createFetchQueue(), documents, browser, images, store }
  const stateCounter = createStateCounter(log)
  const context = { ...extraction, stateCounter, revalidations, flights, failures, clock }
  const components: Components = {
    browser,
    app: createServiceApp(options, {
      context,
      keys: createKeyVerifier({ store, cipher, log }),
      eventLoop,
      ...observed,
    }),
    async stop() {
      denyList.close()
      await revalidations.close()
      await Promise.all([browser.close(), images.close()])
      await Promise.all([
        documents.close(),
        eventLoop.close(),
        pageProxies.close(),
        proxy.close(),
        dispatcher.destroy(),
        store.close(),
      ])
      if (temporaryDir) await rm(temporaryDir, { recursive: true, force: true })
    },
  }
  try {
    if (options.warm) await browser.warm()
  } catch (error) {
    await components.stop()
    throw error
  }
  return components
}

/** Where the browser has no user of its own, it does not start either, or runs as root with a warning. */
async function imageUser({ browserUser }: ServiceOptions, log: Logger) {
  const user = await findBrowserUser(browserUser).catch(() => undefined)
  return findImageUser(user, { warn: (event) => log.warn(event, 'images') })
}

async function openServiceStore(
  { storeMaxBytes = DEFAULT_STORE_BYTES, redis, redisPrefix, s3, keys }: ServiceOptions,
  { dataDir, clock, log }: { dataDir: string; clock: () => number; log: Logger },
): Promise<PurgeableStore> {
  const store = await openStore({
    dataDir,
    maxBytes: storeMaxBytes,
    redis,
    redisPrefix,
    s3,
    keys,
    clock,
    onEvent: (event) => log.warn({ ...event }, 'store'),
    onError: (error) => log.error({ error: String(error) }, 'background operation of the store failed'),
  })
  if (redis && !s3)
    log.warn(
      { event: 'images-on-this-machine' },
      'images are stored on this machine only, so other instances cannot serve them; set --s3 on all instances',
    )
  if (redis && keys === undefined)
    log.warn(
      { event: 'keys-in-cache' },
      'API keys are in the Redis of the cache, where FLUSHALL or eviction deletes them; set --keys to a Redis with persistence or to a folder',
    )
  return store
}

/** The folder that has API keys, and the signing secret next to them; `undefined` when they are in Redis. */
async function keyFolder({ redis, keys }: ServiceOptions, dataDir: string): Promise<string | undefined> {
  if (keys === undefined) return redis === undefined ? dataDir : undefined
  return isRedisUrl(keys) ? undefined : ensureDataDir(keys)
}

const createServiceApp = (
  options: ServiceOptions,
  components: Pick<AppOptions, 'context' | 'keys' | 'requestLog' | 'metrics' | 'eventLoop' | 'isDraining'>,
): App =>
  createApp({
    ...components,
    freeDailyLimit: options.freeDailyLimit ?? DEFAULT_DAILY_LIMIT,
    trustProxy: options.trustProxy ?? 0,
    publicUrl: options.publicUrl,
    proPublicUrl: options.proPublicUrl,
    proHost: options.proHost,
    hasAdminPort: options.hasAdminPort ?? false,
    examples: options.examples ?? [],
    assetsDir,
    playgroundDir,
    version,
  })
