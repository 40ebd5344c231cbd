import type { PageData, PageResponse } from '../query/index.js'

/** Rewrites URLs of the service's stored images to URLs of the proxy, and the validators of what it rewrites. */
export interface UrlRewriter {
  /**
   * The `ETag` of a rewritten response: that of the service stands for another body.
   *
   * @see https://www.rfc-editor.org/rfc/rfc9110#section-8.8
   */
  rewriteEtag(etag: string): string
  /** The `If-None-Match` for the service, without those of a proxy with other options; `undefined` if none is left. */
  serviceEtags(ifNoneMatch: string): string | undefined
  /** The target of a redirect by the service; `undefined` if it is not a stored image. */
  rewriteRedirect(url: string): string | undefined
  /**
   * Rewrites the text of a JSON response.
   *
   * @throws  {SyntaxError} for a text that is not JSON.
   */
  rewriteJson(text: string, options: RewriteOptions): string
  /** Rewrites the text of an HTML card. */
  rewriteHtml(text: string, mediaUrl?: RewriteOptions['mediaUrl']): string
}

/** Applied to a response about a whole page. */
export interface RewriteOptions {
  /** Added to the warnings of the service. */
  warnings: readonly string[]
  /** The proxy's URL for a media file of the page; without this function the file keeps its own URL. */
  mediaUrl?: ((field: MediaField) => string) | undefined
  /** Whether it is a part of the data that has the URLs of screenshots, of whichever name. Default: `false`. */
  hasScreenshots?: boolean
}

type MediaField = (typeof MEDIA_FIELDS)[number]

/** The same list as in `server/media/media-file.ts`, which is in another package. */
export const MEDIA_FIELDS = ['image', 'logo', 'audio', 'video'] as const
const IMAGE_PATH = /\/images\/[^/?#]+(\?[^/#]*)?$/
/** The path of a screenshot, which the service names by its content. */
const SCREENSHOT_PATH = /\/images\/[\da-f]{64}\.(?:jpg|png|webp|avif)(?:\?[^/#]*)?$/
const CARD_IMAGE = /<img class="pp-image"[^<>]*>/g
const CARD_ICON = /(?<=<span class="pp-(?:icon|fallback)"[^<>]*>)<img [^<>]*>/g
/** Each URL in its attributes, among other words. */
const WORD = /[^\s",]+/g

/** Precedes what the rewriting depends on, in an `ETag`. */
const ETAG_MARK = ';page-preview='

/**
 * The service may have a public URL that differs from the one requested here, so its screenshots are recognised by their path too.
 *
 * @param urls  Both without trailing slash; and whether media are rewritten too.
 */
export function createUrlRewriter({
  service,
  proxy,
  media,
}: {
  service: string
  proxy: string
  media?: boolean | undefined
}): UrlRewriter {
  const etagEnd = `${ETAG_MARK}${encodeURIComponent(proxy)}${media ? ';media' : ''}"`
  const rewriteUrl = (url: string) =>
    url.startsWith(`${service}/images/`) ? proxy + url.slice(service.length) : undefined

  const rewriteScreenshot = (url: string) => {
    const path = /^https?:/.test(url) && SCREENSHOT_PATH.exec(url)
    return path ? proxy + path[0] : undefined
  }

  return {
    rewriteEtag: (etag) => etag.replace(/"$/, etagEnd),
    serviceEtags(ifNoneMatch) {
      const etags = (ifNoneMatch.match(/(W\/)?"[^"]*"/g) ?? []).flatMap((etag) => {
        if (etag.endsWith(etagEnd)) return `${etag.slice(0, -etagEnd.length)}"`
        return etag.includes(ETAG_MARK) ? [] : etag
      })
      return etags.join(', ') || undefined
    },
    rewriteRedirect: (url) => rewriteUrl(url) ?? rewriteScreenshot(url),
    rewriteJson(text, { warnings, mediaUrl, hasScreenshots = false }) {
      const body: unknown = JSON.parse(text, (name, value: unknown) => {
        if (typeof value === 'string')
          return rewriteUrl(value) ?? ((hasScreenshots && rewriteScreenshot(value)) || value)
        if (name !== 'screenshot' || !isScreenshot(value)) return value
        const ownUrl = <Image extends { url: string }>(image: Image) => ({
          ...image,
          url: proxy + IMAGE_PATH.exec(image.url)![0],
        })
        return { ...ownUrl(value), ...(value.tiles && { tiles: value.tiles.map(ownUrl) }) }
      })
      if (!isPageResponse(body)) return JSON.stringify(body)
      const allWarnings = [...warnings, ...(body.warnings ?? [])]
      const data = mediaUrl ? withMediaUrls(body.data, mediaUrl) : body.data
      return JSON.stringify({ ...body, data, ...(allWarnings.length && { warnings: allWarnings }) })
    },
    // The proxy has no oEmbed route, so the discovery link is removed.
    rewriteHtml: (text, mediaUrl) =>
      text
        .replaceAll(`${service}/images/`, `${proxy}/images/`)
        .replace(CARD_IMAGE, (image) =>
          image.endsWith(' data-screenshot="">')
            ? withReferrer(image.replace(WORD, (word) => rewriteScreenshot(word) ?? word))
            : withSource(image, mediaUrl?.('image')),
        )
        .replace(CARD_ICON, (icon) => withSource(icon, mediaUrl?.('logo')))
        .replace(/<link rel="alternate"[^<>]*>\n?/, ''),
  }
}

/** An image of another host, at this URL. A `data:` URL stays. */
const withSource = (image: string, url: string | undefined) =>
  url && / src="https?:/i.test(image)
    ? withReferrer(image)
        .replace(/ src="[^"]*"/, () => ` src="${url.replaceAll('&', '&amp;')}"`)
        .replace(/ (srcset|sizes)="[^"]*"/g, '')
    : image

const withReferrer = (image: string) => image.replace(' referrerpolicy="no-referrer"', '')

const isScreenshot = (value: unknown): value is { url: string; tiles?: { url: string }[] } =>
  typeof value === 'object' && value !== null && 'url' in value && IMAGE_PATH.test(String(value.url))

const isPageResponse = (body: unknown): body is PageResponse =>
  typeof body === 'object' && body !== null && 'status' in body && body.status === 'success'

function withMediaUrls(data: PageData, mediaUrl: (field: MediaField) => string): PageData {
  const fields = MEDIA_FIELDS.filter((field) => data[field])
  return { ...data, ...Object.fromEntries(fields.map((field) => [field, { ...data[field], url: mediaUrl(field) }])) }
}
