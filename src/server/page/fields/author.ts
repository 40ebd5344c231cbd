import {
  AGREEMENT_BONUS,
  foldName,
  HOST_NAME,
  isSameName,
  PENALTY,
  repeatsTitle,
  UNUSABLE,
  type CandidateCheck,
} from '../candidate-check.js'
import {
  afterBylinePrefix,
  EAST_ASIAN_ROLE,
  PARTICLES,
  ROLE_MODIFIERS,
  ROLES,
  startsLikeName,
  type JsonLdNode,
  type MetadataSources,
} from '../document/index.js'
import { isPlaceholder, normaliseMarkup } from '../values/index.js'
import {
  articleProperty,
  mainEntity,
  meta,
  nearHeadlineProperty,
  oembed,
  ORGANISATION,
  pageNode,
  rule,
  uniqueBodyProperty,
  type Rule,
} from './rule.js'
import { lettersOf } from './site-names.js'
import {
  AFTER_NAME,
  AFTER_NAME_ANY_CASE,
  AGE,
  AGENCIES,
  AGENCY_PHRASES,
  CONJUNCTIONS,
  DEFAULT_ACCOUNT,
  EAST_ASIAN_ORGANISATIONS,
  MONTHS_AND_DAYS,
  NON_NAME_FIRST_WORDS,
  NON_NAME_TEXTS,
  OFFICES,
  ORGANISATIONS,
  PLACES_WITH_ARTICLE,
  WEEKDAYS,
} from './author-words.js'

/** More of them are the authors of a list of articles. */
const MAX_AUTHORS = 6

/** Authors in metadata. */
const declaredRules: readonly Rule[] = [
  rule('JSON-LD author', (sources) => jsonLdAuthors(sources, { isOrganisation: false })),
  familyNameFirst(meta('citation_author', 'citation_authors', 'bepress_citation_author', 'eprints.creators_name')),
  familyNameFirst(meta('dc.creator', 'dcterms.creator', 'dc.contributor.author')),
  rule('JSON-LD author without an object', ({ jsonLd }) =>
    jsonLd.mainEntities.flatMap((entity) => togetherAndEach(entity.texts('author'))),
  ),
  meta(
    'author',
    'article:author',
    'og:article:author',
    'og:author',
    'sailthru.author',
    'parsely-author',
    'byl',
    'byline',
    'authors',
    'author.name',
    'author_name',
    'article.author',
    'shareaholic:article_author_name',
    'cxenseparse:author',
    'music:musician_description',
  ),
  labelledCard('written by'),
  rule('meta twitter:creator', ({ metas }) => (metas.get('twitter:creator') ?? []).filter(isNotAccount)),
  mainEntity('byArtist', 'name'),
  mainEntity('creator', 'name'),
  mainEntity('creator'),
  pageNode(/Page$/, 'author', 'name'),
  rule('JSON-LD organisation', (sources) => jsonLdAuthors(sources, { isOrganisation: true })),
]

export const authorRules: readonly Rule[] = [
  ...declaredRules.map(inOneLine),
  headlineAuthor('author'),
  articleProperty('author'),
  withoutPlaces(headlineAuthor('byline')),
  headlineAuthor('authorLink'),
  headlineAuthor('bylineText'),
  headlineAuthor('roleText'),
  uniqueBodyProperty('author', normaliseAuthor),
  withoutPlaces(articleProperty('byline')),
  withoutPlaces(uniqueBodyProperty('byline', normaliseAuthor)),
  uniqueBodyProperty('closingByline', normaliseAuthor),
  oembed('author_name'),
]

/** Metadata may break a name into lines, unlike the body, where each line is a text of its own. */
function inOneLine(declared: Rule): Rule {
  return { ...declared, read: (sources) => Array.from(declared.read(sources), (text) => text && collapse(text)) }
}

const collapse = (text: string) => text.replace(/\s+/g, ' ').trim()

/** A byline may begin with the place of the report, in capitals: `LISBON, Portugal`. */
function withoutPlaces({ source, read }: Rule): Rule {
  return rule(source, (sources) => Array.from(read(sources)).filter((text = '') => !PLACE.test(text.trim())))
}

