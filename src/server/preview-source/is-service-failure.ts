import { isPageError, type ErrorCode } from '../../query/index.js'

/** Codes that do not depend on the page: the service, its browser or the access to it failed. */
const SERVICE_CODES: ReadonlySet<ErrorCode> = new Set([
  'EAUTH',
  'EBUSY',
  'EFATAL',
  'EFATALCLIENT',
  'EMETHOD',
  'ENOTFOUND',
  'ERATE',
])

/** Whether an error concerns the service rather than the page that was requested. */
export const isServiceFailure = (error: unknown): boolean => !isPageError(error) || SERVICE_CODES.has(error.code)
