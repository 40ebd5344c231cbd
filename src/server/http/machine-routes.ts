import type { App, AppOptions } from './app-environment.js'
import { CORS } from './cors.js'
import type { Metrics } from './metrics.js'
import { openapi } from './openapi.js'

const NEVER_KEPT = { ...CORS, 'cache-control': 'no-store' }

/** What programs ask of the service: whether it lives, whether it can work, how it does, and what it understands. */
export function machineRoutes(app: App, { context, version }: AppOptions, metrics: Metrics): void {
  app.get('/healthz', () => Response.json({ status: 'ok' }, { headers: NEVER_KEPT }))

  app.get('/readyz', async () => {
    const [browser, store] = await Promise.all([context.browser.isReady(), canRead(context.store)])
    const isReady = browser && store
    const body = { status: isReady ? 'ready' : 'not ready', browser, store }
    return Response.json(body, { status: isReady ? 200 : 503, headers: NEVER_KEPT })
  })

  app.get('/metrics', async () => {
    const { text, contentType } = await metrics.read()
    return new Response(text, { headers: { ...NEVER_KEPT, 'content-type': contentType } })
  })

  app.get('/openapi.json', (c) =>
    Response.json(openapi(c.var.base, version), { headers: { ...CORS, 'cache-control': 'public, max-age=300' } }),
  )
}

async function canRead(store: AppOptions['context']['store']): Promise<boolean> {
  try {
    await store.readCount('readyz', '1970-01-01')
    return true
  } catch {
    // The answer itself says so: nothing else is to be done here.
    return false
  }
}