const PLACE = /^\p{Lu}{3,}(?:\s?[,–—-]|$)/u

function headlineAuthor(property: 'author' | 'byline' | 'authorLink' | 'bylineText' | 'roleText'): Rule {
  return nearHeadlineProperty(property, { normalise: normaliseAuthor, max: MAX_AUTHORS })
}

/** The names of all authors of an entity together, then each of them. */
function jsonLdAuthors({ jsonLd }: MetadataSources, { isOrganisation }: { isOrganisation: boolean }): string[] {
  return jsonLd.mainEntities.flatMap((entity) => {
    const authors = entity
      .objects('author')
      .filter(({ types }) => types.some((type) => ORGANISATION.test(type)) === isOrganisation)
    return togetherAndEach(authors.flatMap(namesOf))
  })
}

const MAX_JOINED_NAMES = 4

/** What is no name of a person, such as an empty one, is not joined with the others. */
function togetherAndEach(texts: readonly string[]): string[] {
  const lines = texts.map(collapse)
  const names = [...new Set(lines.flatMap((line) => normaliseAuthor(line) ?? []))].filter(
    (name) => !DEFAULT_ACCOUNT.test(name),
  )
  return names.length > 1 && names.length <= MAX_JOINED_NAMES ? [joinNames(names), ...lines] : lines
}

const joinNames = (names: readonly string[]) => `${names.slice(0, -1).join(', ')} & ${names.at(-1)}`

/** Usually one; some pages list all authors as the names of one. */
function namesOf(person: JsonLdNode): string[] {
  const names = person.texts('name').map((name) => name.trim())
  if (names.length) return names
  const parts = [person.texts('givenName')[0], person.texts('familyName')[0]].filter(Boolean)
  return parts.length ? [parts.join(' ')] : []
}

/** Usually the value is an account name of one word. */
const isNotAccount = (text: string) => !text.includes('@') && text.trim().includes(' ')

const MAX_INVERTED_CHARS = 100

/** Scholarly pages state `Doe, Jane`; some of them all authors at once, with semicolons between. */
function familyNameFirst({ source, read }: Rule): Rule {
  return rule(source, (sources) =>
    [...read(sources)].map((text) => {
      const [first = ''] = (text ?? '').slice(0, MAX_INVERTED_CHARS).split(';', 1)
      const [family = '', given = '', ...others] = first.split(',')
      const isInverted = given.trim() && !others.length && family.trim().split(/\s+/).length <= 2
      return isInverted ? `${given.trim()} ${family.trim()}` : text
    }),
  )
}

/** What WordPress plugins put before the author in a card. */
const CARD_LABEL =
  /^(written by|author|verfasst von|geschrieben von|autor|écrit par|escrito por|scritto da|geschreven door|napisane przez|skrevet av|skriven av|написано автором|автор|執筆者|作者|글쓴이|كُتب بواسطة)$/

/** `twitter:data1` if `twitter:label1` announces an author. */
function labelledCard(source: string): Rule {
  return rule(`twitter:label ${source}`, ({ metas }) =>
    ['1', '2'].flatMap((number) => {
      const [label = ''] = metas.get(`twitter:label${number}`) ?? []
      return CARD_LABEL.test(label.trim().toLowerCase()) ? (metas.get(`twitter:data${number}`) ?? []) : []
    }),
  )
}

/** Sources in the body of the page, where other texts may have the same markup as names of authors. */
const BODY_SOURCES = new Set(['byline', 'bylineText', 'closingByline', 'authorLink', 'roleText'])
const HAS_CAPITALS = /[\p{Lu}\p{Ll}]/u

/**
 * An organisation is the author only if there is no person. A default account of the publishing system, such as `admin`,
 * never is.
 */
