import { imageWidths } from '../../card/index.js'
import { invalidParameter, parseSearch } from '../../query/help/index.js'
import { PageError, requestUrl, type Media, type PageData, type ParsedQuery } from '../../query/index.js'
import type { RequestScope } from '../request-scope.js'
import { describeState } from '../page-state/index.js'
import { resolveResult, type ExtractionResult, type ResolvedResult } from '../results/index.js'
import type { AppParts } from './app-parts.js'
import { sendCompressed } from './content-coding.js'
import type { Router } from './request-scopes.js'
import { headersFromList, perRequestHeaders, readQuota, resultHeaders } from './response-headers.js'
import { jsonBody } from './response.js'

/** The parsed parameters of an oEmbed request. */
export interface OembedRequest {
  /** The query of the preview URL in the parameter `url`; its key or signature authorises the request. */
  preview: ParsedQuery
  /** The query that is resolved: the preview with a screenshot, and without `embed` and `filter`. */
  parsed: ParsedQuery
  /** Pixels; `Infinity` without limit. */
  maxWidth: number
  maxHeight: number
}

/** `GET /oembed?url=…`: a preview as an oEmbed photo. */
export function oembedRoute(router: Router, parts: AppParts): void {
  const { scopes, dailyLimit, clock } = parts
  router.get('/oembed', async (c) => {
    const { request } = c.var
    const oembed = parseOembedRequest(new URL(c.req.url).searchParams, request.base)
    const scope = await scopes.open(c, oembed.parsed, oembed.preview)
    const result = await scopes.run(scope, (limitedScope) => resolveResult(limitedScope, parts))
    c.set('cacheStatus', result.cacheStatus)
    const headers = {
      ...resultHeaders(result, scope, clock()),
      ...headersFromList(perRequestHeaders(result, request, await readQuota(request, dailyLimit), clock())),
    }
    return sendCompressed(c, parts, jsonBody(oembedPhoto(oembed, result, scope)), headers)
  })
}

/**
 * Parses `/oembed?url=…`, where `url` is the URL of a preview of this service, or of a page to preview.
 *
 * @param base  URL of the service, without trailing slash.
 * @throws      {PageError} `EINVALQUERY` for a format other than JSON and an invalid size, and what `parseSearch` throws.
 * @see         https://oembed.com/#section2.2
 */
export function parseOembedRequest(parameters: URLSearchParams, base: string): OembedRequest {
  if ((parameters.get('format') ?? 'json') !== 'json') throw invalidParameter('format', 'must be json')
  const url = parameters.get('url') ?? ''
  // A base with a path is written without a slash before its parameters.
  const isPreview = [`${base}/?`, `${base}?`].some((start) => url.startsWith(start))
  const query = isPreview ? new URL(url).searchParams : new URLSearchParams({ url, screenshot: 'true' })
  const preview = parseSearch(query).parsed
  return {
    preview,
    parsed: screenshotQuery(preview),
    maxWidth: parseSize(parameters, 'maxwidth'),
    maxHeight: parseSize(parameters, 'maxheight'),
  }
}

function screenshotQuery(preview: ParsedQuery): ParsedQuery {
  const { screenshot = true, ttl, staleTtl } = preview.query
  // An embedded image has a longer `ttl` by default, and the photo is that image.
  return preview.with({ screenshot, ttl, staleTtl, embed: undefined, filter: undefined })
}

function parseSize(parameters: URLSearchParams, name: string): number {
  const text = parameters.get(name)
  if (text === null) return Infinity
  if (/^[1-9]\d{0,5}$/.test(text)) return Number(text)
  throw invalidParameter(name, 'must be a whole number of pixels')
}

interface Photo {
  url: string
  /** Pixels. */
  width: number
  height: number
}

/** Parameters that are secret, or that oEmbed does not use. */
const OMITTED_PARAMETERS = {
  headers: undefined,
  embed: undefined,
  filter: undefined,
  keyId: undefined,
  expires: undefined,
  signature: undefined,
}

