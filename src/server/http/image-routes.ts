import pLimit from 'p-limit'
import { createSingleFlight } from '../jobs/index.js'
import { imageVariant } from '../media/index.js'
import type { ImageName } from '../store/index.js'
import type { AppOptions } from './app-options.js'
import { corsHeaders } from './cors.js'
import { notFoundError } from './error-response.js'
import { fileBody } from './file-body.js'
import { fileHeaders, isPublicImageName } from './image-headers.js'
import type { RequestQuota } from './request-quota.js'
import type { Router } from './router.js'
import { sendBody } from './send-body.js'

const HEADERS = { ...corsHeaders, 'cache-control': 'public, max-age=31536000, immutable' }
/** Leaves CPU time for captures. */
const MAX_CONCURRENT_CONVERSIONS = 2

/** `/images/<name>`: stored images, and their variants with `?w=` and `?type=`. */
export function imageRoutes(
  router: Router,
  { context: { store, images, clock } }: AppOptions,
  quota: RequestQuota,
): void {
  const flights = createSingleFlight<ImageName | undefined>()
  const limit = pLimit(MAX_CONCURRENT_CONVERSIONS)

  router.get('/images/:name', async (c) => {
    const image = c.req.param('name')
    if (!isPublicImageName(image)) throw notFoundError(c.req.path)
    const { w: width, type } = c.req.query()
    const { signal } = c.req.raw
    const consumeQuota = () => quota.consume(c.var.request, 'variant')
    const context = { store, images, flights, limit, clock, signal, consumeQuota }
    const variant = await imageVariant(image, { width, type }, context)
    const body = variant && (await fileBody(variant, store, () => fileHeaders(variant)))
    if (!body) throw notFoundError(c.req.path)
    return sendBody(c.req.raw, body, { headers: HEADERS })
  })
}
