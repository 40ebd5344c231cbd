import type { Context } from 'hono'
import { parseAccept } from 'hono/utils/accept'
import { errorCauses, parseSearch } from '../../query/help/index.js'
import { isPageError, PageError, type PageData, type PageQuery } from '../../query/index.js'
import { htmlCard } from '../html-card.js'
import { limitsOf } from '../images/index.js'
import {
  listTiles,
  MEDIA_FIELDS,
  type MediaCacheStatus,
  type MediaField,
  type VariantParameters,
} from '../media/index.js'
import type { RequestScope } from '../request-scope.js'
import { isHtml, parseContentType } from '../page/index.js'
import { describeState } from '../page-state/index.js'
import { dataOf, resolveResult, toPageResponse, type ResolvedResult } from '../results/index.js'
import type { ImageName } from '../store/index.js'
import type { AppParts } from './app-parts.js'
import { negotiateEncoding } from './content-coding.js'
import { oembedDiscoveryUrl } from './oembed.js'
import { playgroundPath, type Router, type RouterEnv } from './request-scopes.js'
import {
  cardHeaders,
  headersFromList,
  imageHeaders,
  perRequestHeaders,
  playableHeaders,
  readQuota,
  resultHeaders,
  type FileSize,
} from './response-headers.js'
import { fileBody, jsonBody, sendBody, textBody, type ResponseBody, type StreamedBody } from './response.js'

type PageBody = (ResponseBody | StreamedBody) & {
  /** Set if it differs from the cache status of the result, because a media file has its own cache entry. */
  cacheStatus?: MediaCacheStatus
}

/** What a request gets. */
interface Preview {
  result: ResolvedResult
  body: PageBody
}

const ATTEMPTS = 2
const TILE_PATH = /^screenshot\.tiles\.(\d{1,4})\.url$/
/** No browser sends a longer one. */
const MAX_ACCEPT_CHARS = 1_024
const withoutQuota = async () => async () => {}

/** `GET /?url=…`: a preview; without `url`, browsers are redirected to the playground. */
export function pageRoute(router: Router, parts: AppParts): void {
  router.get('/', async (c) => {
    const isFromBrowser = c.req.header('accept')?.includes('text/html')
    const { searchParams } = new URL(c.req.url)
    if (isFromBrowser && !searchParams.has('url')) return c.redirect(playgroundPath(c.var.request))
    const lastPurge = parts.store.purges.lastPurge()
    const { parsed, warnings } = parseSearch(searchParams)
    const scope = await parts.scopes.open(c, parsed)
    const preview = await parts.scopes
      .run(scope, (limitedScope) => resolvePreview(limitedScope, warnings, parts))
      .catch((error: unknown) => {
        // What is refused now, such as a host that the operator has just denied, is not served from memory either.
        if (isPageError(error) && error.code === 'EFORBIDDENURL') parts.responseCache.delete(c.req.url)
        throw error
      })
    return toResponse(c, scope, preview, parts, lastPurge)
  })
}

/**
 * Resolves a result and its body; when the file of a cached result is lost, the page is extracted again.
 *
 * @param warnings  About the request itself.
 */
async function resolvePreview(scope: RequestScope, warnings: readonly string[], parts: AppParts): Promise<Preview> {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const resolved = await resolveResult(scope, parts)
    const result = { ...resolved, warnings: [...warnings, ...resolved.warnings] }
    const wasCached = result.cacheStatus === 'HIT' || result.cacheStatus === 'STALE'
    // The extraction has consumed quota already: the quota of this request, or of the request that it has joined.
    const body = await createBody(result, wasCached ? scope : { ...scope, consumeQuota: withoutQuota }, parts)
    if (body) return { result: { ...result, cacheStatus: body.cacheStatus ?? result.cacheStatus }, body }
  }
  throw new PageError('EFATAL', 'The stored screenshot is lost; request it again with force=true.')
}

/** @param lastPurge  Number of the last purge when the request came. */
async function toResponse(
  c: Context<RouterEnv>,
  scope: RequestScope,
  { result, body: plainBody }: Preview,
  { store, clock, dailyLimit, compress, responseCache }: AppParts,
  lastPurge: number | undefined,
): Promise<Response> {
  const headers = resultHeaders(result, scope, clock())
  const encoding = negotiateEncoding(c.req.header('accept-encoding'))
  const { client, signal } = scope
  const body = 'bytes' in plainBody ? await compress(plainBody, { encoding, client, signal }) : plainBody
  const isCacheable = store.purges.lastPurge() === lastPurge && isShareable(result, plainBody, scope)
  if (isCacheable && 'bytes' in body)
    responseCache.set(c.req.url, encoding, { ...result, cacheStatus: 'HIT' }, { body, headers })
  const { request } = c.var
  const ownHeaders = perRequestHeaders(result, request, await readQuota(request, dailyLimit), clock())
  const response = sendBody(c.req.raw, body, { ...headers, ...headersFromList(ownHeaders) })
  c.set('cacheStatus', result.cacheStatus)
  return response
}

