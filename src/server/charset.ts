import { isUtf8 } from 'node:buffer'
import { TextDecoder } from 'node:util'

/** The standard only looks at the first 1,024 bytes, but many pages declare their charset later. */
const MAX_META_BYTES = 8_192

/** Some versions of Node decode these bytes of Windows-1252 as Latin-1 control characters: https://github.com/nodejs/node/issues/56542 */
const C1 = /[\u0080-\u009f]/g
const WINDOWS_1252 = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ'

/**
 * Decodes HTML with the charset that it declares. Without a known charset it is UTF-8 if the bytes are valid UTF-8, otherwise
 * Windows-1252.
 *
 * @see  https://html.spec.whatwg.org/multipage/parsing.html#determining-the-character-encoding
 */
export function decodeHtml(bytes: Uint8Array, contentType: string): string {
  const decoder = declaredDecoder(bytes, contentType) ?? new TextDecoder(isUtf8(bytes) ? 'utf-8' : 'windows-1252')
  return decodeText(bytes, decoder)
}

/**
 * The decoder for the charset that HTML declares by, in this order: the byte order mark, the `content-type` header, the `<meta>` tag.
 *
 * @returns  `undefined` if no charset is declared, or an unknown one.
 */
export const declaredDecoder = (bytes: Uint8Array, contentType = ''): TextDecoder | undefined =>
  decoderFor(byteOrderMark(bytes)) ??
  decoderFor(/charset\s*=\s*["']?([^\s;"']+)/i.exec(contentType)?.[1]) ??
  decoderFor(metaCharset(bytes))

/** Decodes bytes as browsers do, in every version of Node. */
export function decodeText(bytes: Uint8Array, decoder: TextDecoder): string {
  const text = decoder.decode(bytes)
  return decoder.encoding === 'windows-1252'
    ? text.replace(C1, (control) => WINDOWS_1252[control.charCodeAt(0) - 0x80] ?? control)
    : text
}

function byteOrderMark([first, second, third]: Uint8Array): string | undefined {
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8'
  if (first === 0xfe && second === 0xff) return 'utf-16be'
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  return undefined
}

function metaCharset(bytes: Uint8Array): string | undefined {
  const start = Buffer.from(bytes.subarray(0, MAX_META_BYTES)).toString('latin1')
  const label = start
    .match(/<meta\b[^<>]*/gi)
    ?.map((tag) => /charset\s*=[\s"']*([^\s;"'/]+)/i.exec(tag)?.[1])
    .find(Boolean)
  // The tag was readable as ASCII, so the page cannot be UTF-16.
  return label && /^utf-?16/i.test(label) ? 'utf-8' : label
}

function decoderFor(label: string | undefined): TextDecoder | undefined {
  if (!label) return undefined
  try {
    return new TextDecoder(label)
  } catch {
    // An unknown charset counts as none, so that the next source decides.
    return undefined
  }
}
