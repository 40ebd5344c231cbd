import { decodeEntities, decodeMarkup } from './decode-text.js'

/** Soft hyphens, blanks without width, marks of annotations, halves of characters, and code points that are no characters. */
const INVISIBLE = /[\u00AD\u180E\u200B\u2060-\u2064\u206A-\u206F\uFEFF\uFFF9-\uFFFB\uFFFE\uFFFF]|\p{Surrogate}/gu
/** They turn the direction of all text that follows, also of the text of a card. */
const BIDIRECTIONAL_CONTROLS = /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/g
/** Tags that name the flag of a region, as of Scotland; all others are text that nobody sees. */
const TAGS =
  /(\u{1F3F4}[\u{E0061}-\u{E007A}]{2}[\u{E0030}-\u{E0039}\u{E0061}-\u{E007A}]{1,4}\u{E007F})|[\u{E0000}-\u{E007F}]/gu
/** Variants of Chinese characters; others are text that nobody sees, too. */
const VARIATION_SELECTORS = /(\p{Script=Han}[\u{E0100}-\u{E01EF}])|[\u{E0100}-\u{E01EF}]/gu
/** A quote that is escaped as in source code. */
const ESCAPED_QUOTE = /\\(['"])/g
const CDATA = { start: '<![CDATA[', end: ']]>' }
/** Anything but blanks, and characters without an image, such as fillers of Hangul and the empty pattern of Braille. */
const VISIBLE = /[^\s\p{Default_Ignorable_Code_Point}\u2800]/u
const BLANKS = /[\s\p{Cc}]+/gu

/**
 * Normalises a text for display: decodes entities and quotes that were escaped twice, collapses whitespace, removes characters that
 * are invisible or turn the direction of the text, and truncates to `maxChars` with an ellipsis.
 *
 * @returns  `undefined` for a text without a visible character.
 */
export const normaliseText = (text: string, maxChars: number): string | undefined =>
  cleanText(decodeEntities(text), maxChars)

/** The same for a text that may be written as HTML: without its tags. */
export const normaliseMarkup = (text: string, maxChars: number): string | undefined =>
  cleanText(decodeMarkup(text), maxChars)

function cleanText(text: string, maxChars: number): string | undefined {
  const clean = withoutCdata(text.trim())
    .replace(INVISIBLE, '')
    .replace(BIDIRECTIONAL_CONTROLS, '')
    .replace(TAGS, '$1')
    .replace(VARIATION_SELECTORS, '$1')
    .replace(ESCAPED_QUOTE, '$1')
    .replace(BLANKS, ' ')
    .trim()
  if (!VISIBLE.test(clean)) return undefined
  return clean.length <= maxChars ? clean : truncate(clean, maxChars)
}

/** The text in the marks of XML, which HTML does not have. */
function withoutCdata(text: string): string {
  if (!text.startsWith(CDATA.start)) return text
  return text.slice(CDATA.start.length, text.endsWith(CDATA.end) ? -CDATA.end.length : undefined)
}

/** What a reader takes for one character: a family of emoji, a flag, a letter with its marks. */
const characters = new Intl.Segmenter('en', { granularity: 'grapheme' })
/** A longer character is a joke with hundreds of marks. */
const MAX_CHARACTER_CHARS = 100

function truncate(text: string, maxChars: number): string {
  const end = maxChars - 1
  const start = characters.segment(text.slice(0, end + MAX_CHARACTER_CHARS)).containing(end)?.index ?? end
  const whole =
    end - start < MAX_CHARACTER_CHARS ? text.slice(0, start) : text.slice(0, end).replace(/\p{Surrogate}$/u, '')
  return `${whole.trimEnd()}…`
}
