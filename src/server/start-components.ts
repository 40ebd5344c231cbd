import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { assetsDir, playgroundDir } from './asset-folders.js'
import { createBrowser, findBrowserUser, isRemoteBrowser, type Browser } from './browser/index.js'
import { createByteBudget, createOwnerHash } from './budget/index.js'
import { createApp, type App, type AppOptions, type Metrics } from './http/index.js'
import { createImages, findImageUser, type Images } from './images/index.js'
import { createNegativeCache, createRevalidations, createSingleFlight } from './jobs/index.js'
import { createKeyVerifier, openSigningKeyCipher } from './keys/index.js'
import type { Logger } from './log.js'
import {
  createDispatcher,
  createGuard,
  createPageProxies,
  openDenyList,
  restrictGuard,
  type DenyList,
  type Guard,
} from './network/index.js'
import { createDocumentReader, createFetchQueue, fetchImage } from './page/index.js'
import { createStateCounter, type ServiceParts } from './results/index.js'
import { serveOptions } from './serve-options.js'
import type { ServiceOptions } from './service-options.js'
import { describePurge, ensureDataDir, isRedisUrl, openStore, type PurgeableStore } from './store/index.js'
import { version } from './version.js'
import { watchEventLoop, type EventLoopWatch } from './watch-event-loop.js'

/** A started service. */
export interface Components {
  browser: Browser
  app: App
  /** Stops everything, and removes temporary files. */
  stop(): Promise<void>
}

type LoggedOptions = ServiceOptions & Required<Pick<ServiceOptions, 'log'>>
type Network = Awaited<ReturnType<typeof startNetwork>>

const DEFAULT_STORE_BYTES = serveOptions.storeMax.parse(serveOptions.storeMax.default)
const DEFAULT_DAILY_LIMIT = serveOptions.freeDailyLimit.default

/**
 * Opens the store and the network, and creates everything that uses them.
 *
 * @throws  {Error} when one of them cannot be opened, or with `warm` when the browser needs its sandbox and cannot have it.
 */
export async function startComponents(
  options: LoggedOptions,
  observed: Pick<AppOptions, 'requestLog' | 'metrics' | 'isDraining'>,
): Promise<Components> {
  const { clock = Date.now, log } = options
  const temporaryDir = options.dataDir ? undefined : await mkdtemp(join(tmpdir(), 'page-preview-'))
  const dataDir = await ensureDataDir(options.dataDir ?? temporaryDir)
  const cipher = await openSigningKeyCipher(options, await keyFolder(options, dataDir))
  const denyList = await openServiceDenyList(options)
  const network = await startNetwork(options, denyList)
  const { guard, dispatcher } = network
  const store = await openServiceStore(options, { dataDir, guard, clock, log })
  const images = createImages({ user: await imageUser(options, log) })
  const eventLoop = watchEventLoop(options.logLevel ?? 'silent')
  const browser = createServiceBrowser(options, { network, images, metrics: observed.metrics })
  const parts: ServiceParts = {
    guard,
    dispatcher,
    fetchQueue: createFetchQueue(),
    byteBudget: createByteBudget(),
    documents: createDocumentReader(),
    browser,
    images,
    store,
    stateCounter: createStateCounter(log),
    revalidations: createRevalidations({ clock, claims: store }),
    flights: createSingleFlight(),
    failures: createNegativeCache({ clock }),
    ownerOf: createOwnerHash(),
    clock,
  }
  observePurges(parts, log)
  const keys = createKeyVerifier({ store, cipher, log })
  const app = createServiceApp(options, { parts, keys, eventLoop, ...observed })
  const stop = () => stopComponents(parts, { network, eventLoop, temporaryDir })
  try {
    if (options.warm) await browser.warm()
  } catch (error) {
    await stop()
    throw error
  }
  return { browser, app, stop }
}

