import type { DependencyState } from '../store.js'

/** Why a request to a bucket failed, as operators have to tell it apart. */
export type BucketFailure = Exclude<DependencyState, 'ok'>

/** An error response of a bucket. */
export class BucketError extends Error {
  override readonly name = 'BucketError'
  constructor(
    message: string,
    readonly failure: BucketFailure,
  ) {
    super(message)
  }
}

/** Codes of AWS, Ceph and MinIO. */
const FULL = /^(QuotaExceeded|XMinio\w*(Full|QuotaExceeded)|InsufficientCapacity)$/
const THROTTLED = /^(SlowDown|SlowDownRead|SlowDownWrite|TooManyRequests|RequestLimitExceeded)$/

/**
 * What an error response of a bucket means.
 *
 * @param code  As in the XML of the response.
 */
export function bucketFailure(status: number, code = ''): BucketFailure {
  if (status === 507 || FULL.test(code)) return 'full'
  if (status === 429 || THROTTLED.test(code)) return 'throttled'
  return status >= 500 ? 'unreachable' : 'rejected'
}
