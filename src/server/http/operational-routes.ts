import { setTimeout as delay } from 'node:timers/promises'
import type { Context } from 'hono'
import { PageError } from '../../query/index.js'
import type { ServiceParts } from '../results/index.js'
import type { AppParts } from './app-parts.js'
import { sendCompressed } from './content-coding.js'
import { notFoundError } from './error-response.js'
import { openapiDocument } from './openapi.js'
import { jsonBody, textBody } from './response.js'
import { corsHeaders } from './response-headers.js'
import type { Router, RouterEnv } from './received-request.js'
import { estimateBrowserAgeDays } from '../browser/index.js'
import { parsePurgeTarget, type Dependencies, type Store } from '../store/index.js'
import type { Metrics } from './metrics.js'

const NOT_CACHED = { 'x-content-type-options': 'nosniff', 'cache-control': 'no-store' }
const CACHED_BRIEFLY = { ...corsHeaders, 'cache-control': 'public, max-age=300' }

/** Routers of the public listeners, and of the one for the operator. */
export interface Routers {
  router: Router
  adminRouter: Router
}

/** Routes for operators and tools: `/healthz`, `/readyz`, `/metrics`, `/openapi.json`, and on the admin port `DELETE /cache`. */
export function operationalRoutes({ router, adminRouter }: Routers, app: AppParts): void {
  const { parts, metrics, version, isDraining, hasAdminPort } = app
  const checkDependencies = createDependencyCheck(parts.store)
  addServiceMetrics(app, checkDependencies)

  const getForOperator = (path: string, handle: (c: Context<RouterEnv>) => Promise<Response>) => {
    adminRouter.get(path, handle)
    router.get(path, async (c) => {
      if (hasAdminPort || c.var.request.plan === 'pro') throw notFoundError(c.req.path)
      return handle(c)
    })
  }

  const isAlive = () => Response.json({ status: 'ok' }, { headers: { ...corsHeaders, ...NOT_CACHED } })
  router.get('/healthz', isAlive)
  adminRouter.get('/healthz', isAlive)

  getForOperator('/readyz', async () => {
    const [browser, store, storeWritable, dependencies] = await Promise.all([
      parts.browser.isReady(),
      parts.store.isReady(),
      parts.store.isWritable(),
      checkDependencies(),
    ])
    // Without its remote stores an instance serves what it has, and all instances would be taken out together.
    const isReady = browser && store && !isDraining()
    const status = isDraining() ? 'shutting down' : isReady ? 'ready' : 'not ready'
    const body = { status, browser, store, storeWritable, dependencies, chromium: chromiumOf(parts) }
    return Response.json(body, { status: isReady ? 200 : 503, headers: NOT_CACHED })
  })

  getForOperator('/metrics', async (c) => {
    const { text, contentType } = await metrics.read()
    return sendCompressed(c, app, textBody(text, contentType), NOT_CACHED)
  })

  router.get('/openapi.json', (c) => {
    const document = openapiDocument(c.var.request.base, version)
    return sendCompressed(c, app, jsonBody(document), CACHED_BRIEFLY)
  })

  purgeRoute(adminRouter, parts)
}

/** `DELETE /cache?url=…`, `?host=…` or `?all=true` on the admin port: purges results from all instances. */
function purgeRoute(adminRouter: Router, { store }: ServiceParts): void {
  adminRouter.delete('/cache', async (c) => {
    // A page in the operator's browser may reach the port, and browsers send an origin with every such request.
    if (c.req.header('origin') !== undefined)
      throw new PageError('EAUTH', 'Pages in a browser may not purge results.', { status: 403 })
    const { url, host, all } = c.req.query()
    const data = await store.purge(parsePurgeTarget({ url, host, all: isTrue(all) }))
    return Response.json({ status: 'success', data }, { headers: { 'cache-control': 'no-store' } })
  })
}

const isTrue = (value: string | undefined) => value === '' || value === 'true'

/** Reads the state of the remote stores. */
type CheckDependencies = () => Promise<Dependencies>

/** Each remote store is checked at most once in this time, however many health checks there are. */
const MIN_INTERVAL_MS = 5_000
/** Health checks wait for a second or two, and a store that hangs must not make this instance fail them. */
const MAX_WAIT_MS = 300

/** Adds metrics of what the service is and does, which are read with each scrape. */
function addServiceMetrics({ metrics, parts, eventLoop }: AppParts, checkDependencies: CheckDependencies): void {
  addActivityMetrics(metrics, parts)
  addStateMetrics(metrics, parts)
  addDependencyMetrics(metrics, parts, checkDependencies)
  metrics.addCounter(
    'page_preview_event_loop_blocks_total',
    'Times that the main thread was blocked for more than 2 seconds.',
    () => eventLoop.blockCount(),
  )
}

