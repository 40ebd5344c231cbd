import { isUtf8 } from 'node:buffer'
import { TextDecoder } from 'node:util'
import { guessCharset } from './guess-charset.js'

/** The standard only looks at the first 1,024 bytes, but browsers also obey a charset that is declared later. */
const MAX_META_BYTES = 65_536

/** Some versions of Node decode these bytes of Windows-1252 as Latin-1 control characters: https://github.com/nodejs/node/issues/56542 */
const C1 = /[\u0080-\u009f]/g
const WINDOWS_1252 = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ'

/**
 * Decodes HTML with the charset that it declares. Without a known charset it is UTF-8 if the bytes are valid UTF-8, otherwise guessed;
 * Western text is Windows-1252.
 *
 * A declaration that the bytes contradict does not count, although browsers obey it: text that is valid UTF-8 hardly ever is anything
 * else, and text that is mostly invalid UTF-8 is not UTF-8.
 *
 * @see  https://html.spec.whatwg.org/multipage/parsing.html#determining-the-character-encoding
 */
export function decodeHtml(bytes: Uint8Array, contentType: string): string {
  const mark = decoderFor(byteOrderMark(bytes))
  if (mark) return decodeText(bytes, mark)
  const declared = declaredCharsets(bytes, contentType)
  if (isUtf8Text(bytes, declared[0])) return new TextDecoder().decode(bytes)
  const guess = () => new TextDecoder(guessCharset(bytes))
  const first = declared[0] ?? guess()
  const text = decodeText(bytes, first)
  if (first.encoding !== 'utf-8' || !isMostlyInvalid(text)) return text
  return decodeText(bytes, declared.find(({ encoding }) => encoding !== 'utf-8') ?? guess())
}

/** So many characters in a row are not valid UTF-8 by chance in text with two bytes for each character. */
const MIN_CHARS = 8
const SINGLE_BYTE = /^(windows-|iso-8859-|koi8-|macintosh$|x-mac-|ibm866$)/

/** Whether bytes are UTF-8, whatever they declare. Bytes that are all ASCII are what they declare. */
function isUtf8Text(bytes: Uint8Array, declared: TextDecoder | undefined): boolean {
  if (!isUtf8(bytes)) return false
  if (!declared || declared.encoding === 'utf-8') return true
  const needed = SINGLE_BYTE.test(declared.encoding) ? 1 : MIN_CHARS
  let count = 0
  for (const byte of bytes) if (byte >= 0xc0 && ++count >= needed) return true
  return false
}

function isMostlyInvalid(text: string): boolean {
  let invalid = 0
  let valid = 0
  for (const char of text) {
    if (char === '\uFFFD') invalid++
    else if (char > '\u007F') valid++
  }
  return invalid > valid
}

/**
 * The decoder for the charset that HTML declares by, in this order: the byte order mark, the `content-type` header, the `<meta>` tag.
 *
 * @returns  `undefined` if no charset is declared, or an unknown one.
 */
export const declaredDecoder = (bytes: Uint8Array, contentType = ''): TextDecoder | undefined =>
  decoderFor(byteOrderMark(bytes)) ?? declaredCharsets(bytes, contentType)[0]

/** The decoders for the known charsets that the `content-type` header and the document declare. */
const declaredCharsets = (bytes: Uint8Array, contentType: string): TextDecoder[] =>
  [/charset\s*=[\s"']*([^\s;,"']+)/i.exec(contentType)?.[1], documentCharset(bytes)].flatMap((label) => {
    const decoder = decoderFor(label)
    // UTF-16 has a zero in each ASCII character.
    return !decoder || (decoder.encoding.startsWith('utf-16') && !bytes.subarray(0, 1024).includes(0)) ? [] : [decoder]
  })

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

const XML_ENCODING = /^\s*<\?xml[^>]{0,200}\sencoding\s*=\s*["']([^"']+)/i
const CONTENT_TYPE = /http-equiv\s*=[\s"']*content-type/i
const CHARSET = /charset\s*=[\s"']*([^\s;"'/]+)/i
const QUOTED = /=\s*(?:"[^"]*"|'[^']*')/g

/** The charset of the XML declaration, or of the first `<meta>` tag with one. */
function documentCharset(bytes: Uint8Array): string | undefined {
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, MAX_META_BYTES)).toString('latin1')
  // The first character of a UTF-16 page without a byte order mark.
  if (start.startsWith('<\0')) return 'utf-16le'
  if (start.startsWith('\0<')) return 'utf-16be'
  const label = XML_ENCODING.exec(start)?.[1] ?? metaCharset(start)
  // The tag was readable as ASCII, so the page cannot be UTF-16.
  return label && /^utf-?16/i.test(label) ? 'utf-8' : label
}

function metaCharset(html: string): string | undefined {
  for (const tag of metaTags(html)) {
    // The text of other attributes, such as descriptions, declares nothing.
    const own = tag.replace(QUOTED, (value, at: number) =>
      /charset\s*$/i.test(tag.slice(Math.max(0, at - 16), at)) ? value : '',
    )
    const label = CHARSET.exec(CONTENT_TYPE.test(tag) ? tag : own)?.[1]
    if (label) return label
  }
  return undefined
}

/** The `<meta>` tags outside of comments. */
function* metaTags(html: string): Generator<string> {
  const opening = /<!--|<meta(?=[\s/])/gi
  for (let match = opening.exec(html); match; match = opening.exec(html)) {
    const isComment = match[0] === '<!--'
    const end = html.indexOf(isComment ? '-->' : '>', opening.lastIndex)
    if (end < 0) return
    if (!isComment) yield html.slice(opening.lastIndex, end)
    opening.lastIndex = end
  }
}

/** The labels of the standard without their punctuation, which many pages vary: `utf_8`, `win-1251`, `latin-1`. */
const VARIANTS: readonly (readonly [folded: RegExp, label: string])[] = [
  [/^(x?unicode)?utf8(sig|mb4|bom)?$|^utf8unicode$/, 'utf-8'],
  [/^(ms|win|windows|cp|xcp)(125\d|874)$/, 'windows-$2'],
  [/^(xsjis|sjis|shiftjis|windows31j|cp932|ms932)$/, 'shift_jis'],
  [/^(xx?gbk|cp936|gb2312(80)?|gb18030|gbk|xgb2312)$/, 'gb18030'],
  [/^(eucjp|ujis|xeucjp)$/, 'euc-jp'],
  [/^(euckr|cp949|uhc|ksc56011987)$/, 'euc-kr'],
  [/^(big5|cp950|xbig5)$/, 'big5'],
  [/^(iso)?latin1$|^isolatin1$/, 'iso-8859-1'],
  [/^iso8859(\d{1,2})$/, 'iso-8859-$1'],
  [/^koi8([ru])$/, 'koi8-$1'],
]

const MAX_LABEL_CHARS = 40

function decoderFor(label: string | undefined): TextDecoder | undefined {
  if (!label || label.length > MAX_LABEL_CHARS) return undefined
  const folded = label.toLowerCase().replace(/[^a-z\d]/g, '')
  const [pattern, variant] = VARIANTS.find(([variant]) => variant.test(folded)) ?? []
  return newDecoder(label) ?? (pattern && newDecoder(folded.replace(pattern, variant!)))
}

function newDecoder(label: string): TextDecoder | undefined {
  try {
    return new TextDecoder(label)
  } catch {
    // An unknown charset counts as none, so that the next source decides.
    return undefined
  }
}
