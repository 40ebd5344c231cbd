import type { MetadataSources } from './document/index.js'
import { lettersOf, type SiteNames } from './fields/site-names.js'
import { isPlaceholder } from './values/index.js'

export interface FoundValue {
  value: string
  /** Sources without duplicates, the best first. */
  sources: string[]
  /** The best of them by its exact name, if it is explained. */
  statedBy?: string | undefined
  /** Index of the first rule that found it. */
  rule: number
}

export interface RankContext {
  sources: MetadataSources
  /** The best candidate by its source alone; `undefined` when there is none. */
  publisher: string | undefined
  /** Likewise. */
  title: string | undefined
  /** All that were found. */
  publishers: readonly string[]
  siteNames: SiteNames
}

/** A reason to prefer a candidate, or to prefer others to it. */
export interface CandidateCheck {
  reason: string
  /** Added to the score. The rules of a field differ by 1 each. */
  weight: number
  applies(found: FoundValue, context: RankContext): boolean
}

/** Ranks a candidate after all those without such a penalty. */
export const PENALTY = -100
/** Ranks a candidate after those with a penalty, too. */
export const SEVERE_PENALTY = -1_000
/** Removes a candidate: no value at all is better than this one. */
export const UNUSABLE = -Infinity
/** Ranks a candidate before the candidates of the next rules, but not before the candidates of far better rules. */
export const AGREEMENT_BONUS = 2

export const HOST_NAME = /^(?:[\p{L}\d-]{2,}\.){1,4}[\p{L}]{2,}$/u

/** The letters and digits of a name, without its article. */
export const foldName = (text: string): string => lettersOf(text.replace(/^the /i, ''))

export const isSameName = (value: string, other: string | undefined): boolean =>
  other !== undefined && foldName(value) === foldName(other)

/** The title of a home page may be the name of its site. */
export const isHomePage = ({ url }: MetadataSources) => new URL(url).pathname === '/'

export const placeholder: CandidateCheck = {
  reason: 'is a placeholder',
  weight: SEVERE_PENALTY,
  applies: ({ value }) => isPlaceholder(value),
}

export const repeatsTitle: CandidateCheck = {
  reason: 'repeats the title',
  weight: PENALTY,
  applies: ({ value }, { title }) => isSameName(value, title),
}

const TEXT_METAS = ['og:title', 'twitter:title', 'og:description', 'twitter:description', 'description']
const MAX_WHOLE_TEXTS = 30

/** Browsers end an attribute at a quote within its quotes; then the page may state the whole text elsewhere. */
export const isBrokenAtQuote: CandidateCheck = {
  reason: 'is broken at a quote',
  weight: PENALTY,
  applies({ value }, { sources: { title, metas, jsonLd, body } }) {
    const entities = jsonLd.mainEntities.flatMap((node) => [...node.texts('headline'), ...node.texts('description')])
    const declared = TEXT_METAS.flatMap((name) => metas.get(name) ?? [])
    const wholeTexts = [title, ...body.heading, ...declared, ...entities, ...body.paragraph].slice(0, MAX_WHOLE_TEXTS)
    return wholeTexts.some((text = '') => endsBeforeQuote(value, text) || hasLooseQuote(value, text))
  },
}

/** Whether a text goes on with a quote where another one ends. */
export function endsBeforeQuote(value: string, text: string): boolean {
  const whole = text.trimStart()
  return value !== '' && whole.startsWith(value) && /^ ?["'“”„«]\S/.test(whole.slice(value.length, value.length + 3))
}

/** Whether a quote stands alone that belongs to a word of the same text. */
const hasLooseQuote = (value: string, text: string): boolean =>
  LOOSE_QUOTE.test(value) && !LOOSE_QUOTE.test(text) && lettersOf(text).startsWith(lettersOf(value))

const LOOSE_QUOTE = / ["'] /

/** Names of people and sites have fewer words. */
const MIN_TITLE_WORDS = 4
const MAX_TITLES = 5

/** Whether a text is the title of the page rather than the name of somebody: some publishing systems state it as both. */
export function isTitleInPlaceOfName(
  text: string,
  { field, sources, siteNames }: { field: string; sources: MetadataSources; siteNames: SiteNames },
): boolean {
  if (field !== 'author' && field !== 'publisher') return false
  const letters = lettersOf(text)
  if (isHomePage(sources) || siteNames.all.has(letters)) return false
  const { jsonLd, metas, body, title } = sources
  const headlines = jsonLd.mainEntities.slice(0, MAX_TITLES).flatMap((node) => node.texts('headline'))
  const titles = [metas.get('og:title')?.[0], title, ...body.heading.slice(0, MAX_TITLES)]
  const isLong = text.trim().split(/\s+/, MIN_TITLE_WORDS).length === MIN_TITLE_WORDS
  const others = isLong ? [...headlines, ...titles] : field === 'publisher' ? headlines : []
  return others.some((other) => other !== undefined && lettersOf(other) === letters)
}
