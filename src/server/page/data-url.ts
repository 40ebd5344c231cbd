import { mediaType } from './media-type.js'

/** Larger images belong into files. */
const MAX_CHARS = 32_000

/** The file extensions of images that browsers draw. */
const DRAWABLE = new Set(['png', 'jpg', 'gif', 'webp', 'avif', 'svg', 'ico', 'bmp'])

/**
 * The bytes of an image in a `data:` URL, which are not checked, and the extension of its type.
 *
 * @returns  `undefined` for another URL or type, for no bytes, and for more than 32,000 characters.
 * @see      https://fetch.spec.whatwg.org/#data-urls
 */
export function decodeImageUrl(url: string): { bytes: Buffer; fileType: string } | undefined {
  if (url.length > MAX_CHARS || !/^data:/i.test(url)) return undefined
  const comma = url.indexOf(',')
  const [type = '', ...parameters] = url
    .slice(5, Math.max(comma, 5))
    .split(';')
    .map((part) => part.trim().toLowerCase())
  const fileType = type.startsWith('image/') ? mediaType(type) : null
  const body = url
    .slice(comma + 1)
    .split('#', 1)
    .join()
  if (!fileType || !DRAWABLE.has(fileType) || comma < 0) return undefined
  const decoded = decodePercents(body)
  const bytes = parameters.at(-1) === 'base64' ? Buffer.from(decoded.toString('latin1'), 'base64') : decoded
  return bytes.length ? { bytes, fileType } : undefined
}

function decodePercents(text: string): Buffer {
  const bytes = Buffer.from(text, 'utf8')
  let length = 0
  for (let at = 0; at < bytes.length; at++) {
    const hex = bytes[at] === 0x25 ? bytes.toString('latin1', at + 1, at + 3) : ''
    const isEscape = /^[\da-f]{2}$/i.test(hex)
    bytes[length++] = isEscape ? Number.parseInt(hex, 16) : bytes[at]!
    if (isEscape) at += 2
  }
  return bytes.subarray(0, length)
}
