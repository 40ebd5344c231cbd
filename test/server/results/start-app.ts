import { EventEmitter } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { onTestFinished } from 'vitest'
import type { PageError, PageResponse, PageState } from '../../../src/query/index.js'
import { createBatches, openLocalJobs } from '../../../src/server/batches/index.js'
import type { Browser, Capture, PageBlock, RenderedPage } from '../../../src/server/browser/index.js'
import { createByteBudget } from '../../../src/server/budget/index.js'
import { watchEventLoop } from '../../../src/server/watch-event-loop.js'
import { createApp, createMetrics, type App } from '../../../src/server/http/index.js'
import { createHistories } from '../../../src/server/history/index.js'
import { createImages } from '../../../src/server/images/index.js'
import { createRevalidations, createSingleFlight } from '../../../src/server/jobs/index.js'
import { createKeyVerifier, openSigningKeyCipher } from '../../../src/server/keys/index.js'
import { createRequestLog } from '../../../src/server/log.js'
import { createDispatcher, createGuard, type GuardedDispatcher } from '../../../src/server/network/index.js'
import { createDocumentReader, createFetchQueue, createRobots, type OptOut } from '../../../src/server/page/index.js'
import { createStateCounter } from '../../../src/server/page-state/index.js'
import { createOwners, createProofFinder, createRemovedPages } from '../../../src/server/owners/index.js'
import { createContentReader } from '../../../src/server/content/index.js'
import { createLocalExtractor } from '../../../src/server/results/index.js'
import { withDefaults } from '../../../src/server/service-options.js'
import { openStore } from '../../../src/server/store/index.js'
import { localSite, type LocalSite, type Route } from '../../local-site.js'
import { recordingLog } from '../../shared/recording-log.js'
import { temporaryDir } from '../store/temporary-dir.js'

/** What the browser of these tests sees, to be changed while the app runs. */
export interface Seen {
  state?: PageState | undefined
  optOut?: OptOut
  statusCode?: number
  html?: string
  /** Whether others waited for the browser. */
  isProvisional?: boolean
  /** Colour of the screenshot, or of each in turn. */
  colour?: string | string[]
  /** What the page shows of its parts, or at each visit. */
  blocks?: PageBlock[] | (() => PageBlock[])
  /** What the screenshot shows. Default: as many CSS pixels as it has. */
  area?: Capture['area']
  /** Of a browser that opens no page. */
  error?: PageError | undefined
}

interface AppOptions {
  redis?: string | undefined
  routes: Record<string, Route>
  /** An app that was started before, whose data and site this one has. */
  restarted?: { site: LocalSite; dataDir: string } | undefined
  /** Sends the requests of the service. Default: its own dispatcher. */
  dispatch?: GuardedDispatcher['dispatch'] | undefined
  ignoreOptOut?: boolean
  freeHistory?: boolean
}

const png = (background: string) =>
  sharp({ create: { width: 80, height: 64, channels: 3, background } })
    .png()
    .toBuffer()

