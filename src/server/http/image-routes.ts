import { imageWidths } from '../../card/index.js'
import { PageError } from '../../query/index.js'
import { variantTypes, type VariantParameters } from '../media/index.js'
import type { AppParts } from './app-parts.js'
import { notFoundError } from './error-response.js'
import { fileBody, sendBody } from './response.js'
import { corsHeaders, fileHeaders, isPublicImageName } from './response-headers.js'
import type { Router } from './received-request.js'

const HEADERS = { ...corsHeaders, 'cache-control': 'public, max-age=31536000, immutable' }

/** `/images/<name>`: stored images, and their variants with `?w=` and `?type=`, which count for the key of the request. */
export function imageRoutes(router: Router, { parts: { store }, variants, scopes }: AppParts): void {
  router.get('/images/:name', async (c) => {
    const image = c.req.param('name')
    if (!isPublicImageName(image)) throw notFoundError(c.req.path)
    const parameters = parseVariant(new URL(c.req.url).searchParams)
    const isVariant = parameters.width !== undefined || parameters.type !== undefined
    const variant = isVariant
      ? await scopes.runWithKey(await scopes.openForImage(c), (caller) => variants.resolve(image, parameters, caller))
      : { image }
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