/** The state of the remote stores: checked at intervals, and updated by requests in between. */
export function createDependencyCheck(store: Pick<Store, 'dependencies' | 'checkDependencies'>): CheckDependencies {
  let checkedAt = -Infinity
  let checking = Promise.resolve()
  return async () => {
    if (performance.now() - checkedAt >= MIN_INTERVAL_MS) {
      checkedAt = performance.now()
      checking = store.checkDependencies()
    }
    await Promise.race([checking, delay(MAX_WAIT_MS, undefined, { ref: false })])
    return store.dependencies()
  }
}

/** `estimatedAgeDays` is computed from the version; left out of the JSON while no browser was launched. */
function chromiumOf({ browser, clock }: ServiceParts) {
  const version = browser.version()
  return version === undefined ? undefined : { version, estimatedAgeDays: estimateBrowserAgeDays(version, clock()) }
}

function addDependencyMetrics(metrics: Metrics, { store }: ServiceParts, checkDependencies: CheckDependencies): void {
  metrics.addGauge(
    'page_preview_pending_uploads',
    'Images that are on this machine alone, because the bucket failed, and are uploaded later.',
    () => store.pendingUploads().size,
  )
  const names = { redis: 'Redis', bucket: 'the bucket' }
  for (const name of ['redis', 'bucket'] as const) {
    if (store.dependencies()[name] === undefined) continue
    const help = `1 while ${names[name]} can be read and written, 0 while it is unreachable or rejects requests.`
    metrics.addGauge(`page_preview_${name}_up`, help, async () => Number((await checkDependencies())[name] === 'ok'))
  }
}

function addStateMetrics(metrics: Metrics, parts: ServiceParts): void {
  const { browser, flights, store } = parts
  metrics.addGauge('page_preview_chromium_milestone', 'Major version of Chromium; 0 before its first launch.', () =>
    Number.parseInt(browser.version() ?? '0', 10),
  )
  metrics.addGauge(
    'page_preview_chromium_estimated_age_days',
    'Estimated days since the release of this major version of Chromium; 0 before its first launch.',
    () => chromiumOf(parts)?.estimatedAgeDays ?? 0,
  )
  metrics.addCounter('page_preview_captures_total', 'Screenshots captured by the browser.', () => browser.captures())
  metrics.addCounter('page_preview_renderings_total', 'Pages rendered for their metadata only.', () =>
    browser.renderings(),
  )
  metrics.addGauge('page_preview_queue', 'Pages waiting in the queue of the browser.', () => browser.queueLength())
  metrics.addGauge('page_preview_flights', 'Results being produced right now.', () => flights.size)
  metrics.addGauge(
    'page_preview_store_writable',
    '1 while the disk of the store can be written, 0 while new results are in memory only.',
    async () => Number(await store.isWritable()),
  )
  metrics.addGauge('page_preview_store_bytes', 'Bytes on disk used by cache entries and images.', () =>
    store.usedBytes(),
  )
}

/** Adds metrics of what the service does: its slots, its browser, its revalidations, and what the guard refuses. */
function addActivityMetrics(metrics: Metrics, { browser, revalidations, guard, stateCounter }: ServiceParts): void {
  metrics.addGauge(
    'page_preview_slots',
    'Pages that the browser may have open at the same time, the reserve included.',
    () => browser.slots().all,
  )
  metrics.addGauge('page_preview_slots_busy', 'Pages that the browser has open.', () => browser.slots().busy)
  metrics.addGauge(
    'page_preview_browser_age_seconds',
    'Time since the browser was started; 0 while none runs.',
    () => browser.ageSeconds() ?? 0,
  )
  metrics.addCounter('page_preview_browser_restarts_total', 'Times that the browser was replaced by a new one.', () =>
    browser.restarts(),
  )
  metrics.addCounter(
    'page_preview_revalidations_started_total',
    'Revalidations that were started.',
    () => revalidations.counts().started,
  )
  metrics.addCounterByLabel('page_preview_revalidations_total', 'Revalidations that have ended.', 'outcome', () => {
    const { done, failed } = revalidations.counts()
    return { done, failed }
  })
  metrics.addCounterByLabel(
    'page_preview_pages_without_content_total',
    'Pages opened that did not show their content, by what they showed.',
    'state',
    () => stateCounter.counts(),
  )
  metrics.addCounterByLabel(
    'page_preview_egress_refusals_total',
    'Requests to targets that the network guard refused.',
    'reason',
    () => guard.refusals(),
  )
}
