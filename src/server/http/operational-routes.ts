import { setTimeout as delay } from 'node:timers/promises'
import type { Context } from 'hono'
import { PageError } from '../../query/index.js'
import { parsePurgeTarget, type StoreHealth } from '../store/index.js'
import { version } from '../version.js'
import type { AppParts, WorkerAppParts } from './app-parts.js'
import { createCompressor, sendCompressed } from './content-coding.js'
import {
  addBatchMetrics,
  addFrontMetrics,
  addProcessMetrics,
  addServiceMetrics,
  addWorkerMetrics,
  chromiumOf,
  type CheckDependencies,
} from './metrics.js'
import { openapiDocument } from './openapi.js'
import type { Router, RouterEnv } from './request-scopes.js'
import { cachedBriefly, corsHeaders, notCached } from './response-headers.js'
import { jsonBody, notFoundError, textBody } from './response.js'

/** Routes for operators and tools: `/healthz`, `/readyz`, `/metrics`, `/openapi.json`, and on the admin port `DELETE /cache`. */
export function operationalRoutes(router: Router, adminRouter: Router, parts: AppParts): void {
  const { worker, workerRequests, batches, store, keys, metrics, clock, isDraining, settings } = parts
  const checkDependencies = createDependencyCheck(store.health)
  addProcessMetrics(metrics, parts)
  if (worker) addWorkerMetrics(metrics, worker, clock)
  if (workerRequests) addFrontMetrics(metrics, workerRequests)
  addServiceMetrics(metrics, parts, checkDependencies)
  addBatchMetrics(metrics, batches)

  const getForOperator = (path: string, handle: (c: Context<RouterEnv>) => Promise<Response>) => {
    adminRouter.get(path, handle)
    router.get(path, async (c) => {
      if (settings.hasAdminPort || c.var.request.plan === 'pro') throw notFoundError(c.req.path)
      return handle(c)
    })
  }

  for (const each of [router, adminRouter]) healthRoute(each)

  getForOperator('/readyz', async () => {
    const [isBrowserReady, isStoreReady, storeWritable, dependencies] = await Promise.all([
      worker ? worker.browser.isReady() : undefined,
      store.health.isReady(),
      store.health.isWritable(),
      checkDependencies(),
    ])
    // Without its remote stores or its workers an instance serves what it has, and all instances would be taken out together.
    const isReady = isBrowserReady !== false && isStoreReady && !isDraining()
    const body = {
      status: isDraining() ? 'shutting down' : isReady ? 'ready' : 'not ready',
      browser: isBrowserReady,
      store: isStoreReady,
      storeWritable,
      dependencies,
      ...(keys.signingSecretDamage && { signingSecret: keys.signingSecretDamage }),
      chromium: worker && chromiumOf(worker, clock()),
    }
    return Response.json(body, { status: isReady ? 200 : 503, headers: notCached })
  })

  getForOperator('/metrics', (c) => sendMetrics(c, parts))

  router.get('/openapi.json', (c) => {
    const document = openapiDocument(c.var.request.base, version)
    return sendCompressed(c, parts, jsonBody(document), { ...corsHeaders, ...cachedBriefly })
  })

  purgeRoute(adminRouter, parts)
}

/** Routes of a worker for its balancer and its operator: `/healthz`, `/readyz` and `/metrics`. */
export function workerRoutes(router: Router, parts: WorkerAppParts): void {
  const { worker, metrics, clock, isDraining } = parts
  addProcessMetrics(metrics, parts)
  addWorkerMetrics(metrics, worker, clock)
  const compress = createCompressor()
  healthRoute(router)
  router.get('/readyz', async () => {
    const isBrowserReady = await worker.browser.isReady()
    const isReady = isBrowserReady && !isDraining()
    const status = isDraining() ? 'shutting down' : isReady ? 'ready' : 'not ready'
    const body = { status, browser: isBrowserReady, chromium: chromiumOf(worker, clock()) }
    return Response.json(body, { status: isReady ? 200 : 503, headers: notCached })
  })
  router.get('/metrics', (c) => sendMetrics(c, { metrics, compress }))
}

function healthRoute(router: Router): void {
  router.get('/healthz', () => Response.json({ status: 'ok' }, { headers: { ...corsHeaders, ...notCached } }))
}

async function sendMetrics(
  c: Context<RouterEnv>,
  { metrics, compress }: Pick<AppParts, 'metrics' | 'compress'>,
): Promise<Response> {
  const { text, contentType } = await metrics.read()
  return sendCompressed(c, { compress }, textBody(text, contentType), notCached)
}

/** `DELETE /cache?url=…`, `?host=…` or `?all=true` on the admin port: purges results from all instances. */
function purgeRoute(adminRouter: Router, { store }: AppParts): void {
  adminRouter.delete('/cache', async (c) => {
    // A page in the operator's browser may reach the port, and browsers send an origin with every such request.
    if (c.req.header('origin') !== undefined)
      throw new PageError('EAUTH', 'Pages in a browser may not purge results.', { status: 403 })
    const { url, host, all } = c.req.query()
    const data = await store.purges.purge(parsePurgeTarget({ url, host, all: isTrue(all) }))
    return Response.json({ status: 'success', data }, { headers: notCached })
  })
}

const isTrue = (value: string | undefined) => value === '' || value === 'true'

/** Each remote store is checked at most once in this time, however many health checks there are. */
const MIN_INTERVAL_MS = 5_000
/** Health checks wait for a second or two, and a store that hangs must not make this instance fail them. */
const MAX_WAIT_MS = 300

/** The state of the remote stores: checked at intervals, and updated by requests in between. */
export function createDependencyCheck(
  health: Pick<StoreHealth, 'dependencies' | 'checkDependencies'>,
): CheckDependencies {
  let checkedAt = -Infinity
  let checking = Promise.resolve()
  return async () => {
    if (performance.now() - checkedAt >= MIN_INTERVAL_MS) {
      checkedAt = performance.now()
      checking = health.checkDependencies()
    }
    await Promise.race([checking, delay(MAX_WAIT_MS, undefined, { ref: false })])
    return health.dependencies()
  }
}
