import { parseSearch } from '../../../query/help/index.js'
import { PageError, type ParsedQuery } from '../../../query/index.js'

/** The parsed parameters of an oEmbed request. */
export interface OembedRequest {
  /** The query of the preview URL in the parameter `url`; its key or signature authorizes the request. */
  preview: ParsedQuery
  /** The query that is resolved: the preview with a screenshot, and without `embed` and `filter`. */
  parsed: ParsedQuery
  /** Pixels; `Infinity` without limit. */
  maxWidth: number
  maxHeight: number
}

/**
 * Parses `/oembed?url=…`, where `url` is that of a preview of this service, or of a page to preview.
 *
 * @param base  URL of the service, without trailing slash.
 * @throws      {PageError} `EINVALQUERY` for a format other than JSON and an invalid size, and what `parseSearch` throws.
 * @see         https://oembed.com/#section2.2
 */
export function parseOembedRequest(parameters: URLSearchParams, base: string): OembedRequest {
  if ((parameters.get('format') ?? 'json') !== 'json') throw invalidParameter('format', 'must be json')
  const url = parameters.get('url') ?? ''
  const isPreview = url.startsWith(`${base}/?`)
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

const invalidParameter = (name: string, reason: string) =>
  new PageError('EINVALQUERY', `${name} ${reason}.`, { data: { [name]: reason } })
