import type { MetadataSources } from './document/index.js'
import { rules } from './rules/index.js'
import { normaliseValue, type MetadataField } from './values/index.js'

/** The possible values of each field, best first, without duplicates. */
export type Candidates = Record<MetadataField, string[]>

const MAX_CANDIDATES = 10
/** Of texts that are not valid values; more of them would only cost time. */
const MAX_TEXTS = 100

export function findCandidates(sources: MetadataSources): Candidates {
  const fields = Object.keys(rules) as MetadataField[]
  return Object.fromEntries(fields.map((field) => [field, candidatesFor(field, sources)])) as Candidates
}

function candidatesFor(field: MetadataField, sources: MetadataSources): string[] {
  const candidates = new Set<string>()
  let remaining = MAX_TEXTS
  for (const rule of rules[field]) {
    for (const text of rule(sources)) {
      const value = text === undefined ? undefined : normaliseValue(field, text, sources)
      if (value !== undefined) candidates.add(value)
      if (candidates.size === MAX_CANDIDATES || !--remaining) return [...candidates]
    }
  }
  return [...candidates]
}
