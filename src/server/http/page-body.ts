import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseAccept } from 'hono/utils/accept'
import { filterData } from '../../card/index.js'
import { errorCauses } from '../../query/help/index.js'
import { isPageError, PageError, type PageData, type PageQuery, type PageResponse } from '../../query/index.js'
import { CARD_HEADERS, htmlCard } from '../html-card.js'
import { loadOnce } from '../jobs/index.js'
import { createMediaCache, type MediaCache, type MediaCacheStatus, type MediaField } from '../media/index.js'
import type { RequestScope } from '../request-scope.js'
import { describeState, type ExtractionResult, type ResolvedResult } from '../results/index.js'
import type { ImageName } from '../store/index.js'
import type { AppParts } from './app-parts.js'
import { oembedDiscoveryUrl } from './oembed.js'
import { fileBody, jsonBody, textBody, type ResponseBody, type StreamedBody } from './response.js'
import { imageHeaders, playableHeaders, type FileSize } from './response-headers.js'

export type PageBody = (ResponseBody | StreamedBody) & {
  /** Set if it differs from that of the result, because a media file has a cache entry of its own. */
  cacheStatus?: MediaCacheStatus
}

/**
 * Creates the body of a page's response: the JSON with all data, or what `embed` selects of it: a file, an HTML card, or one field of
 * the data as text or JSON.
 *
 * @returns  `undefined` when a stored file is lost; the store has then removed the cache entry that refers to it.
 * @throws   {PageError} `ENOEMBED` for a path without a value, and the errors of fetching an embedded media file.
 */
export type CreatePageBody = (result: ResolvedResult, scope: RequestScope) => Promise<PageBody | undefined>

/** What bodies are made of besides the result. */
interface Sources extends Pick<AppParts, 'parts' | 'variants'> {
  media: MediaCache
  readCardStyles: () => Promise<string>
}

/** No browser sends a longer one. */
const MAX_ACCEPT_CHARS = 1_024

export function createPageBodies({ parts, variants, assetsDir }: AppParts): CreatePageBody {
  // After a failure the next request tries again: a build may be in progress.
  const readCardStyles = loadOnce(() => readFile(join(assetsDir, 'styles.css'), 'utf8'))
  const sources: Sources = { parts, variants, media: createMediaCache(parts), readCardStyles }
  return async (result, scope) => {
    const data = dataOf(result.entry.body, scope.base)
    const { embed, filter } = scope.query
    if (embed !== undefined && embed !== false) return embedBody(result, data, scope, sources)
    return jsonBody(pageResponse(result, filter === undefined ? data : filterData(data, String(filter))))
  }
}

function dataOf({ data, screenshot }: ExtractionResult, base: string): PageData {
  if (!screenshot) return screenshot === null ? { ...data, screenshot } : data
  const { image, ...properties } = screenshot
  return { ...data, screenshot: { url: `${base}/images/${image}`, ...properties } }
}

function pageResponse({ entry, warnings }: ResolvedResult, data: PageData): PageResponse {
  const { statusCode, headers, redirects } = entry.body
  const allWarnings = [...entry.body.warnings, ...warnings]
  return {
    status: 'success',
    data,
    statusCode,
    headers,
    redirects,
    ...(allWarnings.length > 0 && { warnings: allWarnings }),
  }
}

async function embedBody(
  result: ResolvedResult,
  data: PageData,
  scope: RequestScope,
  sources: Sources,
): Promise<PageBody | undefined> {
  const path = embedPath(scope.query)
  const [field, property] = path
  const { screenshot } = result.entry.body
  if (path.join('.') === 'html') return cardBody(data, scope, sources)
  if (path.join('.') === 'screenshot.url' && screenshot) return imageBody(screenshot.image, screenshot, scope, sources)
  if (path.join('.') === 'screenshot.url' && data.state) return ownImageBody(result, data, scope, sources)
  if (isMediaField(field) && property === 'url' && path.length === 2 && data[field])
    return mediaBody(data[field].url, field, result, scope, sources)
  return fieldBody(data, path)
}

