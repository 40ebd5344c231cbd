import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PageError } from '../query/index.js'
import { createBrowser, type Browser } from './browser/index.js'
import type { ResultContext } from './results/index.js'
import { createApp, errorResponse, type App, type RawResponse, type RawRequest, type Connection } from './http/index.js'
import { createFailureMemory, createRevalidations, createSingleFlight } from './jobs/index.js'
import { createLog, type Log, type LogLevel } from './log.js'
import { createDispatcher, createGuard, startEgressProxy } from './network/index.js'
import { assetsDir, version } from './package-root.js'
import { fetchImage } from './page/index.js'
import { openStore } from './store/index.js'

/** What a service can be told; the defaults are those of `serve`. */
export interface ServiceOptions {
  /** Where answers, images, counters and keys are kept. Default: a temporary folder that `close()` removes. */
  dataDir?: string | undefined
  /** Address of a Redis, `redis://…`, in which several instances share answers, counters and keys. Default: `dataDir`. */
  redis?: string | undefined
  /**
   * Address of a bucket, `s3://bucket/folder?region=…&endpoint=…`, in which several instances share images; credentials by
   * the usual variables of AWS. `dataDir` then holds copies. Default: `dataDir` alone.
   */
  s3?: string | undefined
  /** Bytes; the least recently used goes first. Default: 5 GB. */
  storeMaxBytes?: number | undefined
  /** Private targets that the network guard lets through: `HOST` or `HOST:PORT`. */
  allowTargets?: readonly string[] | undefined
  /** Uncached answers per client and day on the free host. Default: 250. */
  freeDailyLimit?: number | undefined
  /** Captures at the same time. Default: 2. */
  concurrency?: number | undefined
  /** Captures that may wait; one more is `EBUSY`. Default: 50. */
  queue?: number | undefined
  /** Path of a Chromium, or the `ws://` address of one that runs. Default: found on the system, or fetched. */
  browser?: string | undefined
  /** Start the browser at once, not with the first capture. Default: false. */
  warm?: boolean | undefined
  /** Proxies in front whose `x-forwarded-for` is believed. Default: 0. */
  trustProxy?: number | undefined
  /** Addresses of the hosts as the world sees them. Default: the address each request came to. */
  publicUrl?: string | undefined
  proPublicUrl?: string | undefined
  /** Requests with this `Host` are for the pro host. */
  proHost?: string | undefined
  /** Sample pages that the playground offers. */
  examples?: readonly Example[] | undefined
  logLevel?: LogLevel | undefined
  log?: Log | undefined
  /** Milliseconds since 1970. Default: the system's clock. */
  clock?: (() => number) | undefined
}

/** One page that the playground offers to try. */
export interface Example {
  label: string
  url: string
  lang?: string
}

export interface Service {
  /** Answers one request; never rejects. */
  fetch(request: Request, connection?: Connection): Promise<Response>
  /** For listeners: what was given a moment ago for the very same address, to be sent again as it is. */
  again(request: RawRequest): RawResponse | undefined
  /** Resolves when the store and the network are there; rejects with what keeps them from it. */
  ready(): Promise<void>
  /** How many pages the browser has captured so far. */
  captures(): number
  /** Refuses what is new, lets what runs finish, and leaves no browser, socket or temporary file behind. */
  close(): Promise<void>
}

const DEFAULT_STORE_BYTES = 5e9
const DEFAULT_DAILY_LIMIT = 250

/**
 * The whole service as a function from request to answer; a listener is only an adapter for it. It returns at once: what
 * cannot be started is told by `ready()`, and by every answer.
 */
export function createService(options: ServiceOptions = {}): Service {
  const running = new Set<Promise<Response>>()
  let isDraining = false
  let closing: Promise<void> | undefined
  const started = start(options)
  let browser: Browser | undefined
  let app: App | undefined
  const ready = started.then((service) => void ({ browser, app } = service))
  ready.catch(() => undefined) // Told by `ready()` and by every answer; unheard it must not end the process.

  const handle = async (request: Request, connection?: Connection) => {
    try {
      if (isDraining)
        throw new PageError('EBUSY', 'The service is stopping; ask again in a moment.', { retryAfterMs: 5_000 })
      const { app } = await started
      return await app.fetch(request, connection)
    } catch (error) {
      return errorResponse(error, { requestId: randomUUID(), base: new URL(request.url).origin })
    }
  }

  return {
    async fetch(request, connection) {
      const answer = handle(request, connection)
      running.add(answer)
      try {
        return await answer
      } finally {
        running.delete(answer)
      }
    },
    again: (request) => (isDraining ? undefined : app?.again(request)),
    ready: () => ready,
    captures: () => browser?.captures() ?? 0,
    close() {
      isDraining = true
      closing ??= Promise.allSettled(running).then(async () => (await started.catch(() => undefined))?.stop())
      return closing
    },
  }
}

async function start(options: ServiceOptions) {
  const { clock = Date.now, log = createLog(options.logLevel ?? 'silent') } = options
  const temporaryDir = options.dataDir ? undefined : await mkdtemp(join(tmpdir(), 'page-preview-'))
  const store = await openStore({
    dataDir: options.dataDir ?? temporaryDir!,
    maxBytes: options.storeMaxBytes ?? DEFAULT_STORE_BYTES,
    redis: options.redis,
    s3: options.s3,
    clock,
    onEvent: (news) => log.warn({ ...news }, 'store'),
    onError: (error) => log.error({ error: String(error) }, 'the store failed while nobody waited'),
  })
  if (options.redis && !options.s3)
    log.warn({ event: 'images-on-this-machine' }, 'instances on other machines do not see these images; give all --s3')
  const guard = createGuard({ allowTargets: options.allowTargets ?? [] })
  const dispatcher = createDispatcher(guard)
  const proxy = await startEgressProxy(guard)
  const browser = createBrowser({
    executable: options.browser,
    proxyUrl: proxy.url,
    guard,
    fetchImage: (url, signal) => fetchImage(url, { guard, dispatcher, signal }),
    concurrency: options.concurrency,
    queue: options.queue,
    log: (event) => log.info(event, 'browser'),
  })
  if (options.warm) browser.warm()
  const revalidations = createRevalidations({ clock })
  const context: ResultContext = {
    guard,
    dispatcher,
    browser,
    store,
    revalidations,
    flights: createSingleFlight(),
    failures: createFailureMemory({ clock }),
    clock,
  }
  return {
    browser,
    app: createApp({
      context,
      log,
      freeDailyLimit: options.freeDailyLimit ?? DEFAULT_DAILY_LIMIT,
      trustProxy: options.trustProxy ?? 0,
      publicUrl: options.publicUrl,
      proPublicUrl: options.proPublicUrl,
      proHost: options.proHost,
      examples: options.examples ?? [],
      assetsDir,
      version,
    }),
    async stop() {
      await revalidations.close()
      await browser.close()
      await Promise.all([proxy.close(), dispatcher.destroy(), store.close()])
      if (temporaryDir) await rm(temporaryDir, { recursive: true, force: true })
    },
  }
}
