import { imageWidths } from '../../card/index.js'
import { PageError } from '../../query/index.js'
import type { KeyLimits, KeyVerifier } from '../keys/index.js'
import { variantTypes, type ImageVariants, type VariantParameters } from '../media/index.js'
import type { Work } from '../budget/index.js'
import type { Store } from '../store/index.js'
import { keyOfImageRequest } from './authorize.js'
import { corsHeaders } from './cors.js'
import { notFoundError } from './error-response.js'
import { fileBody } from './file-body.js'
import { fileHeaders, isPublicImageName } from './image-headers.js'
import type { RequestQuota } from './request-quota.js'
import type { Router } from './router.js'
import { sendBody } from './send-body.js'
import { withKeyLimits } from './with-key-limits.js'

interface ImageRoutesOptions {
  store: Store
  clock: () => number
  variants: ImageVariants
  quota: RequestQuota
  keys: KeyVerifier
  keyLimits: KeyLimits
}

const HEADERS = { ...corsHeaders, 'cache-control': 'public, max-age=31536000, immutable' }

/** `/images/<name>`: stored images, and their variants with `?w=` and `?type=`, which count for the key of the request. */
export function imageRoutes(router: Router, options: ImageRoutesOptions): void {
  const { store, clock, variants, quota, keys, keyLimits } = options
  router.get('/images/:name', async (c) => {
    const image = c.req.param('name')
    if (!isPublicImageName(image)) throw notFoundError(c.req.path)
    const parameters = parseVariant(new URL(c.req.url).searchParams)
    const { signal } = c.req.raw
    const { request } = c.var
    const isVariant = parameters.width !== undefined || parameters.type !== undefined
    const key = isVariant ? await keyOfImageRequest(c.req.raw, { plan: request.plan, keys, now: clock() }) : undefined
    const client = key?.id ?? request.client
    const limited = { key, consumeQuota: (work: Work) => quota.consume(request, work) }
    const variant = await withKeyLimits(keyLimits, limited, (consumeQuota) =>
      variants.resolve(image, parameters, { client, signal, consumeQuota: () => consumeQuota('variant') }),
    )
    const body = variant && (await fileBody(variant.image, store, () => fileHeaders(variant.image)))
    if (!body) throw notFoundError(c.req.path)
    return sendBody(c.req.raw, body, HEADERS)
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
