import type { MetadataSources } from './document/index.js'
import type { SiteNames } from './rules/site-names.js'

export interface FoundValue {
  value: string
  /** Sources without duplicates, the best first. */
  sources: string[]
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
export const foldName = (text: string): string => text.toLowerCase().replace(/^the |[^\p{L}\p{N}]+/gu, '')

export const isSameName = (value: string, other: string | undefined): boolean =>
  other !== undefined && foldName(value) === foldName(other)
