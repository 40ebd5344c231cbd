import { analyse } from 'chardet'
import { TextDecoder } from 'node:util'

/** Bytes of a document that are looked at, and characters of its text: the detector takes milliseconds for them. */
const MAX_BYTES = 65_536
const MAX_CHARS = 8_192

/** Charsets of languages in Latin script: https://html.spec.whatwg.org/multipage/parsing.html#determining-the-character-encoding */
const LATIN = charsetsByLanguage({
  'bs cs hr hu pl ro sk sl': ['windows-1250', 'iso-8859-2'],
  'az tr': ['windows-1254'],
  'et lt lv': ['windows-1257'],
})
/** Charsets of languages in other scripts, the usual one first. */
const OTHER = charsetsByLanguage({
  'be bg mk ru sr uk': ['windows-1251', 'koi8-r'],
  el: ['windows-1253', 'iso-8859-7'],
  'he yi': ['windows-1255'],
  'ar fa ur': ['windows-1256'],
  th: ['windows-874'],
  ja: ['shift_jis', 'euc-jp'],
  ko: ['euc-kr'],
  zh: ['gb18030', 'big5'],
})
const ALL_OTHER = new Set([...OTHER.values()].flat())

function charsetsByLanguage(
  table: Readonly<Record<string, readonly string[]>>,
): ReadonlyMap<string, readonly string[]> {
  return new Map(Object.entries(table).flatMap(([codes, charsets]) => codes.split(' ').map((code) => [code, charsets])))
}

/**
 * The charset of a document that declares none and is not UTF-8, as browsers guess it too: another one than Windows-1252 only if its
 * words consist of bytes beyond ASCII, as no text in Latin letters does, or if its `lang` is a language with another charset.
 */
export function guessCharset(bytes: Uint8Array): string {
  const html = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, MAX_BYTES)).toString('latin1')
  const text = textOf(html).slice(0, MAX_CHARS)
  const lang = LANG.exec(HTML_TAG.exec(html)?.[0] ?? '')?.[1]?.toLowerCase() ?? ''
  const latin = LATIN.get(lang)
  if (latin || !isInOtherScript(text)) return latinCharset(text, latin)
  const known = OTHER.get(lang)
  const sample = Buffer.from(text, 'latin1')
  const detected = analyse(sample)
    .filter(({ confidence }) => confidence > MIN_CONFIDENCE)
    .map(({ name }) => VARIANTS.get(name) ?? name.toLowerCase())
  const candidates = [
    ...detected.filter((charset) => (known ? known.includes(charset) : ALL_OTHER.has(charset))),
    ...(known ?? []),
  ]
  return candidates.find((charset) => isIn(charset, sample)) ?? 'windows-1252'
}

const HTML_TAG = /<html\s[^>]{0,1000}/i
const LANG = /\s(?:xml:)?lang\s{0,3}=\s{0,3}["']?([a-z]{2})(?![a-z])/i
/** That of a charset with two bytes a character in which hardly any of them is a frequent one. */
const MIN_CONFIDENCE = 10
/** The detector does not know that the charset of browsers has the same letters and more. */
const VARIANTS: ReadonlyMap<string, string> = new Map([['ISO-8859-8', 'windows-1255']])

/** Codes that only Windows uses for characters, among them quotes and some letters of Polish and Czech. */
const WINDOWS_ONLY = /[\x80-\x9f]/

const latinCharset = (text: string, [windows = 'windows-1252', iso = windows]: readonly string[] = []): string =>
  WINDOWS_ONLY.test(text) ? windows : iso

/** Longer than a vowel with an accent and its neighbour. */
const MIN_RUN_BYTES = 3
const MIN_BYTES = 8
/** A text about accents lists them among many words. */
const MIN_SHARE_OF_LETTERS = 0.2
/** Bytes that are no ASCII, nor the blank that authors repeat. */
const RUNS = /[\x80-\x9f\xa1-\xff]+/g

function isInOtherScript(text: string): boolean {
  const runs = text.match(RUNS) ?? []
  const count = (some: readonly string[]) => some.reduce((sum, run) => sum + run.length, 0)
  // A sign that is repeated is a line or a row of bullets.
  const long = count(runs.filter((run) => run.length >= MIN_RUN_BYTES && new Set(run).size > 1))
  const letters = count(runs) + (text.match(/[a-z]/gi)?.length ?? 0)
  return long >= MIN_BYTES && long >= count(runs) * MIN_SHARE_OF_RUNS && long >= letters * MIN_SHARE_OF_LETTERS
}

/** Half of the characters of Shift_JIS have a byte of ASCII. */
const MIN_SHARE_OF_RUNS = 0.3

/** Whether bytes are valid in a charset; the last character may be cut off. */
function isIn(charset: string, bytes: Uint8Array): boolean {
  try {
    new TextDecoder(charset, { fatal: true }).decode(bytes, { stream: true })
    return true
  } catch {
    return false
  }
}

/** What is no text, with its end. */
const MARKUP_ENDS: Readonly<Record<string, string>> = { '<!--': '-->', '<script': '</script', '<style': '</style' }

/** The text between the tags of HTML; its charset may be any whose bytes below 64 are ASCII. */
function textOf(html: string): string {
  const lower = html.toLowerCase()
  const opening = /<(?:!--|script|style|[a-z/!?])/g
  let text = ''
  let at = 0
  for (let match = opening.exec(lower); match; match = opening.exec(lower)) {
    const end = MARKUP_ENDS[match[0]] ?? '>'
    text += `${html.slice(at, match.index)} `
    at = lower.indexOf(end, opening.lastIndex)
    if (at < 0 || text.length > MAX_CHARS) return text
    at += end.length
    opening.lastIndex = at
  }
  return text + html.slice(at)
}
