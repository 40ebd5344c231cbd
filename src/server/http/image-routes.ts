import pLimit from 'p-limit'
import { imageVariant } from '../media/index.js'
import { createSingleFlight } from '../jobs/index.js'
import type { ImageName } from '../store/index.js'
import type { App, AppOptions } from './app-environment.js'
import { CORS } from './cors.js'
import { notFound } from './error-response.js'
import { bytesHeaders, isImageName } from './image-headers.js'
import { sendBody } from './send-body.js'

const HEADERS = { ...CORS, 'cache-control': 'public, max-age=31536000, immutable' }
/** Beside the captures there is not more than that of a processor. */
const MAX_AT_ONCE = 2

/** `/images/<name>`: kept pictures, and their smaller variants with `?w=` and `?type=`. */
export function imageRoutes(app: App, { context: { store, clock } }: AppOptions): void {
  const flights = createSingleFlight<ImageName | undefined>()
  const limit = pLimit(MAX_AT_ONCE)

  app.get('/images/:name', async (c) => {
    const asked = c.req.param('name')
    if (!isImageName(asked)) throw notFound(c.req.path)
    const { w: width, type } = c.req.query()
    const { signal } = c.req.raw
    const name = await imageVariant(asked, { width, type }, { store, flights, limit, clock, signal })
    const bytes = name && (await store.readImage(name))
    if (!name || !bytes) throw notFound(c.req.path)
    const body = { bytes: bytes as Uint8Array<ArrayBuffer>, headers: bytesHeaders(name) }
    return sendBody(c.req.raw, body, { headers: HEADERS })
  })
}
