import { EventEmitter } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createBrowser, findBrowserUser, startChromiumUpdates, type Browser } from './browser/index.js'
import { createBatches, openLocalJobs, openRedisJobs, type JobStore } from './batches/index.js'
import { createByteBudget, createOwnerHash, identifyClient } from './budget/index.js'
import { busyError } from './busy-error.js'
import { createRemoteExtractor } from './captures/index.js'
import { closeAfterFailure, closeAll, type Closings } from './closings.js'
import {
  ABOUT_PATH,
  createApp,
  createMetrics,
  createWorkerApp,
  errorResponse,
  requestIdOf,
  type App,
  type Connection,
} from './http/index.js'
import { createHistories } from './history/index.js'
import { createImages, findImageUser } from './images/index.js'
import { createRevalidations, createSingleFlight } from './jobs/index.js'
import { createKeyVerifier, DamagedSigningSecretError, openSigningKeyCipher } from './keys/index.js'
import { createErrorLog, createRequestLog, type LogEvent, type RequestLog } from './log.js'
import {
  botUserAgent,
  createDispatcher,
  createGuard,
  createPageProxies,
  openDenyList,
  restrictGuard,
  type Guard,
} from './network/index.js'
import { createContentReader } from './content/index.js'
import { createOwners, createProofFinder, createRemovedPages } from './owners/index.js'
import { createDocumentReader, createFetchQueue, createRobots, fetchImage } from './page/index.js'
import { createStateCounter } from './page-state/index.js'
import { createLocalExtractor } from './results/index.js'
import { serveFlag } from './serve-options.js'
import { readSecretOption } from './secret-option.js'
import { findRoleMistakes, withDefaults, type ServiceOptions, type ServiceSettings } from './service-options.js'
import {
  dataFiles,
  describePurge,
  ensureDataDir,
  isRedisUrl,
  openStore,
  parseRedisUrl,
  type Store,
} from './store/index.js'
import { tryChromium } from './try-chromium.js'
import { watchEventLoop } from './watch-event-loop.js'

/** The service without a listener: a function from `Request` to `Response`. */
export interface Service extends App {
  /** Resolves when store and network are set up; rejects with the reason when they cannot be. */
  ready(): Promise<void>
  /** Number of pages captured since the start; 0 for a front, which captures none itself. */
  captures(): number
  /** Lets `/readyz` respond with 503 from now on, so that load balancers send no more requests; requests that come anyway are served. */
  startDraining(): void
  /** Rejects new requests with `EBUSY`, finishes the running ones, then closes the browser, sockets and temporary files. */
  close(): Promise<void>
}

