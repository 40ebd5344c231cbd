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
import { parsePurgeTarget, type Store } from '../store/index.js'
import { addServiceMetrics, chromiumOf, type CheckDependencies } from './metrics.js'

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

/** Each remote store is checked at most once in this time, however many health checks there are. */
const MIN_INTERVAL_MS = 5_000
/** Health checks wait for a second or two, and a store that hangs must not make this instance fail them. */
const MAX_WAIT_MS = 300

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
