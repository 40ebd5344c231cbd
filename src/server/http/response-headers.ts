import { createHash } from 'node:crypto'
import { ALLOW_HOSTS_HEADER } from '../../query/help/index.js'
import type { PageError } from '../../query/index.js'
import type { CacheStatus, ResolvedResult } from '../results/index.js'
import type { DailyLimit, QuotaState } from '../budget/index.js'
import { contentTypeOf } from '../media/index.js'
import type { RequestScope } from '../request-scope.js'
import type { ImageName } from '../store/index.js'
import type { ReceivedRequest } from './request-scopes.js'

/** Values of `cache-status`: https://www.rfc-editor.org/rfc/rfc9211 */
const CACHE_STATUS: Readonly<Record<CacheStatus, string>> = {
  HIT: 'hit',
  STALE: 'hit; detail=stale',
  MISS: 'fwd=miss; stored',
  BYPASS: 'fwd=request; stored',
}

export const JSON_TYPE = 'application/json; charset=utf-8'
const ALLOWED_METHODS = 'GET, HEAD, OPTIONS'
const CREDENTIAL_HEADERS = ['authorization', 'cookie']

const EXPOSED_HEADERS = [
  'x-cache-status',
  'x-timestamp',
  'x-cache-ttl',
  'age',
  'cache-status',
  'etag',
  'cache-control',
  'x-request-id',
  'x-response-time',
  'x-fetch-mode',
  'x-pricing-plan',
  'server-timing',
  'x-rate-limit-limit',
  'x-rate-limit-remaining',
  'x-rate-limit-reset',
  'ratelimit-policy',
  'ratelimit',
  'retry-after',
  'x-image-width',
  'x-image-height',
  'x-image-size',
  'x-image-source',
].join(', ')

/**
 * Every origin may read every response with all its headers, because no response depends on cookies or the origin. Hono's `cors` would add
 * them to responses in the router only, and those from memory do not pass it.
 */
export const corsHeaders = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': EXPOSED_HEADERS,
}

/** The response to `OPTIONS`. */
export const preflightHeaders = {
  ...corsHeaders,
  'access-control-allow-methods': ALLOWED_METHODS,
  'access-control-allow-headers': 'x-api-key',
  'access-control-max-age': '86400',
}

export const immutable = { 'cache-control': 'public, max-age=31536000, immutable' }
export const cachedBriefly = { 'cache-control': 'public, max-age=300' }
export const notCached = { 'x-content-type-options': 'nosniff', 'cache-control': 'no-store' }

/** The headers of a built file, which any page may load. */
export const assetHeaders = {
  ...corsHeaders,
  'cross-origin-resource-policy': 'cross-origin',
  'x-content-type-options': 'nosniff',
}

/** Results are untrusted, and the playground has a key: only its own scripts may run, and no other page may frame it. */
export const playgroundHeaders = {
  ...assetHeaders,
  'cache-control': 'no-cache',
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; font-src 'self' data:; img-src http: https: data: blob:; " +
    "media-src http: https: blob:; connect-src http: https:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
}

/** The headers of a page without scripts and images. */
export const aboutHeaders = {
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
}

/**
 * The headers of an HTML card, which needs no script, no frame, and nothing but images from elsewhere. Any page may frame it.
 *
 * @param discovery  URL of its oEmbed response, if it is public.
 */
export const cardHeaders = (discovery: string | undefined): Record<string, string> => ({
  'content-security-policy':
    "default-src 'none'; img-src http: https: data:; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'",
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'cross-origin',
  'timing-allow-origin': '*',
  ...(discovery && { link: `<${discovery}>; rel="alternate"; type="application/json+oembed"` }),
})

/** The headers of an error; `requestHeaders` adds the others. */
export const errorHeaders = ({ status, retryAfterMs }: PageError): Record<string, string> => ({
  ...corsHeaders,
  ...notCached,
  'content-type': JSON_TYPE,
  ...(retryAfterMs !== undefined && { 'retry-after': String(Math.max(1, Math.ceil(retryAfterMs / 1_000))) }),
  ...(status === 401 && { 'www-authenticate': 'ApiKey realm="page-preview"' }),
  ...(status === 405 && { allow: ALLOWED_METHODS }),
})

/**
 * The headers that every response from one cache entry shares; `perRequestHeaders` adds the others. With credentials among the headers
 * that are sent to the page, the result is private.
 */
export const resultHeaders = (result: ResolvedResult, scope: RequestScope, now: number): Record<string, string> => ({
  ...corsHeaders,
  'x-timestamp': String(result.entry.createdAt),
  'x-cache-ttl': String(result.ttlMs),
  'x-fetch-mode': result.entry.body.fetchMode,
  'server-timing': serverTiming(result.entry.body.timings),
  // A restricted request has its own results.
  vary: ALLOW_HOSTS_HEADER,
  'cache-control': cacheControl(result, scope, now),
})

/** Counts from this response and not from the creation of the result, because some caches do not subtract `age`. */
function cacheControl(
  { ttlMs, staleTtlMs }: ResolvedResult,
  { query, isPublic, expiresAt }: RequestScope,
  now: number,
): string {
  const isPrivate = !isPublic || CREDENTIAL_HEADERS.some((name) => Object.hasOwn(query.headers ?? {}, name))
  // Until the URL is refused.
  const remainingS = Math.max(0, Math.floor((expiresAt - now) / 1_000))
  const ttlS = Math.min(remainingS, Math.floor(ttlMs / 1_000))
  const freshS = Math.min(remainingS, Math.floor((staleTtlMs === false ? ttlMs : staleTtlMs) / 1_000))
  const staleS = ttlS - freshS
  const whileStale = staleS > 0 ? `, stale-while-revalidate=${staleS}, stale-if-error=${staleS}` : ''
  return `${isPrivate ? 'private' : 'public'}, max-age=${freshS}${whileStale}`
}

