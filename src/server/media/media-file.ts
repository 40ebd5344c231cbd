import { parseContentType } from '../page/index.js'
import { readImageHead } from '../images/index.js'

/** The fields of `data` that refer to a file. `proxy/url-rewriter.ts` has its own list, because it is in another package. */
export const MEDIA_FIELDS = ['image', 'logo', 'audio', 'video'] as const
export type MediaField = (typeof MEDIA_FIELDS)[number]

/** The types that are served, by file extension. An SVG may contain scripts, so it is sent as an attachment and in a sandbox. */
const CONTENT_TYPES: Readonly<Record<string, string>> = {
  jpg: 'image/jpeg',
  png: 'image/png',
  webp: 'image/webp',
  avif: 'image/avif',
  gif: 'image/gif',
  svg: 'image/svg+xml',
  ico: 'image/x-icon',
  bmp: 'image/bmp',
  mp3: 'audio/mpeg',
  m4a: 'audio/mp4',
  aac: 'audio/aac',
  ogg: 'audio/ogg',
  opus: 'audio/opus',
  wav: 'audio/wav',
  flac: 'audio/flac',
  weba: 'audio/webm',
  mp4: 'video/mp4',
  webm: 'video/webm',
  ogv: 'video/ogg',
  mov: 'video/quicktime',
}

const ALIASES: Readonly<Record<string, string>> = {
  'image/jpg': 'jpg',
  'image/pjpeg': 'jpg',
  'image/apng': 'png',
  'image/vnd.microsoft.icon': 'ico',
  'image/x-ms-bmp': 'bmp',
  'audio/mp3': 'mp3',
  'audio/x-m4a': 'm4a',
  'audio/x-wav': 'wav',
  'audio/wave': 'wav',
  'audio/x-flac': 'flac',
  'application/ogg': 'ogg',
  'video/x-m4v': 'mp4',
}

const FILE_TYPES = new Map([
  ...Object.entries(CONTENT_TYPES).map(([fileType, contentType]) => [contentType, fileType] as const),
  ...Object.entries(ALIASES),
])

/** Servers send these for files whose type they do not know. */
const UNKNOWN_TYPES = new Set([
  '',
  'application/octet-stream',
  'binary/octet-stream',
  'application/force-download',
  'application/download',
  'application/x-download',
  'application/unknown',
  'unknown/unknown',
])

/** The content type of a file extension. */
export const contentTypeOf = (fileType: string): string => CONTENT_TYPES[fileType] ?? 'application/octet-stream'

/**
 * The file type that a server declares for a file.
 *
 * @param contentType  The server's `content-type`.
 * @returns            A file extension, `jpg`; `undefined` when the type is not served or does not belong to the field;
 *                     `'unknown'` when the bytes have to be inspected.
 */
export function declaredFileType(url: string, contentType: string, field: MediaField): string | undefined {
  const mimeType = parseContentType(contentType)
  if (!UNKNOWN_TYPES.has(mimeType)) return ifAllowed(FILE_TYPES.get(mimeType), field)
  if (isImageField(field)) return 'unknown'
  const extension = /\.([a-z\d]{3,4})$/i.exec(new URL(url).pathname)?.[1]?.toLowerCase()
  return ifAllowed(extension, field)
}

/** The type of an image by its first bytes; never `svg`, because any text can start like one. */
export function detectImageType(bytes: Uint8Array): string | undefined {
  const type = readImageHead(bytes)?.type
  return type === 'svg' ? undefined : ifAllowed(type, 'image')
}

/** Pixels as displayed; `null` for files other than images, and if they cannot be read. */
export function dimensionsOf(bytes: Uint8Array): { width: number | null; height: number | null } {
  const { width = null, height = null } = readImageHead(bytes) ?? {}
  return { width, height }
}

const isImageField = (field: MediaField) => field === 'image' || field === 'logo'

function ifAllowed(fileType: string | undefined, field: MediaField): string | undefined {
  const contentType = fileType && Object.hasOwn(CONTENT_TYPES, fileType) ? CONTENT_TYPES[fileType] : undefined
  return contentType?.startsWith('image/') === isImageField(field) ? fileType : undefined
}
