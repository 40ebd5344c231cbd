export type MediaKind = 'image' | 'audio' | 'video'

const TYPES: Readonly<Record<MediaKind, Readonly<Record<string, string>>>> = {
  image: {
    'image/jpeg': 'jpg',
    'image/jpg': 'jpg',
    'image/png': 'png',
    'image/webp': 'webp',
    'image/avif': 'avif',
    'image/gif': 'gif',
    'image/svg+xml': 'svg',
    'image/x-icon': 'ico',
    'image/vnd.microsoft.icon': 'ico',
    'image/bmp': 'bmp',
    'image/tiff': 'tiff',
    'image/heic': 'heic',
    'image/heif': 'heif',
    'image/jxl': 'jxl',
    'image/apng': 'png',
  },
  audio: {
    'audio/mpeg': 'mp3',
    'audio/mp3': 'mp3',
    'audio/mp4': 'm4a',
    'audio/x-m4a': 'm4a',
    'audio/aac': 'aac',
    'audio/ogg': 'ogg',
    'application/ogg': 'ogg',
    'audio/opus': 'opus',
    'audio/wav': 'wav',
    'audio/x-wav': 'wav',
    'audio/flac': 'flac',
    'audio/webm': 'weba',
  },
  video: {
    'video/mp4': 'mp4',
    'video/x-m4v': 'm4v',
    'video/webm': 'webm',
    'video/ogg': 'ogv',
    'video/quicktime': 'mov',
    'application/vnd.apple.mpegurl': 'm3u8',
    'application/x-mpegurl': 'm3u8',
    'application/dash+xml': 'mpd',
  },
}

const KINDS = Object.keys(TYPES) as MediaKind[]

/** The kind of a media type; `undefined` if it is neither image, audio nor video. */
export function mediaKind(contentType: string): MediaKind | undefined {
  return KINDS.find((kind) => Object.hasOwn(TYPES[kind], contentType) || contentType.startsWith(`${kind}/`))
}

/** The file extension of a media type: `jpg`, `svg`, `mp3`; `null` if it is neither image, audio nor video. */
export function mediaType(contentType: string): string | null {
  const kind = mediaKind(contentType)
  if (!kind) return null
  return TYPES[kind][contentType] ?? (/\/(?:x-)?([a-z\d]+)/.exec(contentType)?.[1] || null)
}

/**
 * The media type of a `content-type` header, in lower case and without its parameters: `text/html`; `''` if there is none. Of several
 * types, the last valid one counts.
 *
 * @see  https://fetch.spec.whatwg.org/#concept-header-extract-mime-type
 */
export function parseContentType(header: string | string[] | undefined): string {
  const types = [header ?? []].flat().flatMap((text) => text.slice(0, MAX_HEADER_CHARS).toLowerCase().split(','))
  // Some servers write it in quotes, or a space instead of the semicolon before its parameters.
  const names = types.map((type) => /^[\s"']*([^\s;"'()]*)/.exec(type)?.[1] ?? '')
  return names.findLast((name) => /^[^/]+\/[^/]+$/.test(name) && name !== '*/*') ?? names.find(Boolean) ?? ''
}

const MAX_HEADER_CHARS = 1_024

export const isHtml = (contentType: string): boolean => /^(text\/html|application\/xhtml\+xml)$/.test(contentType)

/** Whether a browser decides by the first bytes: https://mimesniff.spec.whatwg.org/#interpreting-the-resource-metadata */
export const isUnknownType = (contentType: string): boolean =>
  !contentType.includes('/') || /^(unknown\/unknown|application\/unknown|\*\/\*)$/.test(contentType)

/** Whether a browser shows a response in its window, instead of downloading it. */
export const isDisplayed = ({
  contentType,
  statusCode,
  headers,
}: {
  contentType: string
  statusCode: number
  headers: Readonly<Record<string, string>>
}): boolean =>
  statusCode !== 204 &&
  !/^\s*attachment/i.test(headers['content-disposition'] ?? '') &&
  (contentType === '' ||
    /^(text|image|audio|video)\/|^application\/(xhtml\+xml|pdf|json|xml|rss\+xml|atom\+xml)$/.test(contentType))