/** `true`, `screenshot` and `screenshot.url` all mean the screenshot; the other media fields have the same short form. */
function embedPath({ embed, screenshot }: PageQuery): string[] {
  if (embed === true) return screenshot ? ['screenshot', 'url'] : []
  const path = String(embed)
  return path === 'screenshot' || isMediaField(path) ? [path, 'url'] : path.split('.')
}

const isMediaField = (name: string | undefined): name is MediaField => /^(image|logo|audio|video)$/.test(name ?? '')

/** The page's own image, which replaces the screenshot of a page that did not show its content. */
async function ownImageBody(
  result: ResolvedResult,
  data: PageData,
  scope: RequestScope,
  sources: Sources,
): Promise<PageBody | undefined> {
  if (!data.image) return fieldBody(data, ['screenshot', 'url'])
  try {
    const body = await mediaBody(data.image.url, 'image', result, scope, sources)
    return body && { ...body, headers: { ...body.headers, 'x-image-source': 'image' } }
  } catch (error) {
    // A failure of the service itself does not mean that the image cannot be embedded later.
    if (scope.signal.aborted || !isPageError(error) || errorCauses[error.code] !== 'page') throw error
    return fieldBody(data, ['screenshot', 'url'])
  }
}

/** A stored image, or the variant of it that the query requests. */
async function imageBody(
  image: ImageName,
  size: Pick<FileSize, 'width' | 'height'>,
  scope: RequestScope,
  { parts, variants }: Sources,
): Promise<PageBody | undefined> {
  const { variant: { width, type } = {} } = scope.query
  const isNegotiated = width !== undefined && type === undefined
  const parameters = { width, type: isNegotiated ? negotiateImageType(scope.accept) : type }
  const variant = await variants.resolve(image, parameters, scope)
  return (
    variant &&
    fileBody(variant.image, parts.store, (bytes) => ({
      ...imageHeaders(variant.image, { ...(variant.size ?? size), size: bytes }),
      ...(isNegotiated && { vary: 'accept' }),
    }))
  )
}

/**
 * Selects WebP if a client names it in its `accept` header. AVIF is delivered only when `variant.type` requests it, because
 * it takes several times as long to encode.
 *
 * @returns  `undefined`: the image keeps its own type.
 */
function negotiateImageType(accept: string | null): 'webp' | undefined {
  if (!accept || accept.length > MAX_ACCEPT_CHARS) return undefined
  return parseAccept(accept).some(({ type, q }) => type.toLowerCase() === 'image/webp' && q > 0) ? 'webp' : undefined
}

async function mediaBody(
  url: string,
  field: MediaField,
  result: ResolvedResult,
  scope: RequestScope,
  sources: Sources,
): Promise<PageBody | undefined> {
  const { media, cacheStatus } = await sources.media.resolve(url, field, result.entry, scope)
  const body =
    field === 'image' || field === 'logo'
      ? await imageBody(media.file, media, scope, sources)
      : await fileBody(media.file, sources.parts.store, (size) => playableHeaders(media.file, size))
  return body && cacheStatus !== 'HIT' && result.cacheStatus !== 'BYPASS' ? { ...body, cacheStatus } : body
}

async function cardBody(data: PageData, scope: RequestScope, { readCardStyles }: Sources): Promise<ResponseBody> {
  const discovery = oembedDiscoveryUrl(scope)
  const card = htmlCard(data, scope.query, { styles: await readCardStyles(), discovery })
  return textBody(card, 'text/html; charset=utf-8', {
    ...CARD_HEADERS,
    ...(discovery && { link: `<${discovery}>; rel="alternate"; type="application/json+oembed"` }),
  })
}

function fieldBody(data: PageData, path: string[]): ResponseBody {
  const value = path.length ? valueAt(data, path) : undefined
  if (value === undefined || value === null) throw noValueError(data, path)
  return typeof value === 'string' ? textBody(value, 'text/plain; charset=utf-8') : jsonBody(value)
}

function noValueError({ state }: PageData, path: string[]): PageError {
  const name = path.join('.') || 'true'
  if (state && path[0] === 'screenshot') {
    const reason = `${describeState(state)}, and no image of its own can be reached`
    return new PageError('ENOEMBED', `There is nothing for embed=${name}: the page ${reason}.`, {
      data: { embed: `${state}: the page ${reason}` },
    })
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
