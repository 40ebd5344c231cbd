import { TextDecoder } from 'node:util'
import { PageError } from '../../../query/index.js'
import { declaredDecoder, decodeText } from '../../../server/charset/index.js'

/** A replacement of a part of a page; both places are offsets in its text. */
export interface Edit {
  start: number
  end: number
  html: string
}

/** The text of a page, and a function that changes parts of it and nothing else. */
export interface PageText<Html> {
  text: string
  /** Replaces parts that do not overlap; their order is that of the page. */
  replace: (edits: readonly Edit[]) => Html
}

/** Characters at the start of a page in which a charset is declared. */
const MAX_HEAD_CHARS = 8_192
/** Encodings in which a byte below 128 is not always the character of ASCII. */
const NOT_ASCII = /^(utf-16|iso-2022|replacement)/

/**
 * Decodes a page by its byte order mark, its `<meta charset>`, or else as UTF-8.
 *
 * @throws  {PageError} `EINVALQUERY` for an encoding that is not a superset of ASCII.
 */
export function decodePage<Html extends string | Uint8Array>(html: Html): PageText<Html>
export function decodePage(html: string | Uint8Array): PageText<string | Uint8Array> {
  const declared = declaredDecoder(typeof html === 'string' ? Buffer.from(html.slice(0, MAX_HEAD_CHARS)) : html)
  // Without a declared charset browsers may not decode a page as UTF-8, but character references work in every encoding.
  const toText = declared?.encoding === 'utf-8' ? (edit: string) => edit : toAscii
  if (typeof html === 'string') return { text: html, replace: (edits) => replaceText(html, edits, toText) }
  const decoder = declared ?? new TextDecoder('utf-8')
  if (NOT_ASCII.test(decoder.encoding)) throw unreadable(`it is encoded as ${decoder.encoding}; save it as UTF-8`)
  const text = decodeText(html, decoder)
  return { text, replace: (edits) => replaceBytes(html, text, edits, (edit) => Buffer.from(toText(edit))) }
}

function replaceText(text: string, edits: readonly Edit[], toText: (html: string) => string): string {
  let end = 0
  const parts = edits.flatMap((edit) => {
    const before = text.slice(end, edit.start)
    end = edit.end
    return [before, toText(edit.html)]
  })
  return [...parts, text.slice(end)].join('')
}

function replaceBytes(
  bytes: Uint8Array,
  text: string,
  edits: readonly Edit[],
  toBytes: (html: string) => Uint8Array,
): Uint8Array {
  const byteOffset = byteOffsets(bytes, text)
  let end = 0
  const parts = edits.flatMap((edit) => {
    const before = bytes.subarray(end, byteOffset(edit.start))
    end = byteOffset(edit.end)
    return [before, toBytes(edit.html)]
  })
  return new Uint8Array(Buffer.concat([...parts, bytes.subarray(end)]))
}

/**
 * Finds the byte of an offset in the text, for offsets at a tag or in the ASCII characters after its `<`. In every
 * superset of ASCII `<` and `>` are single bytes that occur in no other character, so they show where text and bytes
 * correspond, even if the decoding has lost others.
 *
 * @throws  {PageError} `EINVALQUERY` where they do not correspond, because bytes are invalid in the encoding of the page.
 */
function byteOffsets(bytes: Uint8Array, text: string): (offset: number) => number {
  const inText = bracketOffsets(text.length, (i) => text.charCodeAt(i))
  const inBytes = bracketOffsets(bytes.length, (i) => bytes[i]!)
  let next = 0
  return (offset) => {
    while (next < inText.length && inText[next]! <= offset) next++
    const bracket = inText[next - 1]
    const between = bracket === undefined ? undefined : text.slice(bracket, offset)
    if (inText.length !== inBytes.length || between === undefined || !isAscii(between))
      throw unreadable('some of its bytes are invalid in its encoding; save it as UTF-8')
    return inBytes[next - 1]! + between.length
  }
}

function bracketOffsets(length: number, codeAt: (offset: number) => number): number[] {
  const offsets: number[] = []
  for (let i = 0; i < length; i++) {
    const code = codeAt(i)
    if (code === 0x3c || code === 0x3e) offsets.push(i)
  }
  return offsets
}

const isAscii = (text: string) => Buffer.byteLength(text) === text.length

/**
 * Writes all other characters as character references, which work in every encoding; removes control characters, whose references
 * mean other characters.
 */
const toAscii = (html: string) =>
  html.replace(/[\u0080-\u009f]/g, '').replace(/[^\0-\x7f]/gu, (character) => `&#${character.codePointAt(0)};`)

const unreadable = (reason: string) =>
  new PageError('EINVALQUERY', `The page was left as it is, because ${reason}.`, { data: { html: reason } })
