import { isTitleInPlaceOfName, UNUSABLE, type FoundValue, type RankContext } from './candidate-check.js'
import type { MetadataSources } from './document/index.js'
import { fields, type MetadataField } from './fields/index.js'
import { findSiteNames, type SiteNames } from './fields/site-names.js'

/** The possible values of each field, best first, without duplicates. */
export type Candidates = Record<MetadataField, string[]>

export interface Candidate {
  value: string
  /** Where it comes from; the best source if there are several. */
  source: string
  /** Higher is better; only comparable within a field. */
  score: number
  /** What changed the score that its source alone would give. */
  reasons: string[]
}

export type RankedCandidates = Record<MetadataField, Candidate[]>

const MAX_CANDIDATES = 10
/** More are collected than returned, because the first are not always the best. */
const MAX_COLLECTED = 20
/** Ranked only by the order of the rules; dates take long to parse. */
const FIRST_IS_BEST: ReadonlySet<MetadataField> = new Set(['date', 'lang'])
/** Texts to try, most of which may not be valid values. */
const MAX_TEXTS = 100

export function findCandidates(sources: MetadataSources): Candidates {
  const ranked = Object.entries(rankCandidates(sources))
  return Object.fromEntries(ranked.map(([field, list]) => [field, list.map(({ value }) => value)])) as Candidates
}

/** The same with the source and the score of each, and the reasons for it. */
export function rankCandidates(sources: MetadataSources): RankedCandidates {
  const siteNames = findSiteNames(sources)
  const collected = new Map(fieldNames.map((field) => [field, collect(field, sources, siteNames)]))
  const publishers = collected.get('publisher')?.map(({ value }) => value) ?? []
  const context: RankContext = {
    sources,
    publisher: publishers[0],
    title: collected.get('title')?.[0]?.value,
    publishers,
    siteNames,
  }
  return Object.fromEntries(
    fieldNames.map((field) => [
      field,
      (collected.get(field) ?? [])
        .map((found) => rankCandidate(field, found, context))
        .filter(({ score }) => score > UNUSABLE)
        .toSorted((one, other) => other.score - one.score)
        .slice(0, MAX_CANDIDATES),
    ]),
  ) as RankedCandidates
}

const fieldNames = Object.keys(fields) as MetadataField[]

function collect(field: MetadataField, sources: MetadataSources, siteNames: SiteNames): FoundValue[] {
  const found = new Map<string, FoundValue>()
  /** Values by text: rules that read parts of the body find the same texts. */
  const values = new Map<string, string | undefined>()
  const max = FIRST_IS_BEST.has(field) ? 1 : MAX_COLLECTED
  let remaining = MAX_TEXTS
  for (const [at, { source, read }] of fields[field].rules.entries()) {
    for (const text of read(sources)) {
      if (text === undefined || isTitleInPlaceOfName(text, { field, sources, siteNames })) continue
      const value = values.has(text) ? values.get(text) : fields[field].normalise(text, sources)
      values.set(text, value)
      if (value !== undefined) {
        const known = found.get(value)
        if (!known) found.set(value, { value, sources: [source], rule: at })
        else if (!known.sources.includes(source)) known.sources.push(source)
      }
      if (found.size === max || !--remaining) return [...found.values()]
    }
  }
  return [...found.values()]
}

/** Scores a value by its source, its agreement with others, and its plausibility. */
function rankCandidate(field: MetadataField, found: FoundValue, context: RankContext): Candidate {
  const applying = (fields[field].checks ?? []).filter((check) => check.applies(found, context))
  return {
    value: found.value,
    source: found.sources[0]!,
    score: applying.reduce((score, { weight }) => score + weight, -found.rule),
    reasons: applying.map(({ reason }) => reason),
  }
}
