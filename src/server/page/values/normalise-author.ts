import {
  afterBylinePrefix,
  EAST_ASIAN_ROLE,
  PARTICLES,
  ROLE_MODIFIERS,
  ROLES,
  startsLikeName,
} from '../document/index.js'
import {
  AFTER_NAME,
  PLACES_WITH_ARTICLE,
  CONJUNCTIONS,
  MONTHS_AND_DAYS,
  NON_NAME_TEXTS,
  NON_NAME_FIRST_WORDS,
  WEEKDAYS,
} from './author-words.js'
import { isAgency } from './is-organisation.js'
import { isPlaceholder } from './is-placeholder.js'
import { normaliseText } from './normalise-text.js'

/** A longer text is a paragraph or a table. */
const MAX_TEXT_CHARS = 400
const MAX_LINES = 8
const MAX_NAME_CHARS = 120
const MIN_NAME_WORDS = 2
const MAX_NAME_WORDS = 5
const MAX_WORDS = 16
const MAX_PREFIXES = 3

/**
 * Normalises a byline to the name in it: without "By", roles, dates, e-mail addresses and other texts next to a name. Several
 * names stay together if a conjunction joins them.
 *
 * @param text  Lines are tried one after the other.
 * @returns     `undefined` for a text without a name.
 */
export function normaliseAuthor(text: string, { lang = '' }: { lang?: string | undefined } = {}): string | undefined {
  const trimmed = text.trim()
  if (trimmed.length > MAX_TEXT_CHARS) return undefined
  const lines = trimmed.split(/\n+/).slice(0, MAX_LINES)
  const names = lines.flatMap((line) => nameInLine(line, lang) ?? [])
  // Initials replace a missing portrait.
  return names.find((name) => !INITIALS.test(name)) ?? names[0]
}

const INITIALS = /^\p{Lu}{1,3}$/u

function nameInLine(line: string, lang: string): string | undefined {
  const text = normaliseText(line.replace(LINK_TAGS, ''), MAX_TEXT_CHARS)?.replace(LEADING_MARKS, '')
  if (!text || isPlaceholder(text) || SENTENCES.test(text) || TIME.test(text)) return undefined
  const withoutAsides = withoutEmail(text).replace(NICKNAME, '')
  const names = withoutPrefix(withoutAsides, lang).replace(LEADING_MARKS, '')
  const name = withoutAgency(withoutRole(firstNames(beforeDetails(names, lang))))
  return isName(name) ? name : undefined
}

/** Some pages declare the link to an author in place of the name. */
const LINK_TAGS = /<\/?a(?:\s[^<>]{0,300})?>/gi
const LEADING_MARKS = /^[-–—•·|»>→~*:©\s]+/
const TIME = /^\d{1,2}[:.h]\d\d(?!\d)/

/** The nickname in `William (Bill) Roe`. */
const NICKNAME = / \([^()]{1,15}\)(?= \p{Lu})/gu

/** The end of one sentence and the beginning of another; a single word may be abbreviated, as in `Prof. Doe`. */
const SENTENCES = /\S \S*\p{Ll}{3}\. \p{Lu}/u

/** `Jane Doe <jane@site.example>` and `jane@site.example (Jane Doe)`. */
function withoutEmail(text: string): string {
  const [, inBrackets] = /^(?:mailto:)?[^\s@()]+@[^\s@()]+ ?\(([^()]+)\)$/.exec(text) ?? []
  if (inBrackets) return inBrackets
  const words = text.split(' ')
  return (/[^@]@[^@]/.test(words.at(-1)!) ? words.slice(0, -1) : words).join(' ')
}

/** Prepositions that names may begin with, too: `Von der Leyen`. */
const AMBIGUOUS = /^(von|di|av|af|od|door|por|par|του|της)\s/i

function withoutPrefix(text: string, lang: string): string {
  let name = text
  for (let count = 0; count < MAX_PREFIXES; count++) {
    const rest = afterBylinePrefix(name)?.trim()
    if (rest === undefined) return name
    const isCertain = !AMBIGUOUS.test(name) || (startsLikeName(rest) && (lang !== '' || rest.includes(' ')))
    if (!isCertain) return name
    name = rest
  }
  return name
}

/** Up to a separator, a bracket, a label with a colon, a date, or a word that does not occur in names. */
function beforeDetails(text: string, lang: string): string {
  const words = text.split(SEPARATORS, 1).join().trim().split(' ').slice(0, MAX_WORDS)
  const end = words.findIndex(
    (word, at) =>
      at > 0 &&
      (isAfterCapitals(words, at) || isAfterName(word, { next: words[at + 1], lang })) &&
      !isPartOfOffice(word, at) &&
      !isPartOfFamilyName(word, words.slice(at + 1, at + 3)),
  )
  return withoutFinalMarks((end < 0 ? words : words.slice(0, end)).join(' '))
}

/** Whether a name in capitals ends before a word: `JANE DOE Harbour Wire`. */
const isAfterCapitals = (words: readonly string[], at: number) =>
  at >= MIN_NAME_WORDS &&
  /^\p{Lu}\p{Ll}+$/u.test(words[at]!) &&
  // Initials are in capitals, too: `J. K. Rowling`.
  /\p{Lu}{2}/u.test(words[at - 1]!) &&
  words.slice(0, at).every((word) => /^[\p{Lu}\p{P}]{2,}$/u.test(word))

