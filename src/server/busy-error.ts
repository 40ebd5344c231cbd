import { PageError } from '../query/index.js'

const RETRY_AFTER_MS = 2_000

/**
 * The error of what the service cannot do now, because others have its places or one of its parts is away.
 *
 * @param reason  A sentence without its full stop.
 */
export function busyError(
  reason: string,
  { retryAfterMs = RETRY_AFTER_MS, cause }: { retryAfterMs?: number; cause?: unknown } = {},
): PageError {
  const seconds = Math.ceil(retryAfterMs / 1_000)
  const delay = seconds === 1 ? 'a second' : `${seconds} seconds`
  return new PageError('EBUSY', `${reason}. Try again in ${delay}.`, {
    retryAfterMs,
    ...(cause !== undefined && { cause }),
  })
}