/** The quota that is left now, which headers report; `undefined` on the pro host, which has no daily limit. */
export const readQuota = async (
  { plan, network }: ReceivedRequest,
  dailyLimit: DailyLimit,
): Promise<QuotaState | undefined> => (plan === 'free' ? dailyLimit.readState(network) : undefined)

/**
 * The headers of a result that change with time and request; names and values alternate, because a list costs a cached
 * response much less than an object.
 */
export function perRequestHeaders(
  { entry, cacheStatus, ttlMs }: ResolvedResult,
  request: ReceivedRequest,
  quota: QuotaState | undefined,
  now: number,
): string[] {
  const ageS = Math.max(0, Math.floor((now - entry.createdAt) / 1_000))
  const remainingS = Math.floor((entry.createdAt + ttlMs - now) / 1_000)
  return [
    'x-cache-status',
    cacheStatus,
    'age',
    String(ageS),
    'cache-status',
    `page-preview; ${CACHE_STATUS[cacheStatus]}; ttl=${remainingS}`,
    ...requestHeaders(request, quota),
  ]
}

/** The headers of every response, also of an error; names and values alternate. */
export function requestHeaders(
  { requestId, startedAt, plan }: ReceivedRequest,
  quota: QuotaState | undefined,
): string[] {
  const elapsedMs = Math.round(Math.max(0, performance.now() - startedAt) * 10) / 10
  const headers = ['x-request-id', requestId, 'x-pricing-plan', plan, 'x-response-time', `${elapsedMs}ms`]
  return quota ? headers.concat(quota.headers) : headers
}

/** An object from a list in which names and values alternate. */
export const headersFromList = (list: readonly string[]): Record<string, string> =>
  Object.fromEntries(Array.from({ length: list.length / 2 }, (_, index) => [list[index * 2], list[index * 2 + 1]]))

const serverTiming = (timings: Record<string, number>) =>
  Object.entries(timings)
    .map(([step, ms]) => `${step};dur=${ms.toFixed(1)}`)
    .join(', ')

/** The headers that responses from one result share, and the headers of their body; both may name request headers in `vary`. */
export function mergeHeaders(
  shared: Readonly<Record<string, string>>,
  body: Readonly<Record<string, string>>,
): Record<string, string> {
  const vary = [shared.vary, body.vary].filter((names) => names !== undefined).join(', ')
  return { ...shared, ...body, ...(vary && { vary }) }
}

const PUBLIC_IMAGE_NAME = /^[a-f\d]{64}\.(jpg|png|webp|avif)$/

/** Size of an image, or of a media file, which has no width and height. */
export interface FileSize {
  /** Pixels. */
  width: number | null
  height: number | null
  /** Bytes. */
  size: number
}

export const isPublicImageName = (name: string): name is ImageName => PUBLIC_IMAGE_NAME.test(name)

/** Headers of a stored file: every page may embed it, and no browser runs it as a document. */
export function fileHeaders(file: ImageName): Record<string, string> & { etag: string } {
  const [hash, type] = file.split('.') as [string, string]
  return {
    'content-type': contentTypeOf(type),
    etag: `"${hash}"`,
    // An SVG that is opened in a tab of its own could run scripts; `attachment` prevents that, and `<img>` ignores it.
    'content-disposition': type === 'svg' ? 'attachment; filename="image.svg"' : 'inline',
    'x-content-type-options': 'nosniff',
    'content-security-policy': "sandbox; default-src 'none'",
    'cross-origin-resource-policy': 'cross-origin',
    'timing-allow-origin': '*',
  }
}

/** `fileHeaders` with the image's size, because an embedded image comes without JSON. */
export const imageHeaders = (
  file: ImageName,
  { width, height, size, isNegotiated }: FileSize & { isNegotiated: boolean },
): Record<string, string> => ({
  ...fileHeaders(file),
  ...(width && { 'x-image-width': String(width) }),
  ...(height && { 'x-image-height': String(height) }),
  'x-image-size': String(size),
  ...(isNegotiated && { vary: 'accept' }),
})

/** Headers of audio and video, which accept range requests, because players need them to seek. */
export const playableHeaders = (file: ImageName, bytes: number): Record<string, string> => ({
  ...fileHeaders(file),
  'accept-ranges': 'bytes',
  'x-image-size': String(bytes),
})

/** The headers of content that has no name in the store, and `others`. */
export const contentHeaders = (
  bytes: Uint8Array,
  type: string,
  others?: Readonly<Record<string, string>>,
): Record<string, string> => ({
  'content-type': type,
  etag: etagOf(bytes),
  'x-content-type-options': 'nosniff',
  ...others,
})

/** A strong etag of the content. Hono's `etag` would read and hash the body of each response again. */
const etagOf = (bytes: Uint8Array): string => `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 27)}"`

/**
 * Whether an `if-none-match` header contains an etag, by the weak comparison that HTTP prescribes for it.
 *
 * @see  https://www.rfc-editor.org/rfc/rfc9110#section-13.1.2
 */
export function matchesEtag(ifNoneMatch: string | null | undefined, etag: string | undefined): boolean {
  if (!ifNoneMatch || etag === undefined) return false
  // An opaque tag has its quotes and none within, so if a list contains its text, it contains the tag.
  return ifNoneMatch.trim() === '*' || ifNoneMatch.includes(etag.replace(/^W\//, ''))
}
