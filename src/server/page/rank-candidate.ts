import {
  HOST_NAME,
  isSameName,
  PENALTY,
  SEVERE_PENALTY,
  UNUSABLE,
  type CandidateCheck,
  type FoundValue,
  type RankContext,
} from './candidate-check.js'
import { areSimilar, type MetadataSources } from './document/index.js'
import { authorChecks } from './fields/author.js'
import { imageChecks } from './fields/image.js'
import { urlChecks } from './fields/url.js'
import { lettersOf, type SiteNames } from './rules/index.js'
import { isGeneric, isPlaceholder, isScaffoldDescription, isScaffoldTitle, type MetadataField } from './values/index.js'

export interface Candidate {
  value: string
  /** Where it comes from; the best source if there are several. */
  source: string
  /** Higher is better; only comparable within a field. */
  score: number
  /** What changed the score that its source alone would give. */
  reasons: string[]
}

const placeholder: CandidateCheck = {
  reason: 'is a placeholder',
  weight: SEVERE_PENALTY,
  applies: ({ value }) => isPlaceholder(value),
}

const repeatsTitle: CandidateCheck = {
  reason: 'repeats the title',
  weight: PENALTY,
  applies: ({ value }, { title }) => isSameName(value, title),
}

/** Names of people and sites have fewer words. */
const MIN_TITLE_WORDS = 4
const MAX_TITLES = 5

/** Whether a text is the title of the page rather than the name of somebody: some publishing systems state it as both. */
export function isTitleInPlaceOfName(
  text: string,
  { field, sources, siteNames }: { field: MetadataField; sources: MetadataSources; siteNames: SiteNames },
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

const TEXT_METAS = ['og:title', 'twitter:title', 'og:description', 'twitter:description', 'description']
const MAX_WHOLE_TEXTS = 30

/** Browsers end an attribute at a quote within its quotes; then the page may state the whole text elsewhere. */
const isBrokenAtQuote: CandidateCheck = {
  reason: 'is broken at a quote',
  weight: PENALTY,
  applies({ value }, { sources: { title, metas, jsonLd, body } }) {
    const entities = jsonLd.mainEntities.flatMap((node) => [...node.texts('headline'), ...node.texts('description')])
    const declared = TEXT_METAS.flatMap((name) => metas.get(name) ?? [])
    const wholeTexts = [title, ...body.heading, ...declared, ...entities, ...body.paragraph].slice(0, MAX_WHOLE_TEXTS)
    return wholeTexts.some((text = '') => endsBeforeQuote(value, text) || hasLooseQuote(value, text))
  },
}

function endsBeforeQuote(value: string, text: string): boolean {
  const whole = text.trimStart()
  return whole.startsWith(value) && /^ ?["'“”„«]\S/.test(whole.slice(value.length, value.length + 3))
}

/** Whether a quote stands alone that belongs to a word of the same text. */
const hasLooseQuote = (value: string, text: string): boolean =>
  LOOSE_QUOTE.test(value) && !LOOSE_QUOTE.test(text) && lettersOf(text).startsWith(lettersOf(value))

const LOOSE_QUOTE = / ["'] /

/** The title of a home page may be the name of its site. */
const isHomePage = ({ url }: MetadataSources) => new URL(url).pathname === '/'

const SEPARATE_TITLES = /^(?:JSON-LD|meta dc\.title)/

/** One word, in a script with spaces between words. */
const SINGLE_WORD = /^[\p{Lu}\p{Ll}]{1,20}$/u

const checks: Partial<Record<MetadataField, readonly CandidateCheck[]>> = {
  title: [
    placeholder,
    isBrokenAtQuote,
    {
      reason: 'is generic',
      weight: PENALTY,
      applies: ({ value }) => isGeneric(value),
    },
    { reason: 'is the title of a new project', weight: PENALTY, applies: ({ value }) => isScaffoldTitle(value) },
    {
      reason: 'is the name of the site',
      weight: PENALTY,
      applies: ({ value }, { sources, publisher }) => !isHomePage(sources) && isSameName(value, publisher),
    },
    {
      // JSON-LD may describe the subject of a page under another name than the page itself, and Dublin Core the site.
      reason: 'differs from the page',
      weight: PENALTY,
      applies: ({ value, sources }, context) =>
        sources.every((source) => SEPARATE_TITLES.test(source)) && differsFromPage(value, context.sources),
    },
  ],
  description: [
    placeholder,
    isBrokenAtQuote,
    { ...placeholder, reason: 'is a URL', applies: ({ value }) => /^https?:\/\/\S*$/.test(value) },
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
  ],
  author: authorChecks,
  publisher: [
    { reason: 'is an account', weight: PENALTY, applies: ({ value }) => value.startsWith('@') },
    { reason: 'is generic', weight: PENALTY, applies: ({ value }) => isGeneric(value) },
    {
      reason: 'is a host name, and another candidate names the site',
      weight: PENALTY,
      applies: ({ value }, { publishers, siteNames }) =>
        HOST_NAME.test(value) &&
        value === value.toLowerCase() &&
        publishers.some((name) => /^\p{Lu}[^._]*$/u.test(name) && siteNames.registered.has(lettersOf(name))),
    },
    { reason: 'is the name of a company', weight: PENALTY, applies: ({ value }) => LEGAL_FORM.test(value) },
    {
      ...repeatsTitle,
      applies: (found, context) => !isHomePage(context.sources) && repeatsTitle.applies(found, context),
    },
  ],
  url: urlChecks,
  image: imageChecks,
}

/** The label of a link to the rest of a text. */
const READ_MORE =
  /(?:read more|continue reading|read on|weiterlesen|mehr lesen|lire la suite|leer más|leggi tutto|leia mais|lees meer|czytaj dalej|читать далее)[\s.!»›>…)\]]{0,9}$/i

/** What follows the name of a company, which is rarely the name of its site. */
const LEGAL_FORM =
  / (?:AB|AG|A\/S|AS|ASA|B\.?V\.?|GmbH|Inc\.?|Kft\.?|LLC|Ltd\.?|Oy|plc|S\.?A\.?|SARL|SpA|S\.p\.A\.|s\.r\.o\.)$/

/** Scores a value by its source, its agreement with others, and its plausibility. */
export function rankCandidate(field: MetadataField, found: FoundValue, context: RankContext): Candidate {
  const applying = (checks[field] ?? []).filter((check) => check.applies(found, context))
  return {
    value: found.value,
    source: found.sources[0]!,
    score: applying.reduce((score, { weight }) => score + weight, -found.rule),
    reasons: applying.map(({ reason }) => reason),
  }
}

const MAX_HEADINGS = 5

function differsFromPage(value: string, { title, metas, body }: MetadataSources): boolean {
  const others = [title, metas.get('og:title')?.[0], ...body.heading.slice(0, MAX_HEADINGS)].filter((text) =>
    text?.trim(),
  )
  return others.length > 0 && others.every((text) => !areSimilar(value, text!))
}
