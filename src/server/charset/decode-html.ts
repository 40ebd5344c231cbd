import { isUtf8 } from 'node:buffer'
import { TextDecoder } from 'node:util'
import { declaredDecoder } from './declared-decoder.js'
import { decodeText } from './decode-text.js'

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
