import { imageWidths } from '../../card/index.js'
import { PageError } from '../../query/index.js'
import { variantTypes, type ImageVariants, type VariantParameters } from '../media/index.js'
import type { Store } from '../store/index.js'
import { corsHeaders } from './cors.js'
import { notFoundError } from './error-response.js'
import { fileBody } from './file-body.js'
import { fileHeaders, isPublicImageName } from './image-headers.js'
import type { RequestQuota } from './request-quota.js'
import type { Router } from './router.js'
import { sendBody } from './send-body.js'

interface ImageRoutesOptions {
  store: Store
  variants: ImageVariants
  quota: RequestQuota
}

const HEADERS = { ...corsHeaders, 'cache-control': 'public, max-age=31536000, immutable' }

/** `/images/<name>`: stored images, and their variants with `?w=` and `?type=`. */
export function imageRoutes(router: Router, { store, variants, quota }: ImageRoutesOptions): void {
  router.get('/images/:name', async (c) => {
    const image = c.req.param('name')
    if (!isPublicImageName(image)) throw notFoundError(c.req.path)
    const parameters = parseVariant(new URL(c.req.url).searchParams)
    const { signal } = c.req.raw
    const { client } = c.var.request
    const consumeQuota = () => quota.consume(c.var.request, 'variant')
    const variant = await variants.resolve(image, parameters, { client, signal, consumeQuota })
    const body = variant && (await fileBody(variant.image, store, () => fileHeaders(variant.image)))
    if (!body) throw notFoundError(c.req.path)
    return sendBody(c.req.raw, body, { headers: HEADERS })
  })
}

/** @throws {PageError} `EINVALQUERY` for a width or type that is not offered. */
function parseVariant(parameters: URLSearchParams): VariantParameters {
  const offeredValue = <Value extends string | number>(name: 'w' | 'type', values: readonly Value[]) => {
    const text = parameters.get(name)
    const value = values.find((each) => String(each) === text)
    if (text !== null && value === undefined) throw invalidParameter(name, values)
    return value
  }
  return { width: offeredValue('w', imageWidths), type: offeredValue('type', variantTypes) }
}

function invalidParameter(name: 'w' | 'type', offered: readonly (string | number)[]): PageError {
  const reason = `must be one of ${offered.join(', ')}`
  return new PageError('EINVALQUERY', `${name} ${reason}.`, { data: { [name]: reason } })
}
