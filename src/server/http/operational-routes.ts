import type { Context } from 'hono'
import { estimateBrowserAgeDays } from '../browser/index.js'
import type { Dependencies } from '../store/index.js'
import type { AppOptions } from './app-options.js'
import { corsHeaders } from './cors.js'
import { createDependencyCheck } from './dependency-check.js'
import { notFoundError } from './error-response.js'
import type { Metrics } from './metrics.js'
import { openapiDocument } from './openapi/index.js'
import { jsonBody, textBody } from './response-body.js'
import type { Router, RouterEnv } from './router.js'
import { createCompressedSender } from './send-body.js'

const NOT_CACHED = { 'x-content-type-options': 'nosniff', 'cache-control': 'no-store' }
const CACHED_BRIEFLY = { ...corsHeaders, 'cache-control': 'public, max-age=300' }

/** Routers of the public listeners, and of the one for the operator. */
export interface Routers {
  router: Router
  adminRouter: Router
}

/** Routes for operators and tools: `/healthz`, `/readyz`, `/metrics` and `/openapi.json`. */
export function operationalRoutes(
  { router, adminRouter }: Routers,
  { context, version, eventLoop, isDraining, hasAdminPort }: AppOptions,
  metrics: Metrics,
): void {
  const sendCompressed = createCompressedSender()
  const checkDependencies = createDependencyCheck(context.store)
  addContextMetrics(metrics, context)
  addDependencyMetrics(metrics, context, checkDependencies)
  metrics.addCounter(
    'page_preview_event_loop_blocks_total',
    'Times that the main thread was blocked for more than 2 seconds.',
    () => eventLoop.blockCount(),
  )

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
      context.browser.isReady(),
      context.store.isReady(),
      context.store.isWritable(),
      checkDependencies(),
    ])
    // Without its remote stores an instance serves what it has, and all instances would be taken out together.
    const isReady = browser && store && !isDraining()
    const status = isDraining() ? 'shutting down' : isReady ? 'ready' : 'not ready'
    const body = { status, browser, store, storeWritable, dependencies, chromium: chromiumOf(context) }
    return Response.json(body, { status: isReady ? 200 : 503, headers: NOT_CACHED })
  })

  getForOperator('/metrics', async (c) => {
    const { text, contentType } = await metrics.read()
    return sendCompressed(c, textBody(text, contentType), NOT_CACHED)
  })

  router.get('/openapi.json', (c) => {
    const document = openapiDocument(c.var.request.base, version)
    return sendCompressed(c, jsonBody(document), CACHED_BRIEFLY)
  })
}

/** `estimatedAgeDays` is computed from the version; left out of the JSON while no browser was launched. */
function chromiumOf({ browser, clock }: AppOptions['context']) {
  const version = browser.version()
  return version === undefined ? undefined : { version, estimatedAgeDays: estimateBrowserAgeDays(version, clock()) }
}

function addDependencyMetrics(
  metrics: Metrics,
  { store }: AppOptions['context'],
  checkDependencies: () => Promise<Dependencies>,
): void {
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

function addContextMetrics(metrics: Metrics, context: AppOptions['context']): void {
  const { browser, flights, store } = context
  metrics.addGauge('page_preview_chromium_milestone', 'Major version of Chromium; 0 before its first launch.', () =>
    Number.parseInt(browser.version() ?? '0', 10),
  )
  metrics.addGauge(
    'page_preview_chromium_estimated_age_days',
    'Estimated days since the release of this major version of Chromium; 0 before its first launch.',
    () => chromiumOf(context)?.estimatedAgeDays ?? 0,
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
