import type { PageResult } from '../../client/index.js'
import type { PageData } from '../../query/index.js'

/** A result as react-query caches it, with what later renders need of previous results. */
export interface PreviewResult extends PageResult {
  /** Data of the first result, whose images are displayed until newer ones arrive. */
  first?: PageData | undefined
  /**
   * The service revalidates this result in the background: a result produced after `newerThan` is awaited since `since`,
   * both milliseconds since 1970.
   */
  revalidation?: { newerThan: number; since: number } | undefined
}
