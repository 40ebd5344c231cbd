import type { Candidate, Explanation, PageCandidates, PageData, PageQuery } from '../../query/index.js'
import { candidateId, MAX_EXPLAINED_VALUES } from '../explainer.js'
import { UNUSABLE } from './candidate-check.js'
import type { Candidate as RankedCandidate } from './find-candidates.js'
import type { MetadataField } from './fields/index.js'
import type { VerifiedUrl } from './ping.js'

/** What the parameters of these names add to a result. */
export interface CandidateLists {
  /** Only with `candidates`. */
  candidates?: PageCandidates | undefined
  /** Only with `explain`. */
  fields?: Explanation['fields'] | undefined
}

/** What checking a URL has found out. */
export interface UrlCheck {
  /** `undefined` if it was not reached. */
  file?: Pick<VerifiedUrl, 'type' | 'size' | 'width' | 'height'> | undefined
  /** Why it is not used, as the end of a sentence that begins with it; `undefined` if it may be. */
  problem?: string | undefined
  /** Milliseconds. */
  durationMs: number
}

/** The checked URLs of one field. */
export type UrlChecks = Map<string, UrlCheck>

/** How many candidates of a field are listed, and checked for that. */
export const MAX_LISTED = 10
/** A longer URL, which holds the image itself, would fill a response. */
const MAX_URL_CHARS = 2_048

/**
 * What the parameters `candidates` and `explain` add to a result.
 *
 * @param ranked  Of the requested fields.
 */
export function describeCandidates(
  query: PageQuery,
  ranked: Readonly<Partial<Record<MetadataField, readonly RankedCandidate[]>>>,
  { data, checks }: { data: PageData; checks: ReadonlyMap<MetadataField, UrlChecks> },
): CandidateLists {
  const describe = (field: MetadataField): Candidate[] => {
    const found = data[field]
    const selected = typeof found === 'object' ? found?.url : found
    const describeOne = ({ value, source, score, reasons }: RankedCandidate) => ({
      id: candidateId(value),
      value,
      source,
      score: score === UNUSABLE ? null : score,
      reasons,
      isSelected: value === selected && score !== UNUSABLE,
      ...describeCheck(field, checks.get(field)?.get(value)),
    })
    return (ranked[field] ?? []).map(describeOne)
  }
  const isListed = ({ value, score }: Candidate) => score !== null && value.length <= MAX_URL_CHARS
  const list = (field: MetadataField) => describe(field).filter(isListed).slice(0, MAX_LISTED)
  const fields = Object.keys(ranked) as MetadataField[]
  return {
    ...(query.candidates && {
      candidates: { title: list('title'), description: list('description'), image: list('image') },
    }),
    ...(query.explain && {
      fields: Object.fromEntries(fields.map((field) => [field, describe(field).slice(0, MAX_EXPLAINED_VALUES)])),
    }),
  }
}

function describeCheck(field: MetadataField, check: UrlCheck | undefined): Partial<Candidate> {
  if (!check) return {}
  const { file, problem, durationMs } = check
  const { type, size, width, height } = file ?? {}
  const isImage = field === 'image' || field === 'logo'
  return {
    durationMs: Math.round(durationMs),
    ...(file && isImage && { type, size, width, height }),
    ...(problem !== undefined && { problem }),
  }
}
