import type { PageData, PageError } from '../../query/index.js'
import { renewalPauseMs, type KeptAnswer } from './kept-answer.js'

/** What is known of one preview at one moment. */
export type PreviewState =
  | { status: 'loading' }
  | { status: 'failed'; error: PageError; isRetrying: boolean }
  | {
      /** `refreshing`: a newer answer is awaited. `stale`: it did not come, so the old one stays. */
      status: 'ready' | 'refreshing' | 'stale'
      page: PageData
      /** Absent for own data. */
      answer?: KeptAnswer
    }

interface Known {
  /** Own data, which makes everything else needless. */
  ownData: PageData | undefined
  answer: KeptAnswer | undefined
  error: PageError | null
  isFetching: boolean
  /** The error that was there when the reader pressed Retry. */
  retriedError: PageError | undefined
}

export function previewState({ ownData, answer, error, isFetching, retriedError }: Known): PreviewState {
  if (ownData) return { status: 'ready', page: ownData }
  if (answer) {
    const isAwaited = isFetching || (!error && renewalPauseMs(answer) !== undefined)
    const status = isAwaited ? 'refreshing' : error || answer.renewal ? 'stale' : 'ready'
    return { status, page: answer.data, answer }
  }
  if (error) return { status: 'failed', error, isRetrying: false }
  if (retriedError) return { status: 'failed', error: retriedError, isRetrying: true }
  return { status: 'loading' }
}
