import {
  isBrokenAtQuote,
  isHomePage,
  isSameName,
  PENALTY,
  placeholder,
  repeatsTitle,
  SEVERE_PENALTY,
  UNUSABLE,
  type CandidateCheck,
} from '../candidate-check.js'
import { isScaffoldDescription, normaliseMarkup, normaliseText } from '../values/index.js'
import { articleProperty, mainEntity, meta, pageNode, rule, uniqueBodyProperty, type Rule } from './rule.js'

export const descriptionRules: readonly Rule[] = [
  meta('og:description', 'twitter:description', 'description'),
  mainEntity('description'),
  meta('dc.description', 'dcterms.description', 'dcterms.abstract', 'sailthru.description', 'abstract'),
  meta('citation_abstract'),
  pageNode(/Page$/, 'description'),
  pageNode(/Page$/, 'mainEntity', 'description'),
  articleProperty('itemDescription'),
  uniqueBodyProperty('itemDescription'),
  rule('paragraph', ({ body }) => body.paragraph.map(readLead)),
  // Old pages are laid out as a table.
  rule('paragraph in a table', ({ body }) => body.tableParagraph.map(readLead)),
]

const MIN_LEAD_CHARS = 60
/** A script without spaces says as much in fewer characters. */
const MIN_EAST_ASIAN_CHARS = 30
const MAX_LEAD_CHARS = 300
const SENTENCE_END = /[.!?…。！？।؟]["”»)\]]*$/u
const EAST_ASIAN = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u
/** References to notes: `[1]`. */
const NOTE = /\[\d{1,3}\]/g
/** Notices that stand in front of the text of a page, and steps of a list. */
const NOTICE =
  /cookie|javascript|newsletter|subscri|affiliate|\bearn (?:us )?(?:an? )?(?:small )?commission|advertis|sign up|log in|copyright|©|all rights reserved|\b(?:outdated|unsupported) browser|(?:upgrade|update) your browser|^\d+[.)] /i

/** The text of a paragraph of whole sentences. */
function readLead(paragraph: string): string | undefined {
  const text = paragraph.replace(NOTE, '').replace(/\s+/g, ' ').trim()
  const minChars = EAST_ASIAN.test(text.slice(0, MIN_EAST_ASIAN_CHARS)) ? MIN_EAST_ASIAN_CHARS : MIN_LEAD_CHARS
  if (text.length < minChars || !SENTENCE_END.test(text) || NOTICE.test(text)) return undefined
  return normaliseText(text, MAX_LEAD_CHARS)
}

export const descriptionChecks: readonly CandidateCheck[] = [
  placeholder,
  isBrokenAtQuote,
  { reason: 'is a URL', weight: SEVERE_PENALTY, applies: ({ value }) => /^https?:\/\/\S*$/.test(value) },
  {
    reason: 'is the description of a new project',
    weight: UNUSABLE,
    applies: ({ value }) => isScaffoldDescription(value),
  },
  repeatsTitle,
  {
    reason: 'repeats the heading',
    weight: PENALTY,
    // Some pages have their summary in another heading of the first level.
    applies: ({ value }, { sources, title = '' }) =>
      value.length <= title.length &&
      sources.body.heading.slice(0, MAX_HEADINGS).some((heading) => isSameName(value, heading)),
  },
  {
    reason: 'is the publisher',
    weight: PENALTY,
    applies: ({ value }, { publisher }) => isSameName(value, publisher),
  },
  { reason: 'is cut off', weight: PENALTY, applies: ({ value }) => READ_MORE.test(value) },
  {
    reason: 'describes the site',
    weight: PENALTY,
    applies: ({ value }, { sources }) =>
      !isHomePage(sources) &&
      sources.jsonLd.pages
        .filter(({ types }) => types.includes('WebSite'))
        .some((node) => node.texts('description').some((text) => isSameName(value, text))),
  },
  { reason: 'is a single word', weight: PENALTY, applies: ({ value }) => SINGLE_WORD.test(value) },
]

const MAX_HEADINGS = 5

/** One word, in a script with spaces between words. */
const SINGLE_WORD = /^[\p{Lu}\p{Ll}]{1,20}$/u

/** The label of a link to the rest of a text. */
const READ_MORE =
  /(?:read more|continue reading|read on|weiterlesen|mehr lesen|lire la suite|leer más|leggi tutto|leia mais|lees meer|czytaj dalej|читать далее)[\s.!»›>…)\]]{0,9}$/i

const MAX_DESCRIPTION_CHARS = 2_000

export function normaliseDescription(text: string): string | undefined {
  const description = normaliseMarkup(text, MAX_DESCRIPTION_CHARS)
  return (description && withoutShortcodes(description)) || undefined
}

/** `[vc_row]`, `[/vc_row]`, `[caption id="a"]`, `[sitetree_link,id=1]`, `[quote=Bob]`. */
const SHORTCODE = /\[(\/?)([a-z][\w-]{0,60})([\s,=][^[\]]{0,500})?\]/gi
const MAX_SHORTCODES = 500
const QUOTED_ATTRIBUTE = /[\s,][\w-]{1,40}=["'“”″]/
/** A text with one of these words may name shortcodes. */
const ABOUT_SHORTCODES = /\b(?:short ?codes?|bbcodes?|markup)\b/i

/**
 * A text without the instructions that a publishing system has not replaced: those with an end, those with attributes, and those
 * that touch the text; not `[sic]`, and not `prog [input_file] [output_file]`.
 */
function withoutShortcodes(text: string): string {
  if (!text.includes('[') || ABOUT_SHORTCODES.test(text)) return text
  const codes = Array.from(text.matchAll(SHORTCODE)).slice(0, MAX_SHORTCODES)
  const ended = new Set(codes.filter(([, slash]) => slash).map(([, , name = '']) => name.toLowerCase()))
  let plain = ''
  let at = 0
  for (const { 0: code, 2: name = '', 3: attributes = '', index } of codes) {
    const end = index + code.length
    const isGlued = text.charAt(index - 1) === ']' || /^[[\p{L}\p{N}]/u.test(text.slice(end, end + 2))
    const isOfSystem = name.includes('_')
    if (!ended.has(name.toLowerCase()) && !QUOTED_ATTRIBUTE.test(attributes) && !(isOfSystem && isGlued)) continue
    // Others are within a sentence, such as `[b]`.
    plain += text.slice(at, index) + (isOfSystem || attributes ? ' ' : '')
    at = end
  }
  return at ? (plain + text.slice(at)).replace(/\s+/g, ' ').trim() : text
}