/** `Department for Ports`, but not `Jane Doe for the Courier`. */
const isPartOfOffice = (word: string, at: number) => at === 1 && word === 'for'

/** `Joop den Uyl`, `Wim op den Camp`, `Sophie in ’t Veld` and `Éric à la Tour`, but not `Anna Berg den 12 mars` or `Amélie Dupont à la Réunion`. */
function isPartOfFamilyName(word: string, [next = '', afterNext = '']: readonly string[]): boolean {
  if (word === 'den') return /^\p{Lu}/u.test(next) && !isDatePart(next)
  if (word === 'à')
    return next === 'la' && /^\p{Lu}/u.test(afterNext) && !PLACES_WITH_ARTICLE.has(afterNext.toLowerCase())
  return (word === 'op' && /^(den|der|ten|['’]t)$/.test(next)) || (word === 'in' && /^['’]t$/.test(next))
}

const isDatePart = (word: string) =>
  /^\d/.test(word) || MONTHS_AND_DAYS.test(word) || WEEKDAYS.has(word.toLowerCase().replace(/[.,]$/, ''))

const SEPARATORS = /[|•·／｜([（【［]/
const FINAL_MARKS = new Set(',;:、，-.')

function withoutFinalMarks(text: string): string {
  if (ENDS_WITH_INITIAL.test(text)) return text
  let end = text.length
  while (FINAL_MARKS.has(text.charAt(end - 1))) end--
  return text.slice(0, end)
}

const ENDS_WITH_INITIAL = /(?:^|[\s.])\p{Lu}\.$|(?:Jr|Sr)\.$/u
const DASHES = /^[–—\-/~]+$/

function isAfterName(word: string, { next = '', lang }: { next: string | undefined; lang: string }): boolean {
  // In Dutch it is a conjunction.
  if (word === 'en' && /^nl\b/i.test(lang)) return false
  if (/^\d/.test(word) || AFTER_NAME.has(word) || DASHES.test(word)) return true
  if (word.startsWith('@') || /[:：]/.test(word)) return true
  if (WEEKDAYS.has(word.toLowerCase().replace(/[.,]$/, ''))) return /^\d/.test(next) || MONTHS_AND_DAYS.test(next)
  return /^\d/.test(next) && (MONTHS_AND_DAYS.test(word) || /^\p{Ll}{1,3}$/u.test(word))
}

/** All of `Ann Lee, Bo Roe and Al Doe`, but only the first of a list without a conjunction, which may end with a role or a place. */
function firstNames(text: string): string {
  const parts = text.split(/[,，、;；]/).map((part) => part.trim())
  const areNames =
    CONJUNCTIONS.test(parts.at(-1) ?? '') && parts.every((part) => isName(part) && part === withoutRole(part))
  return areNames ? text : (parts[0] ?? '')
}

/** How encyclopedias name their authors: `Contributors to Wikimedia projects`. */
const CONTRIBUTORS = /^contributors to \p{L}/iu

function withoutRole(text: string): string {
  if (CONTRIBUTORS.test(text)) return text
  const words = text.replace(EAST_ASIAN_ROLE, '').split(' ')
  let end = words.findIndex((word) => ROLES.has(word.toLowerCase()))
  if (end < 0) return words.join(' ')
  const isModifier = (at: number) => ROLE_MODIFIERS.has(words[at]!.toLowerCase())
  while (end > 0 && isModifier(end - 1)) end--
  // A role may contain a place or a subject: "Senior Harbour Correspondent".
  const begin = words.findIndex((_, at) => at >= MIN_NAME_WORDS && at < end && isModifier(at))
  return words.slice(0, begin < 0 ? end : begin).join(' ')
}

/** The name without the agency that somebody works for: `Jane Doe AP`, `Jane Doe Associated Press`. */
function withoutAgency(text: string): string {
  const words = text.split(' ')
  const count = [1, 2].find((count) => isAgency(words.slice(-count).join(' ')))
  return count && words.length - count >= MIN_NAME_WORDS ? words.slice(0, -count).join(' ') : text
}

/** A URL without its scheme: `social.example/jane`. */
const ADDRESS = /^[\w-]+(\.[\w-]+)+\//

function isName(text: string): boolean {
  const words = text.split(' ')
  if (text.length > MAX_NAME_CHARS || !/\p{L}/u.test(text) || words.length > MAX_WORDS) return false
  if (/^((https?:)?\/\/|www\.|mailto:)|\S@|[?!…]$/i.test(text) || ADDRESS.test(text)) return false
  if (isPlaceholder(text) || NON_NAME_TEXTS.has(text.toLowerCase())) return false
  if (NON_NAME_FIRST_WORDS.has(words[0]!.toLowerCase()) && isNotPerson(words)) return false
  const small = words.filter((word) => /^\p{Ll}/u.test(word) && !PARTICLES.has(word.toLowerCase()))
  return (
    small.length === 0 ||
    words.length === 1 ||
    (words.length <= MAX_NAME_WORDS && small.length <= words.length / 2) ||
    (small.length === words.length && words.length <= 3)
  )
}

/** April, May and Sun are names, too, when another name follows. */
const isNotPerson = (words: readonly string[]) =>
  words.length === 1 || !/^(april|june|may|august|mark?|jan|sun|mon)$/i.test(words[0]!)