export const authorChecks: readonly CandidateCheck[] = [
  { reason: 'several sources agree', weight: AGREEMENT_BONUS, applies: ({ sources }) => sources.length > 1 },
  repeatsTitle,
  { reason: 'is the publisher', weight: PENALTY, applies: ({ value }, { publisher }) => isSameName(value, publisher) },
  {
    reason: 'contains the publisher',
    weight: PENALTY,
    applies: ({ value }, { publisher }) => publisher !== undefined && isPartOf(publisher, value),
  },
  {
    reason: 'is the name of the site',
    weight: PENALTY,
    applies: ({ value }, { siteNames }) => siteNames.registered.has(lettersOf(value)),
  },
  { reason: 'is an organisation', weight: PENALTY, applies: ({ value }) => isOrganisation(value) },
  { reason: 'is a site', weight: PENALTY, applies: ({ value }) => HOST_NAME.test(value) },
  { reason: 'is an account', weight: PENALTY, applies: ({ value }) => value.startsWith('@') },
  {
    reason: 'may be any word',
    weight: PENALTY * 2,
    applies: ({ value, sources }) =>
      !value.includes(' ') && HAS_CAPITALS.test(value) && sources.every((source) => BODY_SOURCES.has(source)),
  },
  { reason: 'is a default account', weight: UNUSABLE, applies: ({ value }) => DEFAULT_ACCOUNT.test(value) },
  { reason: 'is generic', weight: PENALTY * 3, applies: ({ value }) => OFFICES.test(value) },
]

/** Whether the whole name of an organisation, of more than one word, is part of a longer one. */
function isPartOf(name: string, longer: string): boolean {
  const [part, whole] = [foldName(name), foldName(longer)]
  return /\S\s+\S/.test(name) && part !== '' && part.length < whole.length && whole.includes(part)
}

/** Whether a text is the name of a news agency, as it stands after a person's name: `Jane Doe AP`. */
function isAgency(text: string): boolean {
  const name = text.toLowerCase()
  return AGENCIES.has(name) || AGENCY_PHRASES.has(name)
}

const MAX_ORGANISATION_WORDS = 16

/** Whether the words of a name suggest an organisation rather than a person. */
function isOrganisation(name: string): boolean {
  const parts = name
    .toLowerCase()
    .split(/[\s,./&-]+/, MAX_ORGANISATION_WORDS)
    .filter(Boolean)
  return (
    parts.some((word) => ORGANISATIONS.has(word)) ||
    parts.every((word) => AGENCIES.has(word)) ||
    EAST_ASIAN_ORGANISATIONS.test(name)
  )
}

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
export function normaliseAuthor(
  text: string,
  { lang = '' }: Partial<Pick<MetadataSources, 'lang'>> = {},
): string | undefined {
  const trimmed = text.trim()
  if (trimmed.length > MAX_TEXT_CHARS) return undefined
  const lines = trimmed.split(/\n+/).slice(0, MAX_LINES)
  const names = lines.flatMap((line) => nameInLine(line, lang) ?? [])
  // Initials replace a missing portrait.
  return names.find((name) => !INITIALS.test(name)) ?? names[0]
}

const INITIALS = /^\p{Lu}{1,3}$/u

function nameInLine(line: string, lang: string): string | undefined {
  const text = normaliseMarkup(line, MAX_TEXT_CHARS)?.replace(LEADING_MARKS, '').replace(AGE, '')
  if (!text || isPlaceholder(text) || SENTENCES.test(text) || TIME.test(text)) return undefined
  const withoutAsides = withoutEmail(text).replace(NICKNAME, '')
  const names = withoutPrefix(withoutAsides, lang).replace(LEADING_MARKS, '')
  const name = withoutAgency(withoutRole(firstNames(beforeDetails(names, lang)))).replace(TRAILING_MARK, '')
  return isName(name) ? name : undefined
}

const LEADING_MARKS = /^[-–—•·|»>→~*:©\s]+/
/** Between an author and a date, as in `by Jane Doe » Mon`. */
const TRAILING_MARK = / [»›>→|·•]$/
const TIME = /^\d{1,2}[:.h]\d\d(?!\d)/

/** The nickname in `William (Bill) Roe`, and what is left out of `Bruno (Henrique Silva) Roe`. */
const NICKNAME = / \([^()]{1,40}\)(?= \p{Lu})/gu

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
  if (AFTER_NAME_ANY_CASE.has(word.toLowerCase())) return true
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
