import { parseQuery, PageError, requestUrl, type PageQuery } from '../../query/index.js'
import type { ResolvedResult } from '../results/index.js'
import { VARIANT_WIDTHS } from '../media/index.js'
import type { Plan } from './plan.js'

/** What an oEmbed consumer asked for. */
export interface OembedRequest {
  /** The preview as its address says it, or would. */
  preview: PageQuery
  /** What is asked for to answer. */
  query: PageQuery
  /** Pixels that the consumer has room for. */
  maxWidth: number
  maxHeight: number
}

/**
 * Reads `/oembed?url=…`: the address of a preview of this service, or of a page to be previewed.
 *
 * @throws  {PageError} `EINVALQUERY` for a form other than JSON or a size that is none, and what `parseQuery` throws.
 */
export function parseOembed(words: URLSearchParams, base: string): OembedRequest {
  const format = words.get('format') ?? 'json'
  if (format !== 'json')
    throw new PageError('EINVALQUERY', 'format must be json.', { data: { format: 'must be json' } })
  const url = words.get('url') ?? ''
  const isOwn = url.startsWith(`${base}/?`)
  const { query: preview } = parseQuery(isOwn ? new URL(url).searchParams : { url, screenshot: true })
  return {
    preview,
    query: { ...preview, screenshot: preview.screenshot ?? true, embed: undefined, filter: undefined },
    maxWidth: sizeIn(words, 'maxwidth'),
    maxHeight: sizeIn(words, 'maxheight'),
  }
}

/** What is nobody's business who sees a preview, or no part of what it shows. */
const PRIVATE_PARAMETERS = {
  headers: undefined,
  embed: undefined,
  filter: undefined,
  keyId: undefined,
  expires: undefined,
  signature: undefined,
}

/**
 * Address of the oEmbed answer to a query, that whoever finds it in a page can ask for: that of the pro host is signed as the
 * query is.
 *
 * @returns  `undefined` for what only who holds a key may ask for.
 */
export function discoveryUrl(query: PageQuery, { base, plan }: { base: string; plan: Plan }): string | undefined {
  if (plan === 'pro' && query.signature === undefined) return undefined
  const { apiKey: _, ...headers } = { apiKey: undefined, ...query.headers }
  const shown = plan === 'pro' ? { ...query, headers } : { ...query, ...PRIVATE_PARAMETERS }
  return `${base}/oembed?${new URLSearchParams({ url: requestUrl(shown, base) })}`
}

/**
 * The answer: a photo without script, at most as large as was asked for. Its address never carries a key; that of the pro
 * host is the kept picture's own, which needs none, and so is that of a smaller variant.
 *
 * @throws  {PageError} `ENOEMBED` when there is no picture.
 */
export function oembedPhoto(
  { query, maxWidth, maxHeight }: OembedRequest,
  { kept, ttlMs }: ResolvedResult,
  { base, plan }: { base: string; plan: Plan },
): Record<string, unknown> {
  const { data, screenshot } = kept.body
  const { title, publisher } = data
  if (!screenshot)
    throw new PageError('ENOEMBED', 'There is no picture of this page.', { data: { url: 'has no picture' } })
  const { image, width, height } = screenshot
  const whole = { url: plan === 'pro' ? `${base}/images/${image}` : embedUrl(query, base), width, height }
  const scale = Math.min(1, maxWidth / width, maxHeight / height)
  return {
    version: '1.0',
    type: 'photo',
    ...(scale === 1 ? whole : smaller(`${base}/images/${image}`, { width, height, scale })),
    ...(title && { title }),
    ...(publisher && { author_name: publisher, author_url: query.url }),
    provider_name: 'Page Preview',
    provider_url: `${base}/`,
    cache_age: Math.floor(ttlMs / 1_000),
  }
}

/** The largest variant that fits; where none does, the smallest, to be shown smaller than it is. */
function smaller(image: string, { width, height, scale }: { width: number; height: number; scale: number }) {
  const fitting = VARIANT_WIDTHS.findLast((offered) => offered <= width * scale)
  const shown = fitting ? fitting / width : scale
  return {
    url: `${image}?w=${fitting ?? VARIANT_WIDTHS[0]}`,
    width: Math.max(1, Math.round(width * shown)),
    height: Math.max(1, Math.round(height * shown)),
  }
}

function embedUrl({ headers, ...query }: PageQuery, base: string): string {
  const { apiKey: _, ...targetHeaders } = { apiKey: undefined, ...headers }
  return requestUrl({ ...query, headers: targetHeaders, embed: 'screenshot.url' }, base)
}

function sizeIn(words: URLSearchParams, name: string): number {
  const text = words.get(name)
  if (text === null) return Infinity
  if (/^[1-9]\d{0,5}$/.test(text)) return Number(text)
  throw new PageError('EINVALQUERY', `${name} must be a whole number of pixels.`, {
    data: { [name]: 'must be a whole number of pixels' },
  })
}