async function stopComponents(
  { revalidations, browser, images, documents, store }: ServiceParts,
  {
    network,
    eventLoop,
    temporaryDir,
  }: { network: Network; eventLoop: EventLoopWatch; temporaryDir: string | undefined },
): Promise<void> {
  await revalidations.close()
  await Promise.all([browser.close(), images.close()])
  await Promise.all([documents.close(), eventLoop.close(), network.close(), store.close()])
  if (temporaryDir) await rm(temporaryDir, { recursive: true, force: true })
}

const openServiceDenyList = ({ denyHosts, denyFile, log }: LoggedOptions): Promise<DenyList> =>
  openDenyList({
    hosts: denyHosts,
    file: denyFile,
    onError: (error) =>
      log.error({ event: 'deny-file-not-read', reason: String(error) }, 'the hosts denied before stay denied'),
  })

/** The guard, and the two ways by which requests pass it: the dispatcher for the service, the proxies for the browser. */
async function startNetwork(
  { allowTargets, denyTargets, browser, proxyHost, proxyPublicHost = proxyHost }: ServiceOptions,
  denyList: DenyList,
) {
  const guard = createGuard({ allowTargets, denyTargets, isDeniedHost: (hostname) => denyList.includes(hostname) })
  const dispatcher = createDispatcher(guard)
  const requireCredentials = [browser ?? []].flat().some(isRemoteBrowser)
  const pageProxies = createPageProxies(
    guard,
    requireCredentials ? { host: proxyHost, publicHost: proxyPublicHost, requireCredentials } : {},
  )
  return {
    guard,
    dispatcher,
    pageProxies,
    async close() {
      denyList.close()
      await Promise.all([pageProxies.close(), dispatcher.destroy()])
    },
  }
}

function createServiceBrowser(
  { log, proxyHost, proxyPublicHost = proxyHost, ...options }: LoggedOptions,
  { network, images, metrics }: { network: Network; images: Images; metrics: Metrics },
): Browser {
  const { guard, dispatcher, pageProxies } = network
  return createBrowser({
    executable: options.browser,
    proxyPublicHost,
    openProxy: () => pageProxies.open(),
    guard,
    fetchImage: (url, signal, allowedHosts) =>
      fetchImage(url, { guard: restrictGuard(guard, allowedHosts), dispatcher, signal }),
    images,
    concurrency: options.concurrency,
    queue: options.queue,
    onWaited: (waitedMs) => metrics.recordQueueWait(waitedMs),
    browserUser: options.browserUser,
    allowUnsandboxed: options.allowUnsandboxed,
    log: ({ level, ...event }) => (level === 'warn' ? log.warn(event, 'browser') : log.info(event, 'browser')),
  })
}

/** Cached failures may be those of purged pages. */
function observePurges({ store, failures }: ServiceParts, log: Logger): void {
  store.onPurge((purges) => {
    failures.clear()
    for (const purged of purges.flatMap((purge) => describePurge(purge) ?? []))
      log.info({ event: 'purged', ...purged }, 'results were purged, by this instance or another one')
  })
}

/** Where the browser has no user of its own, it does not start either, or runs as root with a warning. */
async function imageUser({ browserUser }: ServiceOptions, log: Logger) {
  const user = await findBrowserUser(browserUser).catch(() => undefined)
  return findImageUser(user, { warn: (event) => log.warn(event, 'images') })
}

async function openServiceStore(
  { storeMaxBytes = DEFAULT_STORE_BYTES, redis, redisPrefix, s3, keys }: ServiceOptions,
  { dataDir, guard, clock, log }: { dataDir: string; guard: Guard; clock: () => number; log: Logger },
): Promise<PurgeableStore> {
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
    onError: (error) =>
      log.error({ event: 'store-error', error: String(error) }, 'background operation of the store failed'),
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
  observed: Pick<AppOptions, 'parts' | 'keys' | 'requestLog' | 'metrics' | 'eventLoop' | 'isDraining'>,
): App =>
  createApp({
    ...observed,
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