/** The whole service but the browser, which sees what the test says; its clock stands until the test moves it. */
export async function startApp({ redis, routes, restarted, dispatch, ignoreOptOut, freeHistory }: AppOptions) {
  const site = restarted?.site ?? (await localSite(routes))
  const seen: Seen = {}
  const visits: string[] = []
  const time = { now: Date.parse('2026-01-31T12:00:00Z') }
  const clock = () => time.now
  const browser = createFakeBrowser(seen, visits)
  const guard = createGuard({ allowTargets: [site.host] })
  const own = createDispatcher(guard)
  const dispatcher = dispatch
    ? Object.assign(
        own.compose(() => dispatch),
        { userAgent: own.userAgent },
      )
    : own
  const documents = createDocumentReader()
  const images = createImages()
  const dataDir = restarted?.dataDir ?? (await temporaryDir())
  // Of the HTML card.
  await writeFile(join(dataDir, 'styles.css'), '.page-preview {}')
  const store = await openStore({
    dataDir,
    maxBytes: 100_000_000,
    clock,
    redis,
    redisPrefix: 'page-preview',
    s3: undefined,
    isAllowed: (allowance) => guard.isAllowed(allowance),
    onError: (error) => log.warn({}, String(error)),
    onEvent: () => undefined,
  })
  const revalidations = createRevalidations({ clock, claims: store.locks })
  const { log, lines } = recordingLog()
  const metrics = createMetrics()
  const stateCounter = createStateCounter(log)
  const pageParts = {
    guard,
    dispatcher,
    documents,
    images,
    robots: createRobots({ guard, dispatcher, areIgnored: ignoreOptOut, now: clock }),
    fetchQueue: createFetchQueue(),
    byteBudget: createByteBudget(),
  }
  const jobs = openLocalJobs(join(dataDir, 'jobs.db'), {
    clock,
    onError: (error) => log.warn({}, String(error)),
    onDamaged: (reason) => log.warn({}, reason),
  })
  const batches = createBatches({
    guard,
    dispatcher,
    byteBudget: pageParts.byteBudget,
    store: jobs,
    cipher: undefined,
    concurrency: 1,
    mayStart: () => true,
    log,
    clock,
  })
  const finder = createProofFinder({ guard, dispatcher })
  const removedPages = createRemovedPages(store, { finder, clock })
  const app: App = createApp({
    ...pageParts,
    removedPages,
    owners: createOwners({ guard, store, removedPages, finder, log, clock }),
    batches,
    extractor: createLocalExtractor({ ...pageParts, browser, contents: createContentReader(), stateCounter }),
    worker: { browser, stateCounter, chromiumUpdates: undefined },
    workerRequests: undefined,
    store,
    histories: createHistories(store, images, { pauseMs: 0 }),
    revalidations,
    clock,
    events: new EventEmitter(),
    flights: createSingleFlight(),
    ownerOf: String,
    settings: withDefaults({ freeDailyLimit: 1_000, log, ignoreOptOut, freeHistory }),
    keys: createKeyVerifier({ apiKeys: store.apiKeys, cipher: await openSigningKeyCipher({}, dataDir), log }),
    requestLog: createRequestLog({ log, accessLog: false }),
    metrics,
    eventLoop: watchEventLoop('silent'),
    fetch: (request, connection) => app.fetch(request, connection),
    isDraining: () => false,
    assetsDir: dataDir,
    playgroundDir: dataDir,
  })
  onTestFinished(async () => {
    await Promise.all([revalidations.close(), batches.close()])
    await Promise.all([site.close(), images.close(), documents.close(), dispatcher.destroy(), store.close()])
  })

  const fetchPage = (parameters: Record<string, string> = {}, path = '/') =>
    app.fetch(new Request(`http://previews.test/?${new URLSearchParams({ url: site.url + path, ...parameters })}`))
  const readPage = async (parameters: Record<string, string> = {}, path = '/') => {
    const { headers, ...response } = await read(await fetchPage(parameters, path))
    return {
      ...response.body,
      cache: headers.get('x-cache-status'),
      ttl: Number(headers.get('x-cache-ttl')),
      mode: headers.get('x-fetch-mode'),
      header: (name: string) => headers.get(name),
    }
  }
  return { site, dataDir, seen, visits, time, app, store, lines, metrics, fetchPage, readPage }
}

const read = async (response: Response) => ({
  headers: response.headers,
  body: (await response.json()) as PageResponse,
})

function createFakeBrowser(seen: Seen, visits: string[]): Browser {
  const visit = (url: string) => {
    visits.push(url)
    if (seen.error) throw seen.error
    const { state, optOut, statusCode = 200, html = '<title>Seen</title>', isProvisional = false } = seen
    return {
      url,
      statusCode,
      state,
      optOut,
      html,
      isCutShort: false,
      isProvisional,
      warnings: [],
      timings: { total: 1 },
    }
  }
  const browser: Partial<Browser> = {
    capture: async ({ query: { url } }): Promise<Capture> => {
      const { colour = 'red', blocks, area } = seen
      const bytes = await png(Array.isArray(colour) ? colour[visits.length % colour.length]! : colour)
      const size = { width: 80, height: 64 }
      return {
        ...visit(url),
        ...size,
        blocks: typeof blocks === 'function' ? blocks() : blocks,
        bytes,
        type: 'png',
        area: area ?? { x: 0, y: 0, ...size },
        content: undefined,
        backgroundColor: '#ff0000',
      }
    },
    render: async ({ query: { url } }): Promise<RenderedPage> => visit(url),
    status: () => ({
      version: undefined,
      pid: undefined,
      restarts: 0,
      ageSeconds: 1,
      chromium: undefined,
      captures: visits.length,
      renderings: 0,
      queueLength: 0,
      slots: { all: 1, busy: 0 },
    }),
    isReady: async () => true,
  }
  return browser as Browser
}
