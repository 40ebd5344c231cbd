import { constants, inflateSync } from 'node:zlib'
import { imageSize } from 'image-size'
import { detectImageFormat } from './image-formats.js'

// Apart from `image-formats.ts`, because loading `image-size` would take each image process 13 ms.

/** What the first bytes of an image state. */
export interface ImageHead {
  /** `jpg`, `svg`, `ico`. */
  type: string | undefined
  /** Pixels as displayed, after applying the orientation; `null` when unknown. */
  width: number | null
  height: number | null
}

/** Enough for the dimensions in every common format, including metadata before them. Time grows with the number of segments. */
export const MAX_HEAD_BYTES = 65_536

/** Reads type and dimensions from the first 64 kB; `undefined` for an unknown format, and for dimensions beyond these bytes. */
export function readImageHead(bytes: Uint8Array): ImageHead | undefined {
  try {
    const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, MAX_HEAD_BYTES))
    const { width, height, type, orientation = 1 } = imageSize(head)
    const isRotated = orientation >= 5 || (type && IS_ROTATED[type]?.(head))
    return {
      type,
      width: Math.round(isRotated ? height : width) || null,
      height: Math.round(isRotated ? width : height) || null,
    }
  } catch {
    return undefined
  }
}

/** What `image-size` does not read: whether an image is displayed on its side. Browsers ignore the orientation of a WebP. */
const IS_ROTATED: Readonly<Record<string, (head: Buffer) => boolean>> = {
  png: (head) => exifOrientation(pngChunk(head, 'eXIf')) >= 5,
  // The number of quarter turns: https://aomediacodec.github.io/av1-avif/#transformative-properties
  avif: (head) => Boolean((head[head.indexOf('irot') + 4] ?? 0) & 1) && head.includes('irot'),
}

/** The tag of EXIF in the first directory of its TIFF. */
const ORIENTATION_TAG = 0x0112

function exifOrientation(exif: Buffer | undefined): number {
  if (!exif || exif.length < 10) return 1
  const isLittleEndian = exif[0] === 0x49
  const uint16 = (at: number) => (isLittleEndian ? exif.readUInt16LE(at) : exif.readUInt16BE(at))
  const start = isLittleEndian ? exif.readUInt32LE(4) : exif.readUInt32BE(4)
  for (let at = start + 2; at + 12 <= exif.length; at += 12) if (uint16(at) === ORIENTATION_TAG) return uint16(at + 8)
  return 1
}

/** The content of the first chunk of a type, as far as it is there. https://www.w3.org/TR/png-3/#5Chunk-layout */
function pngChunk(bytes: Buffer, type: string): Buffer | undefined {
  for (let at = 8; at + 12 <= bytes.length; at += 12 + bytes.readUInt32BE(at))
    if (bytes.toString('latin1', at + 4, at + 8) === type)
      return bytes.subarray(at + 8, at + 8 + bytes.readUInt32BE(at))
  return undefined
}

/** The formats that every current browser draws. */
const DRAWABLE = new Set(['jpg', 'png', 'gif', 'webp', 'avif', 'svg', 'ico', 'cur', 'bmp'])

/**
 * Reads an image that browsers can draw, as far as its first 64 kB show it: not one that ends before its pixels, and not a page that is
 * sent with the type of an image.
 *
 * @param isWhole  Whether these are all bytes of the image.
 */
export function probeImage(
  bytes: Uint8Array,
  { isWhole }: { isWhole: boolean },
): (ImageHead & { type: string }) | undefined {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, MAX_HEAD_BYTES))
  const format = detectImageFormat(buffer)
  const head = readImageHead(buffer) ?? { type: undefined, width: null, height: null }
  const type = format ?? head.type ?? 'svg'
  if (!DRAWABLE.has(type) || !HAS_PIXELS[type]?.(buffer, isWhole)) return undefined
  return { ...head, type }
}