/** Creates the service. It returns immediately: a failed start-up rejects `ready()` and fails every request. */
export function createService(options: ServiceOptions = {}): Service {
  const settings = withDefaults(options)
  const requestLog = createRequestLog(settings)
  const running = new Set<Promise<Response>>()
  let isDraining = false
  let isClosed = false
  let closing: Promise<void> | undefined
  const respond = async (route: 'fetch' | 'fetchAdmin', request: Request, connection?: Connection) => {
    const startedAt = performance.now()
    try {
      if (isClosed) throw busyError('The service is shutting down', { retryAfterMs: 5_000 })
      const { app } = await starting
      return await app[route](request, connection)
    } catch (error) {
      const network = identifyClient(
        connection?.peerAddress,
        request.headers.get('x-forwarded-for'),
        settings.trustProxy,
      )
      return unservedResponse(request, { error, network, startedAt, requestLog })
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

  const fetch = handle('fetch')
  const starting = startService({ settings, requestLog, isDraining: () => isDraining, fetch })
  let started: Awaited<typeof starting> | undefined
  const ready = starting.then((service) => void (started = service))
  // The error surfaces in `ready()` and in every response; unhandled here, it would end the process.
  ready.catch(() => undefined)

  return {
    fetch,
    fetchAdmin: handle('fetchAdmin'),
    cachedResponse: (request) => (isClosed ? undefined : started?.app.cachedResponse(request)),
    ready: () => ready,
    captures: () => started?.browser?.status().captures ?? 0,
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
  { requestLog, ...failure }: { error: unknown; network: string; startedAt: number; requestLog: RequestLog },
): Response {
  const requestId = requestIdOf(headers.get('x-request-id'))
  const response = errorResponse(failure.error, { requestId, base: new URL(url).origin })
  response.headers.set('x-request-id', requestId)
  const { status } = response
  requestLog.recordFailure({ method, url, status, cacheStatus: 'none', requestId, traceId: undefined, ...failure })
  return response
}

/**
 * Opens the store and the network, and creates everything that uses them.
 *
 * @returns  With a function that stops everything, and removes temporary files.
 * @throws  {Error} when one of them cannot be opened, or with `warm` when the browser needs its sandbox and cannot have it. What was
 *          opened before is released.
 */
async function startService(context: Omit<Opening, 'closings'>) {
  const closings: Closings = []
  try {
    return { ...(await openService({ ...context, closings })), stop: () => closeAll(closings) }
  } catch (error) {
    return closeAfterFailure(closings, error)
  }
}

/** What is known before anything is opened. */
interface Opening {
  settings: ServiceSettings
  requestLog: RequestLog
  isDraining: () => boolean
  fetch: Service['fetch']
  /** Receives what releases each part, after it was opened. */
  closings: Closings
}

async function openService(opening: Opening): Promise<{ app: App; browser: Browser | undefined }> {
  const [mistake] = findRoleMistakes(opening.settings, (option) => option)
  if (mistake !== undefined) throw new Error(mistake)
  return opening.settings.role === 'worker' ? openWorker(opening) : openFront(opening)
}

/** Everything but the captures, and those too unless workers do them. */
async function openFront(opening: Opening) {
  const { settings, closings, requestLog, isDraining, fetch } = opening
  const { clock, log, role, concurrency } = settings
  const dataDir = await ensureDataDir(settings.dataDir ?? (await createTemporaryDir(closings)))
  const cipher = await openSigningKeyCipher(settings, await keyFolder(settings, dataDir)).catch(unlessDamaged)
  const common = await openCommonParts(opening)
  const { guard, dispatcher, images, byteBudget, metrics, eventLoop } = common
  const store = await openServiceStore(settings, dataDir, guard)
  closings.push(() => store.close())
  const { extractor, worker, workerRequests } =
    role === 'front' ? await openRemoteExtractor(opening) : openLocalExtractor(opening, common)
  const revalidations = createRevalidations({ clock, claims: store.locks })
  closings.push(() => revalidations.close())
  store.purges.onPurge((purges) => {
    for (const purged of purges.flatMap((purge) => describePurge(purge) ?? []))
      log.info({ event: 'purged', ...purged }, 'results were purged, by this instance or another one')
  })
  const finder = createProofFinder({ guard, dispatcher })
  const removedPages = createRemovedPages(store, { finder, clock })
  const owners = createOwners({ guard, store, removedPages, finder, log, clock })
  const batches = createBatches({
    store: await openJobs(settings, dataDir),
    guard,
    dispatcher,
    byteBudget,
    cipher: cipher instanceof DamagedSigningSecretError ? undefined : cipher,
    concurrency: concurrency * PAGES_PER_SLOT,
    mayStart: () => hasRoomForJobs(worker?.browser, concurrency),
    log,
    clock,
  })
  closings.push(() => batches.close())
  const app = createApp({
    guard,
    dispatcher,
    images,
    byteBudget,
    extractor,
    worker,
    workerRequests,
    batches,
    store,
    histories: createHistories(store, images),
    revalidations,
    removedPages,
    owners,
    events: new EventEmitter(),
    flights: createSingleFlight(),
    ownerOf: createOwnerHash(),
    clock,
    settings,
    keys: createKeyVerifier({ apiKeys: store.apiKeys, cipher, log }),
    requestLog,
    metrics,
    eventLoop,
    fetch,
    isDraining,
    // The packages contain the built script tag and playground.
    assetsDir: join(packageFolder('page-preview'), 'dist'),
    playgroundDir: join(packageFolder('page-preview-server'), 'dist/playground'),
  })
  if (settings.warm) await worker?.browser.warm()
  return { app, browser: worker?.browser }
}

/** Captures alone, without a store and without keys. */
async function openWorker(opening: Opening) {
  const { settings, requestLog, isDraining } = opening
  const secret = await readWorkerSecret(settings)
  const common = await openCommonParts(opening)
  const { guard, metrics, eventLoop } = common
  const { extractor, worker } = openLocalExtractor(opening, common)
  const { clock } = settings
  const parts = { settings, guard, extractor, worker, secret, clock, requestLog, metrics, eventLoop, isDraining }
  const app = createWorkerApp(parts)
  if (settings.warm) await worker.browser.warm()
  return { app, browser: worker.browser }
}

/** What every role has: its way to the network, the processes that read images, and what it reports of itself. */
async function openCommonParts({ settings, closings }: Opening) {
  const network = await openNetwork(settings, closings)
  const images = createImages({ user: await imageUser(settings) })
  const eventLoop = watchEventLoop(settings.logLevel)
  closings.push(() => Promise.all([images.close(), eventLoop.close()]))
  return { ...network, images, eventLoop, byteBudget: createByteBudget(), metrics: createMetrics() }
}

type CommonParts = Awaited<ReturnType<typeof openCommonParts>>

/** What captures pages on this machine. */
function openLocalExtractor({ settings, closings }: Opening, common: CommonParts) {
  const { clock, log, concurrency, maxQueue, browserUser, allowUnsandboxed } = settings
  const { guard, dispatcher, pageProxies, images, byteBudget, metrics } = common
  const documents = createDocumentReader()
  closings.push(() => documents.close())
  const logBrowserEvent: LogEvent = ({ level, ...event }) =>
    level === 'warn' ? log.warn(event, 'browser') : log.info(event, 'browser')
  const contents = createContentReader()
  closings.push(() => contents.close())
  const browser = createBrowser({
    executable: settings.browser,
    mirror: settings.browserMirror,
    concurrency,
    maxQueue,
    browserUser,
    allowUnsandboxed,
    openProxy: () => pageProxies.open(),
    guard,
    fetchImage: (url, signal, allowedHosts) =>
      fetchImage(url, { guard: restrictGuard(guard, allowedHosts), dispatcher, signal }),
    images,
    onWaited: (waitedMs) => metrics.recordQueueWait(waitedMs),
    log: logBrowserEvent,
  })
  closings.push(() => browser.close())
  const chromiumUpdates = settings.noBrowserUpdate
    ? undefined
    : startChromiumUpdates({
        browser,
        mirror: settings.browserMirror,
        tryOut: (chromium, signal) => tryChromium(chromium, { images, settings, signal }),
        clock,
        log: logBrowserEvent,
      })
  closings.push(() => chromiumUpdates?.close())
  const stateCounter = createStateCounter(log)
  const robots = createRobots({ guard, dispatcher, areIgnored: settings.ignoreOptOut })
  const pageParts = { guard, dispatcher, images, byteBudget, documents, robots, fetchQueue: createFetchQueue() }
  const extractor = createLocalExtractor({ ...pageParts, browser, contents, stateCounter })
  return { extractor, worker: { browser, stateCounter, chromiumUpdates }, workerRequests: undefined }
}

/** What lets workers capture pages. */
async function openRemoteExtractor({ settings, closings }: Opening) {
  const extractor = createRemoteExtractor({ workers: settings.workers!, secret: await readWorkerSecret(settings) })
  closings.push(() => extractor.close())
  return { extractor, worker: undefined, workerRequests: () => extractor.counts() }
}

async function readWorkerSecret({ workerSecret, workerSecretFile }: ServiceSettings): Promise<string> {
  const option = { option: 'workerSecret', name: 'secret of the workers' }
  // Its absence was reported before.
  return (await readSecretOption({ ...option, value: workerSecret, file: workerSecretFile }))!
}

async function createTemporaryDir(closings: Closings): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'page-preview-'))
  closings.push(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** Then only signed URLs are refused. */
function unlessDamaged(error: unknown): DamagedSigningSecretError {
  if (error instanceof DamagedSigningSecretError) return error
  throw error
}

const packageFolder = (name: string) => dirname(fileURLToPath(import.meta.resolve(`${name}/package.json`)))

/** What the user agent names: the page of the service about itself, if the URL of the service is known. */
function botInfoUrlOf({ botInfoUrl, publicUrl, proPublicUrl }: ServiceSettings): string | undefined {
  const base = publicUrl ?? proPublicUrl
  return botInfoUrl ?? (base === undefined ? undefined : base + ABOUT_PATH)
}

/** The guard, and the two ways by which requests pass it: the dispatcher for the service, the proxies for the browser. */
async function openNetwork(settings: ServiceSettings, closings: Closings) {
  const { allowTargets, denyTargets, denyHosts, denyFile, log } = settings
  const { userAgent = botUserAgent(botInfoUrlOf(settings)) } = settings
  const denyList = await openDenyList({
    hosts: denyHosts,
    file: denyFile,
    onError: (error) =>
      log.error({ event: 'deny-file-not-read', reason: String(error) }, 'hosts that were denied before remain denied'),
  })
  closings.push(() => denyList.close())
  const guard = createGuard({ allowTargets, denyTargets, isDeniedHost: (hostname) => denyList.includes(hostname) })
  const dispatcher = createDispatcher(guard, { userAgent })
  const pageProxies = createPageProxies(guard)
  closings.push(() => Promise.all([pageProxies.close(), dispatcher.destroy()]))
  return { guard, dispatcher, pageProxies }
}

/** If there is no such user, the browser does not start either, or runs as root with a warning. */
async function imageUser({ browserUser, log }: ServiceSettings) {
  const user = await findBrowserUser(browserUser).catch(() => undefined)
  return findImageUser(user, { warn: (event) => log.warn(event, 'images') })
}

async function openServiceStore(settings: ServiceSettings, dataDir: string, guard: Guard): Promise<Store> {
  const { storeMaxBytes, redis, redisPrefix, s3, keys, clock, log } = settings
  const store = await openStore({
    dataDir,
    maxBytes: storeMaxBytes,
    redis,
    redisPrefix,
    s3,
    keys,
    clock,
    isAllowed: (allowance) => guard.isAllowed(allowance),
    onEvent: (event) => log.warn({ ...event }, 'store'),
    onError: createErrorLog(log, { event: 'store-error', message: 'background operation of the store failed' }),
  })
  if (redis && !s3)
    log.warn(
      { event: 'images-on-this-machine' },
      `images are stored on this machine only, so other instances cannot serve them; set ${serveFlag('s3')} on all instances`,
    )
  if (redis && keys === undefined)
    log.warn(
      { event: 'keys-in-cache' },
      `API keys are in the Redis of the cache, where FLUSHALL or eviction deletes them; set ${serveFlag('keys')} to a Redis with persistence or to a folder`,
    )
  return store
}

/** The folder that has API keys, and the signing secret next to them; `undefined` when they are in Redis. */
async function keyFolder({ redis, keys }: ServiceSettings, dataDir: string): Promise<string | undefined> {
  if (keys === undefined) return redis === undefined ? dataDir : undefined
  return isRedisUrl(keys) ? undefined : ensureDataDir(keys)
}

/** Pages of jobs that are worked on, for each that is captured: others are fetched meanwhile, or have no screenshot. */
const PAGES_PER_SLOT = 2

/** Callers that wait for a page come before the pages of jobs. If workers capture them, their balancer sees to that. */
function hasRoomForJobs(browser: Browser | undefined, concurrency: number): boolean {
  if (!browser) return true
  const { queueLength, slots } = browser.status()
  return queueLength === 0 && slots.busy < concurrency
}

async function openJobs({ queue, redisPrefix, clock, log }: ServiceSettings, dataDir: string): Promise<JobStore> {
  const onError = createErrorLog(log, { event: 'jobs-error', message: 'work on jobs failed' })
  if (queue === undefined)
    return openLocalJobs(dataFiles(dataDir).jobDatabase, {
      clock,
      onError,
      onDamaged: (reason) => log.warn({ event: 'jobs-damaged', reason }, 'jobs'),
    })
  return openRedisJobs(parseRedisUrl(queue), {
    prefix: redisPrefix,
    clock,
    onError,
    onEvent: (event, reason) => log.warn({ event, ...(reason && { reason }) }, 'jobs'),
  })
}
