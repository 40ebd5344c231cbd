import { isPageError, type ErrorCode } from '../../../query/index.js'
import { PageFailure } from './page-failure.js'

/** Codes with which requests for other pages would fail too; a source fails with `EBUSY` only after retries. */
const CODES_FOR_ALL: ReadonlySet<ErrorCode> = new Set([
  'EAUTH',
  'EBUSY',
  'EFATALCLIENT',
  'EMETHOD',
  'ENOTFOUND',
  'ERATE',
])
const MAX_MESSAGE_CHARS = 500

/** Why a preview could not be captured: a code, and a sentence of one line. */
export function describeFailure(error: unknown): { code: string; message: string } {
  const message = (error instanceof Error ? error.message : String(error))
    .replace(/\s+/g, ' ')
    .slice(0, MAX_MESSAGE_CHARS)
  const code = isPageError(error) || error instanceof PageFailure ? error.code : 'EFATAL'
  return { code, message }
}

/** Whether the service cannot be used at all, so that all further requests would fail. */
export const affectsAllRequests = (error: unknown): boolean =>
  isPageError(error) ? CODES_FOR_ALL.has(error.code) : !(error instanceof PageFailure)