/**
 * The oEmbed URL of a preview, for the `<link>` of a page that everybody can read; on the pro host it carries the signature
 * of the query.
 *
 * @returns     `undefined` on the pro host without a signature: that preview needs a key, which must stay secret; nor with a
 *              signature that covers no screenshot.
 * @see         https://oembed.com/#section4
 */
export function oembedDiscoveryUrl({ parsed, query, base, plan }: RequestScope): string | undefined {
  const { signature, screenshot } = query
  if (plan === 'pro' && (signature === undefined || !screenshot)) return undefined
  // The signature covers all other parameters, so a signed query stays complete.
  const publicQuery = plan === 'pro' ? parsed : parsed.with(OMITTED_PARAMETERS)
  const search = new URLSearchParams({ url: requestUrl(publicQuery, base) }).toString()
  return `${base}/oembed?${search}`
}

/**
 * The oEmbed response to a request: a screenshot within `maxWidth` and `maxHeight`, or the page's own image or logo if the page
 * did not show its content. Its URL never contains an API key: on the pro host it is the URL of the stored image, which needs no key.
 *
 * @throws  {PageError} `ENOEMBED` when there is no image.
 * @see     https://oembed.com/#section2.3.4.1
 */
function oembedPhoto(
  request: OembedRequest,
  { entry, ttlMs }: ResolvedResult,
  scope: RequestScope,
): Record<string, unknown> {
  const { data } = entry.body
  const { title, publisher } = data
  const photo = screenshotPhoto(request, entry.body, scope) ?? ownPhoto(request, data)
  if (!photo) throw noPhotoError(data)
  return {
    version: '1.0',
    type: 'photo',
    ...photo,
    ...(title && { title }),
    ...(publisher && { author_name: publisher, author_url: request.parsed.query.url }),
    provider_name: 'Page Preview',
    provider_url: `${scope.base}/`,
    cache_age: Math.floor(ttlMs / 1_000),
  }
}

function screenshotPhoto(
  { parsed, maxWidth, maxHeight }: OembedRequest,
  { screenshot }: ExtractionResult,
  { base, plan }: RequestScope,
): Photo | undefined {
  if (!screenshot) return undefined
  const { image, width, height } = screenshot
  const imageUrl = `${base}/images/${image}`
  const scale = Math.min(1, maxWidth / width, maxHeight / height)
  return scale === 1
    ? { url: plan === 'pro' ? imageUrl : embedUrl(parsed, base), width, height }
    : scaledPhoto({ url: imageUrl, width, height }, scale)
}

/** The page's image, else its logo, with the size at which it is to be displayed: other sizes of it are not known. */
function ownPhoto({ maxWidth, maxHeight }: OembedRequest, { state, image, logo }: PageData): Photo | undefined {
  const { url, width, height } = (state && [image, logo].find(isPhoto)) || {}
  if (!url || !width || !height) return undefined
  const scale = Math.min(1, maxWidth / width, maxHeight / height)
  return { url, width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) }
}

const isPhoto = (media: Media | null | undefined) =>
  Boolean(media?.width && media.height && /^https?:/i.test(media.url))

const noPhotoError = ({ state }: PageData) =>
  state
    ? new PageError('ENOEMBED', `There is no image of this page: it ${describeState(state)}.`, {
        data: { url: `${state}: the page ${describeState(state)}` },
      })
    : new PageError('ENOEMBED', 'There is no screenshot of this page.', { data: { url: 'has no screenshot' } })

/** The largest variant that fits; if none does, the smallest one, with the size at which it has to be displayed. */
function scaledPhoto({ url, width, height }: Photo, scale: number): Photo {
  const variantWidth = imageWidths.findLast((offered) => offered <= width * scale)
  const displayScale = variantWidth ? variantWidth / width : scale
  return {
    url: `${url}?w=${variantWidth ?? imageWidths[0]}`,
    width: Math.max(1, Math.round(width * displayScale)),
    height: Math.max(1, Math.round(height * displayScale)),
  }
}

const embedUrl = (parsed: ParsedQuery, base: string) =>
  requestUrl(parsed.withoutApiKey().with({ embed: 'screenshot.url' }), base)
