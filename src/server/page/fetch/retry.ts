import { setTimeout as delay } from 'node:timers/promises'
import { isPageError } from '../../../query/index.js'
import type { FinalResponse } from './follow-redirects.js'

/** Too many requests, and failures that are over soon as a rule; https://developers.cloudflare.com/support/ 520 to 524 too. */
const PASSING_STATUS = new Set([408, 425, 429, 500, 502, 503, 504, 520, 521, 522, 523, 524, 529])
/** Failures of a connection that worked before, and of the name server. */
const PASSING_FAILURE = /^(?:ECONNRESET|EPIPE|UND_ERR_SOCKET|EAI_AGAIN)$/

const MAX_RETRY_DELAY_MS = 1_000
const RETRY_DELAY_MS = 400

/** Whether the failure of a response is one that may be over soon. */
export const isPassingStatus = (statusCode: number): boolean => PASSING_STATUS.has(statusCode)

/** Whether what a request threw is a failure that may be over soon. */
export function isPassingFailure(error: unknown): boolean {
  const cause = isPageError(error) ? error.cause : error
  return cause instanceof Error && 'code' in cause && PASSING_FAILURE.test(String(cause.code))
}

/** The status of a response that is not used; the cause of an error about it. */
export class StatusError extends Error {
  /** @param retryAfterMs  How long the server asks to wait. */
  constructor(
    readonly statusCode: number,
    readonly retryAfterMs = 0,
  ) {
    super(`status ${statusCode}`)
  }
}

/** Ends an attempt whose response has a passing failure; called for each response before it is used. */
export type AssertLasting = (response: FinalResponse) => void

/**
 * Fetches a resource of a page. What fails in passing is tried a second time, unless its server asks for more than a second; then, and
 * the second time, the failure is treated like any other.
 */
export async function tryTwice<Result>(
  attempt: (assertLasting: AssertLasting) => Promise<Result>,
  signal: AbortSignal,
): Promise<Result> {
  const assertLasting: AssertLasting = ({ statusCode, headers, body }) => {
    const requestedMs = Number(headers['retry-after'] ?? 0) * 1_000
    // A date is later than that.
    if (!isPassingStatus(statusCode) || !(requestedMs <= MAX_RETRY_DELAY_MS)) return
    body.destroy()
    throw new StatusError(statusCode, requestedMs)
  }
  try {
    return await attempt(assertLasting)
  } catch (error) {
    signal.throwIfAborted()
    const isStatus = error instanceof StatusError
    if (!isStatus && !isPassingFailure(error)) throw error
    await delay((isStatus && error.retryAfterMs) || RETRY_DELAY_MS, undefined, { signal })
    return attempt(() => undefined)
  }
}
