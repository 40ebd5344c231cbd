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
/** Of a field in an explanation. */
const MAX_UNUSABLE = 5
/** More are collected than returned, because the first are not always the best. */
const MAX_COLLECTED = 20
/** Ranked only by the order of the rules; dates take long to parse. */
const FIRST_IS_BEST: ReadonlySet<MetadataField> = new Set(['date', 'lang'])
/** Texts to try, most of which may not be valid values. */
const MAX_TEXTS = 100

export const findCandidates = (sources: MetadataSources): Candidates => valuesOf(rankCandidates(sources))

/** The values that may be used, without where they come from. */
export const valuesOf = (ranked: RankedCandidates): Candidates =>
  mapFields((field) => ranked[field].filter(isUsable).map(({ value }) => value))

/** Each value once, with its first source. */
export function withoutRepetition(candidates: readonly Candidate[]): Candidate[] {
  const values = new Set<string>()
  return candidates.filter(({ value }) => !values.has(value) && values.add(value))
}

const isUsable = ({ score }: Pick<Candidate, 'score'>) => score > UNUSABLE

/**
 * The same with the source and the score of each, and the reasons for it.
 *
 * @param withUnusable  Adds what is not used, with a score of `UNUSABLE`: an explanation says why.
 */
export function rankCandidates(sources: MetadataSources, { withUnusable = false } = {}): RankedCandidates {
  const siteNames = findSiteNames(sources)
  const collected = mapFields((field) => collect(field, { sources, siteNames, isExplained: withUnusable }))
  const publishers = collected.publisher.values.map(({ value }) => value)
  const context: RankContext = {
    sources,
    publisher: publishers[0],
    title: collected.title.values[0]?.value,
    publishers,
    siteNames,
  }
  return mapFields((field) => {
    const { values, invalid } = collected[field]
    const ranked = values
      .map((found) => rankCandidate(field, found, context))
      .toSorted((one, other) => other.score - one.score)
    const usable = ranked.filter(isUsable).slice(0, MAX_CANDIDATES)
    if (!withUnusable) return usable
    const unusable = [...ranked.filter((candidate) => !isUsable(candidate)), ...invalid]
    return [...usable, ...unusable.slice(0, MAX_UNUSABLE)]
  })
}

const fieldNames = Object.keys(fields) as MetadataField[]

const mapFields = <Value>(valueOf: (field: MetadataField) => Value): Record<MetadataField, Value> =>
  Object.fromEntries(fieldNames.map((field) => [field, valueOf(field)])) as Record<MetadataField, Value>

/** What the rules of a field find, and the first texts that are no values of it. */
function collect(
  field: MetadataField,
  { sources, siteNames, isExplained }: { sources: MetadataSources; siteNames: SiteNames; isExplained: boolean },
): { values: FoundValue[]; invalid: Candidate[] } {
  const found = new Map<string, FoundValue>()
  /** Values by text: rules that read parts of the body find the same texts. */
  const values = new Map<string, string | undefined>()
  const invalid: Candidate[] = []
  const collected = () => ({ values: [...found.values()], invalid })
  const max = FIRST_IS_BEST.has(field) ? 1 : MAX_COLLECTED
  let remaining = MAX_TEXTS
  for (const [at, { source, read, sourceOf }] of fields[field].rules.entries()) {
    for (const text of read(sources)) {
      if (text === undefined || isTitleInPlaceOfName(text, { field, sources, siteNames })) continue
      const value = values.has(text) ? values.get(text) : fields[field].normalise(text, sources)
      if (value === undefined && invalid.length < MAX_UNUSABLE && !values.has(text) && text.trim())
        invalid.push({ value: text, source, score: UNUSABLE, reasons: [`is no valid ${field}`] })
      values.set(text, value)
      if (value !== undefined) {
        const known = found.get(value)
        const statedBy = isExplained ? sourceOf?.(text, sources) : undefined
        if (!known) found.set(value, { value, sources: [source], rule: at, statedBy })
        else if (!known.sources.includes(source)) known.sources.push(source)
      }
      if (found.size === max || !--remaining) return collected()
    }
  }
  return collected()
}

/** Scores a value by its source, its agreement with others, and its plausibility. */
function rankCandidate(field: MetadataField, found: FoundValue, context: RankContext): Candidate {
  const applying = (fields[field].checks ?? []).filter((check) => check.applies(found, context))
  return {
    value: found.value,
    source: found.statedBy ?? found.sources[0]!,
    score: applying.reduce((score, { weight }) => score + weight, -found.rule),
    reasons: applying.map(({ reason }) => reason),
  }
}
