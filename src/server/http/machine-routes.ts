import { textBody } from './response-body.js'
import type { App, AppOptions } from './app-environment.js'
import { createCompressor } from './compressor.js'
import { CORS } from './cors.js'
import type { Metrics } from './metrics.js'
import { openapi } from './openapi.js'
import { sendBody } from './send-body.js'

const NEVER_KEPT = { ...CORS, 'cache-control': 'no-store' }
const SHORTLY_KEPT = { ...CORS, 'cache-control': 'public, max-age=300' }

/** What programs ask of the service: whether it lives, whether it can work, how it does, and what it understands. */
export function machineRoutes(app: App, { context, version }: AppOptions, metrics: Metrics): void {
  const compress = createCompressor()
  showFacts(context, metrics)

  app.get('/healthz', () => Response.json({ status: 'ok' }, { headers: NEVER_KEPT }))

  app.get('/readyz', async () => {
    const [browser, store] = await Promise.all([context.browser.isReady(), context.store.isReady()])
    const isReady = browser && store
    const body = { status: isReady ? 'ready' : 'not ready', browser, store }
    return Response.json(body, { status: isReady ? 200 : 503, headers: NEVER_KEPT })
  })

  app.get('/metrics', async (c) => {
    const { text, contentType } = await metrics.read()
    return sendBody(c.req.raw, textBody(text, contentType), { compress, headers: NEVER_KEPT })
  })

  app.get('/openapi.json', (c) => {
    const body = textBody(JSON.stringify(openapi(c.var.base, version)), 'application/json; charset=utf-8')
    return sendBody(c.req.raw, body, { compress, headers: SHORTLY_KEPT })
  })
}

function showFacts({ browser, flights, store }: AppOptions['context'], metrics: Metrics): void {
  metrics.count('page_preview_captures_total', 'Pages captured by the browser.', () => browser.captures())
  metrics.count('page_preview_renderings_total', 'Pages opened for their document alone.', () => browser.renderings())
  metrics.watch('page_preview_queue', 'Pages that wait for the browser right now.', () => browser.waiting())
  metrics.watch('page_preview_flights', 'Pages that are being made right now.', () => flights.size)
  metrics.watch('page_preview_store_bytes', 'What is kept on the disk of answers and images.', () => store.usedBytes())
}
