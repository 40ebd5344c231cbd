import type { PageData, PageError } from '../../query/index.js'
import type { PreviewResult } from './preview-result.js'
import { revalidationPollMs } from './revalidation.js'

/** There is a page to show. */
export interface ReadyPreview {
  /** `refreshing`: a newer result is on its way. `stale`: it could not be fetched, so the previous one stays. */
  status: 'ready' | 'refreshing' | 'stale'
  page: PageData
  /** Absent for the caller's own data. */
  result?: PreviewResult
}

/** The state of one preview. */
export type PreviewState =
  | { status: 'loading' }
  | { status: 'failed'; error: PageError; isRetrying: boolean }
  | ReadyPreview

interface QuerySnapshot {
  /** The caller's own data, which takes precedence over every result. */
  ownData: PageData | undefined
  result: PreviewResult | undefined
  /** When the result arrived, milliseconds since 1970. */
  resultAt: number
  error: PageError | null
  isFetching: boolean
  /** The previous failure, which react-query drops while it fetches again. */
  lastError: PageError | undefined
}

/** Derives the state of a preview from what react-query knows of its query. */
export function previewState({ ownData, result, resultAt, error, isFetching, lastError }: QuerySnapshot): PreviewState {
  if (ownData) return { status: 'ready', page: ownData }
  if (result) {
    const isRefreshing = isFetching || (!error && revalidationPollMs(result, resultAt) !== undefined)
    const status = isRefreshing ? 'refreshing' : error || result.revalidation ? 'stale' : 'ready'
    return { status, page: result.data, result }
  }
  const failure = error ?? lastError
  return failure ? { status: 'failed', error: failure, isRetrying: !error && isFetching } : { status: 'loading' }
}

/** Whether a request is on its way that will change what is shown. */
export const isBusy = (preview: PreviewState): boolean =>
  preview.status === 'failed' ? preview.isRetrying : preview.status === 'loading' || preview.status === 'refreshing'