/** Whether the image goes on after its header, as far as its bytes show. */
const HAS_PIXELS: Readonly<Record<string, (bytes: Buffer, isWhole: boolean) => boolean>> = {
  jpg: (bytes, isWhole) => !isWhole || bytes.includes('\xff\xda', 0, 'latin1'),
  png: hasPngPixels,
  gif: (bytes, isWhole) => !isWhole || bytes.includes(',', 13),
  webp: (bytes, isWhole) => !isWhole || bytes.length > 30,
  avif: (bytes, isWhole) => !isWhole || bytes.includes('mdat') || bytes.includes('idat'),
  bmp: (bytes, isWhole) => !isWhole || bytes.length > 54,
  svg: isSvg,
  ico: hasIcon,
  cur: hasIcon,
}

/** Enough to tell pixels from other bytes; its output has at most a thousand times as many. */
const INFLATED_BYTES = 1_024

function hasPngPixels(bytes: Buffer, isWhole: boolean): boolean {
  const pixels = pngChunk(bytes, 'IDAT')
  return pixels ? canInflate(pixels.subarray(0, INFLATED_BYTES)) : !isWhole
}

function canInflate(bytes: Buffer): boolean {
  try {
    return bytes.length < 2 || inflateSync(bytes, { finishFlush: constants.Z_SYNC_FLUSH }).length > 0
  } catch {
    return false
  }
}

/** Whether the first element is `<svg>`: pages contain such elements too. */
function isSvg(bytes: Buffer, isWhole: boolean): boolean {
  const text = bytes
    .toString('utf8')
    .replace(/^\uFEFF/, '')
    .trim()
    .toLowerCase()
  if (isWhole && !text.endsWith('>')) return false
  for (let at = 0; ;) {
    while (/\s/.test(text.charAt(at))) at++
    if (/^<(?:svg|svg:svg)[\s>]/.test(text.slice(at, at + 10))) return true
    const [end, length] = text.startsWith('<!--', at)
      ? [text.indexOf('-->', at), 3]
      : text.startsWith('<?', at)
        ? [text.indexOf('?>', at), 2]
        : // Its declarations contain angle brackets.
          text.startsWith('<!doctype svg', at)
          ? [text.indexOf('<svg', at), 0]
          : [-1, 0]
    if (end < 0) return false
    at = end + length
  }
}

const MAX_ICONS = 20
const PNG_START = 0x89504e47
/** Sizes of the headers of a bitmap. */
const BITMAP_HEADERS = new Set([40, 108, 124])

/** Whether a file of icons has one that is there and not fully transparent. https://en.wikipedia.org/wiki/ICO_(file_format) */
function hasIcon(bytes: Buffer, isWhole: boolean): boolean {
  const count = Math.min(MAX_ICONS, bytes.length >= 6 ? bytes.readUInt16LE(4) : 0)
  for (let at = 6; at < 6 + count * 16 && at + 16 <= bytes.length; at += 16) {
    const [size, offset] = [bytes.readUInt32LE(at + 8), bytes.readUInt32LE(at + 12)]
    const icon = bytes.subarray(offset, offset + size)
    if (!isWhole && offset + size > bytes.length && icon.length < 40) return true
    if (icon.length < 40 || (isWhole && icon.length < size)) continue
    if (icon.readUInt32BE(0) === PNG_START) return true
    if (BITMAP_HEADERS.has(icon.readUInt32LE(0)) && !isTransparent(icon)) return true
  }
  return false
}

/** Whether a bitmap with an alpha channel has only zeros before its mask. */
function isTransparent(icon: Buffer): boolean {
  const bitsPerPixel = icon.readUInt16LE(14)
  const pixels = icon.readInt32LE(4) * (icon.readInt32LE(8) / 2)
  return bitsPerPixel === 32 && icon.subarray(icon.readUInt32LE(0), 40 + pixels * 4).every((byte) => byte === 0)
}
