import { isPageError } from '../../../query/index.js'
import { isServiceFailure } from '../../preview-source/index.js'
import { PageFailure } from './page-failure.js'

const MAX_MESSAGE_CHARS = 500

/** Why a preview could not be captured: a code, and a sentence of one line. */
export function describeFailure(error: unknown): { code: string; message: string } {
  const message = (error instanceof Error ? error.message : String(error))
    .replace(/\s+/g, ' ')
    .slice(0, MAX_MESSAGE_CHARS)
  const code = isPageError(error) || error instanceof PageFailure ? error.code : 'EFATAL'
  return { code, message }
}

/**
 * Whether the service cannot be used at all, so that all further requests would fail. A source fails with `EBUSY` only after
 * retries; `EFATAL` may concern one page alone.
 */
export const affectsAllRequests = (error: unknown): boolean =>
  isPageError(error) ? error.code !== 'EFATAL' && isServiceFailure(error) : !(error instanceof PageFailure)
