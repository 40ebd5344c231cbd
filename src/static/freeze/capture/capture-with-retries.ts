import { isPageError, type ErrorCode } from '../../../query/index.js'
import type { FrozenPreview, CardRequest } from '../markup/index.js'
import type { CaptureContext } from './capture-image.js'
import { capturePreview } from './capture-preview.js'

/** How many attempts a preview gets that fails with this code, because of a slow page or, during a build, of a busy machine. */
const ATTEMPTS: Partial<Record<ErrorCode, number>> = { ETIMEOUT: 3, EBRWSRTIMEOUT: 3 }

/**
 * Captures a preview, again after a timeout.
 *
 * @param force  Like that of `capturePreview`; a retry is always forced, because services cache failures.
 * @throws       Like `capturePreview`.
 */
export async function captureWithRetries(
  request: CardRequest,
  context: CaptureContext,
  { force }: { force: boolean },
): Promise<FrozenPreview> {
  for (let attempt = 1; ; attempt++)
    try {
      return await capturePreview(request, context, { force: force || attempt > 1 })
    } catch (error) {
      const attempts = isPageError(error) ? (ATTEMPTS[error.code] ?? 1) : 1
      if (attempt >= attempts || context.signal.aborted) throw error
    }
}
