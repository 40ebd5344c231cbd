import type { PageFacts } from './page-facts.js'
import { rules } from './rules/index.js'
import { tidyValue, type Field } from './tidy-value.js'

/** For each field what could be its value, best first, each once. */
export type Candidates = Record<Field, string[]>

const MAX_CANDIDATES = 10

export function findCandidates(facts: PageFacts): Candidates {
  const fields = Object.keys(rules) as Field[]
  return Object.fromEntries(fields.map((field) => [field, candidatesFor(field, facts)])) as Candidates
}

function candidatesFor(field: Field, facts: PageFacts): string[] {
  const found = new Set<string>()
  for (const rule of rules[field]) {
    for (const text of rule(facts)) {
      const value = text === undefined ? undefined : tidyValue(field, text, facts)
      if (value !== undefined) found.add(value)
      if (found.size === MAX_CANDIDATES) return [...found]
    }
  }
  return [...found]
}