/**
 * Whether the response may be served to others from memory, which identifies requests by their URL and content coding only. Pro
 * responses need authorization each time, and stale ones a revalidation; ranges and negotiated types are not cached.
 */
const isShareable = (
  { cacheStatus }: ResolvedResult,
  { headers }: PageBody,
  { plan, query, allowedHosts }: RequestScope,
) =>
  plan === 'free' &&
  !allowedHosts &&
  !query.force &&
  cacheStatus !== 'STALE' &&
  !headers['accept-ranges'] &&
  !headers.vary

/**
 * The body of a page's response: the JSON with all data, or what `embed` selects of it: a file, an HTML card, or one field of
 * the data as text or JSON.
 *
 * @returns  `undefined` when a stored file is lost; the store has then removed the cache entry that refers to it.
 * @throws   {PageError} `ENOEMBED` for a path without a value, and the errors of fetching an embedded media file.
 */
async function createBody(result: ResolvedResult, scope: RequestScope, parts: AppParts): Promise<PageBody | undefined> {
  const data = withTiles(dataOf(result.entry.body, scope), result, scope)
  const { embed } = scope.query
  if (embed !== undefined && embed !== false) return embedBody(result, data, scope, parts)
  return jsonBody(toPageResponse(result, data, scope.query))
}

/** The data with the tiles of its screenshot, if they are requested. */
function withTiles(data: PageData, { entry }: ResolvedResult, { query, base }: RequestScope): PageData {
  const { screenshot } = entry.body
  if (!query.variant?.tiles || !screenshot) return data
  return { ...data, screenshot: { ...data.screenshot!, tiles: listTiles(screenshot, query.variant, base) } }
}

async function embedBody(
  result: ResolvedResult,
  data: PageData,
  scope: RequestScope,
  parts: AppParts,
): Promise<PageBody | undefined> {
  const path = embedPath(scope.query)
  const [field, property] = path
  const { screenshot } = result.entry.body
  if (path.join('.') === 'html') return cardBody(data, scope, parts)
  if (path.join('.') === 'screenshot.url' && screenshot) return imageBody(screenshot.image, screenshot, scope, parts)
  const [, tile] = TILE_PATH.exec(path.join('.')) ?? []
  if (tile && screenshot && listTiles(screenshot, scope.query.variant ?? {}, scope.base)?.[Number(tile)])
    return imageBody(screenshot.image, screenshot, scope, parts, Number(tile))
  if (path.join('.') === 'screenshot.url' && screenshot === null) return ownImageBody(result, data, scope, parts)
  if (isMediaField(field) && property === 'url' && path.length === 2 && data[field])
    return mediaBody(data[field].url, field, result, scope, parts)
  return fieldBody(data, path)
}

/** `true`, `screenshot` and `screenshot.url` all mean the screenshot; the other media fields have the same short form. */
function embedPath({ embed, screenshot }: PageQuery): string[] {
  if (embed === true) return screenshot ? ['screenshot', 'url'] : []
  const path = String(embed)
  return path === 'screenshot' || isMediaField(path) ? [path, 'url'] : path.split('.')
}

const isMediaField = (name: string | undefined): name is MediaField => MEDIA_FIELDS.some((field) => field === name)

/** The page's own image, which replaces the screenshot of a page that did not show its content, or of a file. */
async function ownImageBody(
  result: ResolvedResult,
  data: PageData,
  scope: RequestScope,
  parts: AppParts,
): Promise<PageBody | undefined> {
  const isFile = !isHtml(parseContentType(result.entry.body.headers['content-type']))
  if (!data.image) return fieldBody(data, ['screenshot', 'url'], isFile)
  try {
    const body = await mediaBody(data.image.url, 'image', result, scope, parts)
    return body && { ...body, headers: { ...body.headers, 'x-image-source': 'image' } }
  } catch (error) {
    // A failure of the service itself does not mean that the image cannot be embedded later.
    if (scope.signal.aborted || !isPageError(error) || errorCauses[error.code] !== 'page') throw error
    return fieldBody(data, ['screenshot', 'url'], isFile)
  }
}

