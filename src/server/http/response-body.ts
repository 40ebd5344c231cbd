import { PageError, type PageResponse, type PageData, type PageQuery } from '../../query/index.js'
import type { CacheStatus, ExtractionResult, ResolvedResult } from '../results/index.js'
import type { MediaCache, MediaField } from '../media/index.js'
import type { ImageName, Store } from '../store/index.js'
import { etagOf } from './etag.js'
import { CARD_HEADERS, htmlCard } from './html-card.js'
import { imageHeaders, mediaHeaders } from './image-headers.js'
import { discoveryUrl } from './oembed.js'
import type { Plan } from './plan.js'

/** Ready-to-send bytes and the headers that belong to them. */
export interface ResponseBody {
  bytes: Uint8Array<ArrayBuffer>
  headers: Record<string, string>
  /** Only where it is another than that of the answer. */
  status?: CacheStatus
}

/** What a body is made with, beside the answer. */
export interface BodySources {
  /** Address of the service, without slash at the end: where the kept images are. */
  base: string
  /** Which host that is. */
  plan: Plan
  store: Store
  media: MediaCache
  /** The stylesheet of cards. */
  styles: () => Promise<string>
  signal: AbortSignal
  /** Called before a found medium is fetched; may refuse by throwing. */
  consumeQuota: () => Promise<void>
}

const JSON_TYPE = 'application/json; charset=utf-8'

/**
 * The bytes that a query asks for: the JSON envelope, or with `embed` one field itself, or a card.
 *
 * @returns  `undefined` when the bytes of a kept file are lost: the store has forgotten then what named them.
 * @throws   {PageError} `ENOEMBED` for a path that leads to nothing, and what a found medium says.
 */
export async function responseBody(
  given: ResolvedResult,
  query: PageQuery,
  sources: BodySources,
): Promise<ResponseBody | undefined> {
  const { kept } = given
  const data = dataOf(kept.body, sources.base)
  const path = embedPath(query)
  if (path === undefined) return textBody(JSON.stringify(envelope(given, filtered(data, query))), JSON_TYPE)
  if (path.join() === 'html') return cardBody(data, query, sources)
  if (path.join('.') === 'screenshot.url' && kept.body.screenshot)
    return fileBody(kept.body.screenshot.image, sources.store, (size) =>
      imageHeaders(kept.body.screenshot!.image, { ...kept.body.screenshot!, size }),
    )
  const [field, part] = path
  if (isMediaField(field) && part === 'url' && path.length === 2 && data[field]) {
    const { media, status } = await sources.media.give(data[field].url, field, {
      ...sources,
      createdAt: kept.createdAt,
    })
    const body = await fileBody(media.file, sources.store, (size) =>
      mediaHeaders(media.file, field, { ...media, size }),
    )
    return body && status !== 'HIT' && given.status !== 'BYPASS' ? { ...body, status } : body
  }
  const value = valueAt(data, path)
  if (value === undefined || value === null)
    throw new PageError('ENOEMBED', `Nothing was found at embed=${path.join('.') || 'true'}.`, {
      data: { embed: path.length ? 'leads to nothing' : 'needs screenshot, or the path of a field' },
    })
  return typeof value === 'string'
    ? textBody(value, 'text/plain; charset=utf-8')
    : textBody(JSON.stringify(value), JSON_TYPE)
}

export function textBody(text: string, type: string, headers: Record<string, string> = {}): ResponseBody {
  const bytes = new TextEncoder().encode(text)
  return {
    bytes,
    headers: { 'content-type': type, etag: etagOf(bytes), 'x-content-type-options': 'nosniff', ...headers },
  }
}

function dataOf({ data, screenshot }: ExtractionResult, base: string): PageData {
  if (!screenshot) return data
  const { image, ...facts } = screenshot
  return { ...data, screenshot: { url: `${base}/images/${image}`, ...facts } }
}

function envelope({ kept, warnings }: ResolvedResult, data: PageData): PageResponse {
  const { statusCode, headers, redirects, warnings: made } = kept.body
  const all = [...made, ...warnings]
  return { status: 'success', data, statusCode, headers, redirects, ...(all.length && { warnings: all }) }
}

/** `embed=true`, `embed=screenshot` and `embed=screenshot.url` ask for the same; so do the other media. */
function embedPath({ embed, screenshot }: PageQuery): string[] | undefined {
  if (embed === undefined || embed === false) return undefined
  if (embed === true) return screenshot ? ['screenshot', 'url'] : []
  return embed === 'screenshot' || isMediaField(embed) ? [embed, 'url'] : embed.split('.')
}

const isMediaField = (name: string | undefined): name is MediaField => /^(image|logo|audio|video)$/.test(name ?? '')

async function fileBody(
  file: ImageName,
  store: Store,
  headersFor: (size: number) => Record<string, string>,
): Promise<ResponseBody | undefined> {
  const bytes = await store.readImage(file)
  return bytes && { bytes: bytes as Uint8Array<ArrayBuffer>, headers: headersFor(bytes.byteLength) }
}

async function cardBody(data: PageData, query: PageQuery, { base, plan, styles }: BodySources): Promise<ResponseBody> {
  const discovery = discoveryUrl(query, { base, plan })
  const card = htmlCard(data, query, { styles: await styles(), discovery })
  return textBody(card, 'text/html; charset=utf-8', {
    ...CARD_HEADERS,
    ...(discovery && { link: `<${discovery}>; rel="alternate"; type="application/json+oembed"` }),
  })
}

const valueAt = (data: unknown, path: string[]): unknown =>
  path.length === 0
    ? undefined
    : path.reduce<unknown>(
        (value, key) =>
          typeof value === 'object' && value !== null && Object.hasOwn(value, key) ? value[key as never] : undefined,
        data,
      )

/** Keeps only the paths of `filter`. */
function filtered(data: PageData, { filter }: PageQuery): PageData {
  if (filter === undefined) return data
  const kept: Record<string, unknown> = {}
  for (const path of String(filter).split(',')) {
    const keys = path.split('.')
    const value = valueAt(data, keys)
    if (value === undefined) continue
    let place = kept
    for (const key of keys.slice(0, -1)) place = (place[key] ??= {}) as Record<string, unknown>
    place[keys.at(-1)!] ??= value
  }
  return kept
}
