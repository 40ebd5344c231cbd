import { imageVariant } from '../image-variant.js'
import { createSingleFlight } from '../jobs/index.js'
import type { ImageName } from '../store/index.js'
import type { App, AppOptions } from './app-environment.js'
import { CORS } from './cors.js'
import { notFound } from './error-answer.js'
import { bytesHeaders, isImageName } from './image-answer.js'

const FOR_EVER = 'public, max-age=31536000, immutable'

/** `/images/<name>`: kept pictures, and their smaller variants with `?w=` and `?type=`. */
export function imageRoutes(app: App, { context: { store, clock } }: AppOptions): void {
  const flights = createSingleFlight<ImageName | undefined>()

  app.get('/images/:name', async (c) => {
    const asked = c.req.param('name')
    if (!isImageName(asked)) throw notFound(c.req.path)
    const { w, type } = c.req.query()
    const variant = { width: w === undefined ? undefined : Number(w), type }
    const name = await imageVariant(asked, variant, { store, flights, clock, signal: c.req.raw.signal })
    const bytes = name && (await store.readImage(name))
    if (!name || !bytes) throw notFound(c.req.path)
    const facts = bytesHeaders(name)
    const headers = { ...CORS, ...facts, 'cache-control': FOR_EVER }
    if (c.req.header('if-none-match')?.includes(facts.etag)) return new Response(null, { status: 304, headers })
    const length = String(bytes.byteLength)
    return new Response(bytes as Uint8Array<ArrayBuffer>, { headers: { ...headers, 'content-length': length } })
  })
}