/** A stored image, or the variant of it that the query requests. */
async function imageBody(
  image: ImageName,
  size: Pick<FileSize, 'width' | 'height'>,
  scope: RequestScope,
  { store, variants }: AppParts,
  tile?: number,
): Promise<PageBody | undefined> {
  const { variant: { type, tiles: _, ...resizing } = {} } = scope.query
  const isNegotiated = Object.keys(resizing).length > 0 && type === undefined
  const preferredType = isNegotiated ? negotiateImageType(scope.accept, sideOf(size, resizing)) : undefined
  const variant = await variants.resolve(image, { ...resizing, type, preferredType, tile }, scope)
  return (
    variant &&
    fileBody(variant.image, store.images, (bytes) =>
      imageHeaders(variant.image, { ...(variant.size ?? size), size: bytes, isNegotiated }),
    )
  )
}

/** The longer side of an image in pixels, after it is scaled down; 0 if its size is unknown. */
function sideOf({ width, height }: Pick<FileSize, 'width' | 'height'>, resizing: VariantParameters): number {
  const scale = Math.min(1, (resizing.width ?? Infinity) / (width ?? 0))
  return Math.min(Math.max(width ?? 0, height ?? 0) * scale, resizing.maxSide ?? Infinity)
}

/**
 * Selects WebP if a client names it in its `accept` header, and if an image may have so many pixels on its longer side. AVIF is
 * delivered only when `variant.type` requests it, because it takes several times as long to encode.
 *
 * @returns  `undefined`: the image keeps its own type.
 */
function negotiateImageType(accept: string | null, side: number): 'webp' | undefined {
  if (!accept || accept.length > MAX_ACCEPT_CHARS || side > limitsOf('webp').maxSide) return undefined
  return parseAccept(accept).some(({ type, q }) => type.toLowerCase() === 'image/webp' && q > 0) ? 'webp' : undefined
}

async function mediaBody(
  url: string,
  field: MediaField,
  result: ResolvedResult,
  scope: RequestScope,
  parts: AppParts,
): Promise<PageBody | undefined> {
  const { media, cacheStatus } = await parts.media.resolve(url, field, result.entry, scope)
  const body =
    field === 'image' || field === 'logo'
      ? await imageBody(media.file, media, scope, parts)
      : await fileBody(media.file, parts.store.images, (size) => playableHeaders(media.file, size))
  return body && cacheStatus !== 'HIT' && result.cacheStatus !== 'BYPASS' ? { ...body, cacheStatus } : body
}

async function cardBody(data: PageData, scope: RequestScope, { readCardStyles }: AppParts): Promise<ResponseBody> {
  const discovery = oembedDiscoveryUrl(scope)
  const card = htmlCard(data, scope.query, { styles: await readCardStyles(), discovery })
  return textBody(card, 'text/html; charset=utf-8', cardHeaders(discovery))
}

function fieldBody(data: PageData, path: string[], isFile = false): ResponseBody {
  const value = path.length ? valueAt(data, path) : undefined
  if (value === undefined || value === null) throw noValueError(data, path, isFile)
  return typeof value === 'string' ? textBody(value, 'text/plain; charset=utf-8') : jsonBody(value)
}

function noValueError({ state, screenshot }: PageData, path: string[], isFile: boolean): PageError {
  const name = path.join('.') || 'true'
  if (state && path[0] === 'screenshot') {
    const reason = `${describeState(state)}, and none of its own images can be reached`
    return new PageError('ENOEMBED', `embed=${name} has no value: the page ${reason}.`, {
      data: { embed: `${state}: the page ${reason}` },
    })
  }
  if (screenshot === null && path[0] === 'screenshot') {
    const reason = `there is no screenshot of this ${isFile ? 'file' : 'page'}`
    return new PageError('ENOEMBED', `embed=${name} has no value: ${reason}.`, { data: { embed: reason } })
  }
  return new PageError('ENOEMBED', `The page has no value for embed=${name}.`, {
    data: { embed: path.length ? 'has no value' : 'needs screenshot, or the path of a field' },
  })
}

const valueAt = (data: unknown, path: string[]): unknown =>
  path.reduce<unknown>(
    (value, key) =>
      typeof value === 'object' && value !== null && Object.hasOwn(value, key) ? value[key as never] : undefined,
    data,
  )
