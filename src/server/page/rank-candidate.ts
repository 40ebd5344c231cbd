import { areSimilar, type MetadataSources } from './document/index.js'
import { isPlaceholder, type MetadataField } from './values/index.js'

export interface FoundValue {
  value: string
  /** Without duplicates, the best first. */
  sources: string[]
  /** Number of the rule that found it first. */
  rule: number
}

export interface Candidate {
  value: string
  /** Where it comes from; the best of them, where there are several. */
  source: string
  /** Higher is better; only comparable within a field. */
  score: number
  /** What changed the score that its source alone would give. */
  reasons: string[]
}

export interface RankContext {
  sources: MetadataSources
  /** The best candidate by its source alone; `undefined` when there is none. */
  publisher: string | undefined
  /** Likewise. */
  title: string | undefined
}

/** A reason to prefer a candidate, or to prefer others to it. */
interface Check {
  reason: string
  /** Added to the score. The rules of a field differ by 1 each. */
  weight: number
  applies(found: FoundValue, context: RankContext): boolean
}

/** Behind all candidates without such a fault. */
const FAULT = -100
/** Behind those, too. */
const SEVERE_FAULT = -1_000
/** Ahead of the next rules, not of those that are far better. */
const AGREEMENT = 2

const placeholder: Check = {
  reason: 'is a placeholder',
  weight: SEVERE_FAULT,
  applies: ({ value }) => isPlaceholder(value),
}

const severalSources: Check = {
  reason: 'several sources agree',
  weight: AGREEMENT,
  applies: ({ sources }) => sources.length > 1,
}

const repeatsTitle: Check = {
  reason: 'repeats the title',
  weight: FAULT,
  applies: ({ value }, { title }) => isSame(value, title),
}

const GENERIC_TITLE =
  /^(home|homepage|home ?page|index|welcome|untitled( document| page)?|page|new page|document|article|blog|news|start|startseite|accueil|inicio|início|strona główna|главная|首页|首頁|ホーム|الرئيسية)$/i

const GENERIC_AUTHOR =
  /^(admin(istrator)?|webmaster|web ?team|web ?editor|editor(ial)?( team| staff)?|staff|team|user|guest|root|author|anonymous|contributor|redaktion|die redaktion|rédaction|la rédaction|redacción|redação|redazione|redactie|redakcja|редакция|編集部|编辑部|本站)$/i

const checks: Partial<Record<MetadataField, readonly Check[]>> = {
  title: [
    placeholder,
    {
      reason: 'is generic',
      weight: FAULT,
      applies: ({ value }) => GENERIC_TITLE.test(value),
    },
    {
      reason: 'is the name of the site',
      weight: FAULT,
      applies: ({ value }, { sources, publisher }) => new URL(sources.url).pathname !== '/' && isSame(value, publisher),
    },
    {
      // The database that describes the subject of a page is not what the page calls itself.
      reason: 'differs from the page',
      weight: FAULT,
      applies: ({ value, sources }, context) =>
        sources.every((source) => source.startsWith('JSON-LD')) && differsFromPage(value, context.sources),
    },
  ],
  description: [
    placeholder,
    { ...placeholder, reason: 'is a URL', applies: ({ value }) => /^https?:\/\/\S*$/.test(value) },
    repeatsTitle,
  ],
  author: [
    severalSources,
    repeatsTitle,
    { reason: 'is generic', weight: FAULT, applies: ({ value }) => GENERIC_AUTHOR.test(value) },
    { reason: 'is the publisher', weight: FAULT, applies: ({ value }, { publisher }) => isSame(value, publisher) },
    { reason: 'is an account', weight: FAULT, applies: ({ value }) => value.startsWith('@') },
  ],
  image: [{ reason: 'is a placeholder', weight: FAULT, applies: ({ value }) => BLANK_IMAGE.test(value) }],
}

/** Default images of publishing systems, and the page of a site instead of an image. */
const BLANK_IMAGE =
  /\/(blank|spacer|transparent|placeholder|no-?image|default-?(og-?)?image)\.(jpe?g|png|gif|webp|svg)([?#]|$)|^https?:\/\/[^/]+\/$/i

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

const isSame = (value: string, other: string | undefined) => other !== undefined && fold(value) === fold(other)
const fold = (text: string) => text.toLowerCase().replace(/^the |[^\p{L}\p{N}]+/gu, '')
