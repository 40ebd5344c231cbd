import { errorCauses } from '../../query/help/index.js'
import { isPageError, PageError, type PageData, type PageQuery, type ParsedQuery } from '../../query/index.js'
import type { Refund, Work } from '../budget/index.js'
import { CARD_HEADERS, htmlCard } from '../html-card/index.js'
import type { ImageVariants, MediaCache, MediaCacheStatus, MediaField } from '../media/index.js'
import { describeState, type ResolvedResult } from '../results/index.js'
import type { ImageName, Store } from '../store/index.js'
import { fileBody, type StreamedBody } from './file-body.js'
import { imageHeaders, playableHeaders, type FileSize } from './image-headers.js'
import { negotiateImageType } from './negotiate-image-type.js'
import { oembedDiscoveryUrl } from './oembed/index.js'
import type { Plan } from './plan.js'
import { jsonBody, textBody, type ResponseBody } from './response-body.js'

/** The dependencies and settings that produce an embedded body. */
export interface EmbedContext {
  /** URL of the service, without trailing slash. */
  base: string
  plan: Plan
  store: Store
  media: MediaCache
  variants: ImageVariants
  /** The header of the request. */
  accept: string | null
  readCardStyles: () => Promise<string>
  /** The id of the API key of the request, or a network address. */
  client: string
  signal: AbortSignal
  /** Called before a media file is fetched on behalf of this client; may throw `ERATE`. */
  consumeQuota: (work: Work) => Promise<Refund>
}

export type EmbedBody = (ResponseBody | StreamedBody) & {
  /** Set where it differs from that of the result, because a media file has a cache entry of its own. */
  cacheStatus?: MediaCacheStatus
}

/**
 * The body of a query with `embed`: a file, an HTML card, or one field of the data as text or JSON.
 *
 * @returns  `undefined` when a stored file is lost.
 * @throws   {PageError} `ENOEMBED` for a path without a value, and the errors of fetching a media file.
 */
export async function embedBody(
  result: ResolvedResult,
  data: PageData,
  parsed: ParsedQuery,
  context: EmbedContext,
): Promise<EmbedBody | undefined> {
  const path = embedPath(parsed.query)
  const [field, property] = path
  const { screenshot } = result.entry.body
  if (path.join('.') === 'html') return cardBody(data, parsed, context)
  if (path.join('.') === 'screenshot.url' && screenshot)
    return imageBody(screenshot.image, screenshot, parsed.query, context)
  if (path.join('.') === 'screenshot.url' && data.state)
    return ownImageBody(data, { result, query: parsed.query }, context)
  if (isMediaField(field) && property === 'url' && path.length === 2 && data[field])
    return mediaBody(data[field].url, field, { result, query: parsed.query }, context)
  return fieldBody(data, path)
}

/** The page's own image, which replaces the screenshot of a page that did not show its content. */
async function ownImageBody(
  data: PageData,
  source: { result: ResolvedResult; query: PageQuery },
  context: EmbedContext,
): Promise<EmbedBody | undefined> {
  if (!data.image) return fieldBody(data, ['screenshot', 'url'])
  try {
    const body = await mediaBody(data.image.url, 'image', source, context)
    return body && { ...body, headers: { ...body.headers, 'x-image-source': 'image' } }
  } catch (error) {
    // A failure of the service itself does not mean that the image cannot be embedded later.
    if (context.signal.aborted || !isPageError(error) || errorCauses[error.code] !== 'page') throw error
    return fieldBody(data, ['screenshot', 'url'])
  }
}

/** `true`, `screenshot` and `screenshot.url` all mean the screenshot; the other media fields have the same short form. */
function embedPath({ embed, screenshot }: PageQuery): string[] {
  if (embed === true) return screenshot ? ['screenshot', 'url'] : []
  const path = String(embed)
  return path === 'screenshot' || isMediaField(path) ? [path, 'url'] : path.split('.')
}

const isMediaField = (name: string | undefined): name is MediaField => /^(image|logo|audio|video)$/.test(name ?? '')

/** A stored image, or the variant of it that the query requests. */
async function imageBody(
  image: ImageName,
  size: Pick<FileSize, 'width' | 'height'>,
  { variant: { width, type } = {} }: PageQuery,
  { store, variants, accept, client, signal, consumeQuota }: EmbedContext,
): Promise<EmbedBody | undefined> {
  const isNegotiated = width !== undefined && type === undefined
  const parameters = { width, type: isNegotiated ? negotiateImageType(accept) : type }
  const request = { client, signal, consumeQuota: () => consumeQuota('variant') }
  const variant = await variants.resolve(image, parameters, request)
  return (
    variant &&
    fileBody(variant.image, store, (bytes) => ({
      ...imageHeaders(variant.image, { ...(variant.size ?? size), size: bytes }),
      ...(isNegotiated && { vary: 'accept' }),
    }))
  )
}

async function mediaBody(
  url: string,
  field: MediaField,
  { result: { entry, cacheStatus: resultStatus }, query }: { result: ResolvedResult; query: PageQuery },
  context: EmbedContext,
): Promise<EmbedBody | undefined> {
  const { media: cache, store, client, signal, consumeQuota } = context
  const { createdAt, subjects } = entry
  const { media, cacheStatus } = await cache.resolve(url, field, {
    createdAt,
    subjects,
    client,
    signal,
    consumeQuota: () => consumeQuota('media'),
  })
  const body =
    field === 'image' || field === 'logo'
      ? await imageBody(media.file, media, query, context)
      : await fileBody(media.file, store, (size) => playableHeaders(media.file, size))
  return body && cacheStatus !== 'HIT' && resultStatus !== 'BYPASS' ? { ...body, cacheStatus } : body
}

async function cardBody(
  data: PageData,
  parsed: ParsedQuery,
  { base, plan, readCardStyles }: EmbedContext,
): Promise<ResponseBody> {
  const discovery = oembedDiscoveryUrl(parsed, { base, plan })
  const card = htmlCard(data, parsed.query, { styles: await readCardStyles(), discovery })
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
