import type { PageData, PageError } from '../../query/index.js'
import { renewalPauseMs, type PreviewResult } from './preview-result.js'

/** There is something to show. */
export interface ReadyPreview {
  /** `refreshing`: a newer answer is awaited. `stale`: it did not come, so the old one stays. */
  status: 'ready' | 'refreshing' | 'stale'
  page: PageData
  /** Absent for own data. */
  answer?: PreviewResult
}

/** What is known of one preview at one moment. */
export type PreviewState =
  { status: 'loading' } | { status: 'failed'; error: PageError; isRetrying: boolean } | ReadyPreview

export interface Known {
  /** Own data, which makes everything else needless. */
  ownData: PageData | undefined
  answer: PreviewResult | undefined
  /** When it came, milliseconds since 1970. */
  answeredAt: number
  error: PageError | null
  isFetching: boolean
  /** The failure before, which is forgotten by react-query while it asks again. */
  lastError: PageError | undefined
}

export function previewState({ ownData, answer, answeredAt, error, isFetching, lastError }: Known): PreviewState {
  if (ownData) return { status: 'ready', page: ownData }
  if (answer) {
    const isAwaited = isFetching || (!error && renewalPauseMs(answer, answeredAt) !== undefined)
    const status = isAwaited ? 'refreshing' : error || answer.renewal ? 'stale' : 'ready'
    return { status, page: answer.data, answer }
  }
  const failure = error ?? lastError
  return failure ? { status: 'failed', error: failure, isRetrying: !error && isFetching } : { status: 'loading' }
}
