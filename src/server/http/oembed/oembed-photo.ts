import { imageWidths } from '../../../card/index.js'
import { PageError, requestUrl, type ParsedQuery } from '../../../query/index.js'
import type { ResolvedResult } from '../../results/index.js'
import type { Plan } from '../plan.js'
import type { OembedRequest } from './parse-oembed-request.js'

interface Photo {
  url: string
  /** Pixels. */
  width: number
  height: number
}

/**
 * The oEmbed response to a request: a screenshot within `maxWidth` and `maxHeight`. Its URL never contains an API key: on
 * the pro host it is that of the stored image, which needs none.
 *
 * @throws  {PageError} `ENOEMBED` when there is no screenshot.
 * @see     https://oembed.com/#section2.3.4.1
 */
export function oembedPhoto(
  { parsed, maxWidth, maxHeight }: OembedRequest,
  { entry, ttlMs }: ResolvedResult,
  { base, plan }: { base: string; plan: Plan },
): Record<string, unknown> {
  const { data, screenshot } = entry.body
  const { title, publisher } = data
  if (!screenshot)
    throw new PageError('ENOEMBED', 'There is no screenshot of this page.', { data: { url: 'has no screenshot' } })
  const { image, width, height } = screenshot
  const imageUrl = `${base}/images/${image}`
  const scale = Math.min(1, maxWidth / width, maxHeight / height)
  const photo: Photo =
    scale === 1
      ? { url: plan === 'pro' ? imageUrl : embedUrl(parsed, base), width, height }
      : scaledPhoto({ url: imageUrl, width, height }, scale)
  return {
    version: '1.0',
    type: 'photo',
    ...photo,
    ...(title && { title }),
    ...(publisher && { author_name: publisher, author_url: parsed.query.url }),
    provider_name: 'Page Preview',
    provider_url: `${base}/`,
    cache_age: Math.floor(ttlMs / 1_000),
  }
}

/** The largest variant that fits; where none does, the smallest one, with the size at which it has to be displayed. */
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
