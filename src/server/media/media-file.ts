import { imageSize } from 'image-size'

/** What a field of the data holds. */
export type MediaField = 'image' | 'logo' | 'audio' | 'video'

/** The types that are given out, by the name that their files end with: nothing that a browser would run as a page is among them. */
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

/** Servers say these of whatever they do not know. */
const UNKNOWN_TYPES = new Set(['', 'application/octet-stream', 'binary/octet-stream'])

export const contentTypeOf = (fileType: string): string => CONTENT_TYPES[fileType] ?? 'application/octet-stream'

/**
 * Which of the types that may be given out a server's answer promises, as files of it end: `jpg`.
 *
 * @param contentType  As the server said it.
 * @returns            `undefined` when it is none, or none of what the field holds; `'unknown'` when the bytes must tell.
 */
export function promisedFileType(url: string, contentType: string, field: MediaField): string | undefined {
  const plain = contentType.split(';', 1).join().trim().toLowerCase()
  const byName = /\.([a-z\d]{3,4})$/i.exec(new URL(url).pathname)?.[1]?.toLowerCase()
  if (!UNKNOWN_TYPES.has(plain)) return fittingType(FILE_TYPES.get(plain), field)
  return isPicture(field) ? 'unknown' : fittingType(byName, field)
}

/** What a picture is by its first bytes; never `svg`, which any text can pretend to be. */
export function sniffedFileType(bytes: Uint8Array): string | undefined {
  const type = measured(bytes)?.type
  return type === 'svg' ? undefined : fittingType(type, 'image')
}

/** Pixels as shown; `null` for what has none, or hides them. */
export function dimensionsOf(bytes: Uint8Array): { width: number | null; height: number | null } {
  const { width = 0, height = 0, orientation = 1 } = measured(bytes) ?? {}
  const [across, down] = orientation >= 5 ? [height, width] : [width, height]
  return { width: Math.round(across) || null, height: Math.round(down) || null }
}

const isPicture = (field: MediaField) => field === 'image' || field === 'logo'

function fittingType(fileType: string | undefined, field: MediaField): string | undefined {
  const contentType = fileType && Object.hasOwn(CONTENT_TYPES, fileType) ? CONTENT_TYPES[fileType] : undefined
  return contentType?.startsWith('image/') === isPicture(field) ? fileType : undefined
}

function measured(bytes: Uint8Array) {
  try {
    return imageSize(bytes)
  } catch {
    // No picture, or one that the library cannot measure: then nothing is said of it.
    return undefined
  }
}
