import { imageWidths } from '../../../card/index.js'
import { PageError, requestUrl, type Media, type PageData, type ParsedQuery } from '../../../query/index.js'
import { describeState, type ExtractionResult, type ResolvedResult } from '../../results/index.js'
import type { Plan } from '../plan.js'
import type { OembedRequest } from './parse-oembed-request.js'

interface OembedHost {
  /** URL of the service, without trailing slash. */
  base: string
  plan: Plan
}

interface Photo {
  url: string
  /** Pixels. */
  width: number
  height: number
}

/**
 * The oEmbed response to a request: a screenshot within `maxWidth` and `maxHeight`, or the page's own image or logo where the page
 * did not show its content. Its URL never contains an API key: on the pro host it is that of the stored image, which needs none.
 *
 * @throws  {PageError} `ENOEMBED` when there is no image.
 * @see     https://oembed.com/#section2.3.4.1
 */
export function oembedPhoto(
  request: OembedRequest,
  { entry, ttlMs }: ResolvedResult,
  host: OembedHost,
): Record<string, unknown> {
  const { data } = entry.body
  const { title, publisher } = data
  const photo = screenshotPhoto(request, entry.body, host) ?? ownPhoto(request, data)
  if (!photo) throw noPhotoError(data)
  return {
    version: '1.0',
    type: 'photo',
    ...photo,
    ...(title && { title }),
    ...(publisher && { author_name: publisher, author_url: request.parsed.query.url }),
    provider_name: 'Page Preview',
    provider_url: `${host.base}/`,
    cache_age: Math.floor(ttlMs / 1_000),
  }
}

function screenshotPhoto(
  { parsed, maxWidth, maxHeight }: OembedRequest,
  { screenshot }: ExtractionResult,
  { base, plan }: OembedHost,
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
