import { canParseUrl } from '../../query/written-url.js'
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

/** Files that are no HTML, and that the service reads to describe and to show them. */
export type FileKind = 'pdf' | TextKind
export type TextKind = 'json' | 'xml' | 'csv' | 'markdown' | 'calendar' | 'contacts' | 'text'

const FILE_KINDS: Readonly<Record<string, FileKind>> = {
  'application/pdf': 'pdf',
  'application/x-pdf': 'pdf',
  'application/acrobat': 'pdf',
  'text/pdf': 'pdf',
  'application/json': 'json',
  'text/json': 'json',
  'application/xml': 'xml',
  'text/xml': 'xml',
  'text/x-opml': 'xml',
  'text/csv': 'csv',
  'application/csv': 'csv',
  'text/tab-separated-values': 'csv',
  'text/markdown': 'markdown',
  'text/x-markdown': 'markdown',
  'text/calendar': 'calendar',
  'application/ics': 'calendar',
  'text/vcard': 'contacts',
  'text/x-vcard': 'contacts',
  'text/directory': 'contacts',
  'application/javascript': 'text',
  'application/x-javascript': 'text',
  'application/typescript': 'text',
  'application/yaml': 'text',
  'application/x-yaml': 'text',
  'application/toml': 'text',
  'application/sql': 'text',
  'application/graphql': 'text',
  'application/x-sh': 'text',
  'application/x-ndjson': 'text',
  'application/jsonl': 'text',
  'application/x-jsonlines': 'text',
  'application/x-ipynb+json': 'json',
}

/** Types that say nothing about a file, or only that it is text; then its extension decides. */
const VAGUE = /^(?:application\/(?:octet-stream|download|force-download|x-download)|binary\/octet-stream|text\/plain)$/
const EXTENSIONS: Readonly<Record<string, FileKind>> = {
  pdf: 'pdf',
  json: 'json',
  geojson: 'json',
  ipynb: 'json',
  webmanifest: 'json',
  xml: 'xml',
  rss: 'xml',
  atom: 'xml',
  opml: 'xml',
  csv: 'csv',
  tsv: 'csv',
  md: 'markdown',
  markdown: 'markdown',
  ics: 'calendar',
  vcf: 'contacts',
}

const IMAGE_NAME = /\.(?:jpe?g|png|gif|webp|avif|bmp|ico)$/i

/** Whether a file may be an image although its type does not say so. */
export const mayBeImage = (contentType: string, name: string): boolean =>
  VAGUE.test(contentType) && IMAGE_NAME.test(name)

/** Not files: they never end, or consist of parts. */
const STREAMS = /^(?:text\/event-stream|multipart\/)/

/**
 * The kind of a file by its media type; a type that says nothing is decided by the extension.
 *
 * @param contentType  Without parameters, lower case.
 * @param name         The name of the file, or its URL.
 * @returns            `undefined` for a page, and for what the service does not read.
 */
export function fileKind(contentType: string, name: string): FileKind | undefined {
  if (isHtml(contentType) || contentType === 'image/svg+xml' || STREAMS.test(contentType)) return undefined
  if (VAGUE.test(contentType)) {
    const byExtension = EXTENSIONS[extensionOf(name)]
    if (byExtension) return byExtension
  }
  if (Object.hasOwn(FILE_KINDS, contentType)) return FILE_KINDS[contentType]
  if (contentType.endsWith('+json')) return 'json'
  if (contentType.endsWith('+xml')) return 'xml'
  return contentType.startsWith('text/') ? 'text' : undefined
}

function extensionOf(name: string): string {
  const path = canParseUrl(name) ? new URL(name).pathname : name
  return /\.([a-z]{2,8})$/i.exec(path)?.[1]?.toLowerCase() ?? ''
}

/** The start of a PDF; some programs write a few bytes before it. */
export const looksLikePdf = (bytes: Uint8Array): boolean =>
  Buffer.from(bytes.subarray(0, 1_024)).toString('latin1').includes('%PDF-')
