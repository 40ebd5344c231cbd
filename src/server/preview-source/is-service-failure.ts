import { isPageError, type ErrorCode } from '../../query/index.js'

/** Codes that say nothing about the page: the service, its browser or the access to it failed. */
const SERVICE_CODES: ReadonlySet<ErrorCode> = new Set([
  'EAUTH',
  'EBUSY',
  'EFATAL',
  'EFATALCLIENT',
  'EMETHOD',
  'ENOTFOUND',
  'ERATE',
])

/** Whether an error says something about the service rather than about the page that was requested. */
export const isServiceFailure = (error: unknown): boolean => !isPageError(error) || SERVICE_CODES.has(error.code)
