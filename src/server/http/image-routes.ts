import { PageError } from '../../query/index.js'
import { createFairQueue } from '../budget/index.js'
import { MAX_CONCURRENT_CONVERSIONS } from '../images/index.js'
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
/** The images of waiting conversions are not in memory yet. */
const MAX_WAITING_CONVERSIONS = 200
const BUSY_RETRY_MS = 2_000

/** `/images/<name>`: stored images, and their variants with `?w=` and `?type=`. */
export function imageRoutes(
  router: Router,
  { context: { store, images, clock } }: AppOptions,
  quota: RequestQuota,
): void {
  const flights = createSingleFlight<ImageName | undefined>()
  const queue = createFairQueue({
    concurrency: MAX_CONCURRENT_CONVERSIONS,
    // The last one is for others than the client that has all of the rest.
    maxPerClient: MAX_CONCURRENT_CONVERSIONS - 1,
    maxWaiting: MAX_WAITING_CONVERSIONS,
    maxWaitingPerClient: MAX_WAITING_CONVERSIONS / 2,
    fullError: busyError,
  })

  router.get('/images/:name', async (c) => {
    const image = c.req.param('name')
    if (!isPublicImageName(image)) throw notFoundError(c.req.path)
    const { searchParams } = new URL(c.req.url)
    const [width, type] = ['w', 'type'].map((name) => searchParams.get(name) ?? undefined)
    const { signal } = c.req.raw
    const { client } = c.var.request
    const consumeQuota = () => quota.consume(c.var.request, 'variant')
    const context = { store, images, flights, queue, clock, client, signal, consumeQuota }
    const variant = await imageVariant(image, { width, type }, context)
    const body = variant && (await fileBody(variant, store, () => fileHeaders(variant)))
    if (!body) throw notFoundError(c.req.path)
    return sendBody(c.req.raw, body, { headers: HEADERS })
  })
}

const busyError = () =>
  new PageError('EBUSY', 'Too many images are waiting to be converted; retry in a few seconds.', {
    retryAfterMs: BUSY_RETRY_MS,
  })
