import { expect, it } from 'vitest'
import { bucketFailure } from '../../../../src/server/store/bucket/bucket-error.js'

it.each([
  [403, 'AccessDenied', 'rejected'],
  [403, 'InvalidAccessKeyId', 'rejected'],
  [404, 'NoSuchBucket', 'rejected'],
  [403, 'QuotaExceeded', 'full'],
  [400, 'XMinioAdminBucketQuotaExceeded', 'full'],
  [507, undefined, 'full'],
  [503, 'SlowDown', 'throttled'],
  [429, undefined, 'throttled'],
  [503, 'ServiceUnavailable', 'unreachable'],
  [500, undefined, 'unreachable'],
] as const)('a response %i with %s means that the bucket is %s', (status, code, failure) => {
  expect(bucketFailure(status, code)).toBe(failure)
})
