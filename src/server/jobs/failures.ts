import { errorCauses } from '../../query/help/index.js'
import { isPageError, PageError, type ErrorCode, type PageErrorOptions } from '../../query/index.js'
import { isFromFuture, type CacheEntry, type EntryStore } from '../store/index.js'

/**
 * How long a failure is cached, milliseconds. Results that are hardly better than a failure are cached only as long as one: a
 * provisional result for `default`, a result with status 404 for `notFound`, and a result that does not replace the better cached one
 * for `rejected`. A page that did not show its content is opened again after `noContent`, and one with an image that could not be verified
 * after `unverified`; both double each time.
 */
export const FAILURE_TTL_MS = {
  default: 60_000,
  timeout: 600_000,
  notFound: 600_000,
  noContent: 600_000,
  unverified: 60_000,
  rejected: 600_000,
} as const

/** Something besides the page failed for a moment, such as a name server, so the page may not fail again. */
export class TransientError extends Error {
  override readonly name = 'TransientError'
}

/** A failure as its entry has it. */
interface StoredFailure extends Pick<PageErrorOptions, 'data' | 'status' | 'retryAfterMs'> {
  code: ErrorCode
  message: string
}

const failureKey = (key: string) => `failure ${key}`

/**
 * The last failure of a target page, so that a dead page does not occupy the browsers with every request.
 *
 * @param key  Of the result or file that could not be produced.
 * @param now  Milliseconds since 1970: a failure is not believed if it seems to come from later. Default: every failure is.
 */
export async function readFailure(
  key: string,
  entries: Pick<EntryStore, 'readEntry'>,
  now = Infinity,
): Promise<PageError | undefined> {
  const failure = await entries.readEntry<StoredFailure>(failureKey(key))
  if (!failure || isFromFuture(failure, now)) return undefined
  return new PageError(failure.body.code, failure.body.message, failure.body)
}

/**
 * Stores the failure of a target page for a short time, for all instances on the same store. Ignores errors that are not due to the
 * page: `EBUSY`, and those with a `TransientError` or such an error among their causes.
 *
 * @param marks  What the failure is about, so that a purge of the page deletes it.
 */
export async function writeFailure(
  key: string,
  error: PageError,
  marks: Pick<CacheEntry, 'subjects' | 'owner' | 'lastPurge'>,
  { entries, clock }: { entries: Pick<EntryStore, 'writeEntry'>; clock: () => number },
): Promise<void> {
  if (!isDueToPage(error)) return
  const { code, message, data, status, retryAfterMs } = error
  const createdAt = clock()
  await entries.writeEntry<StoredFailure>(failureKey(key), {
    ...marks,
    createdAt,
    expiresAt: createdAt + (code === 'ETIMEOUT' ? FAILURE_TTL_MS.timeout : FAILURE_TTL_MS.default),
    images: [],
    body: { code, message, data, status, ...(retryAfterMs !== undefined && { retryAfterMs }) },
  })
}

/** Whether the page is the reason of a failure, so that it probably fails again; `writeFailure` stores no other failure. */
export function isDueToPage(error: PageError): boolean {
  // What a service refuses depends on its options: the next one on the store, or the same after a restart, may allow it.
  if (errorCauses[error.code] !== 'page' || error.code === 'EFORBIDDENURL') return false
  // What owners remove is stored apart, until they show it again.
  if (error.code === 'EREMOVED') return false
  let cause: unknown = error
  while (cause instanceof Error) {
    if (cause instanceof TransientError || (isPageError(cause) && errorCauses[cause.code] === 'service')) return false
    cause = cause.cause
  }
  return true
}

/**
 * Whether work was not started, and so is refunded. A page that was opened counts even if it timed out, because it occupied the browser;
 * the cause of such an `EBRWSRTIMEOUT` is a `PageError`.
 */
export const wasNotStarted = ({ code, cause }: PageError): boolean =>
  code === 'EBUSY' || (code === 'EBRWSRTIMEOUT' && !isPageError(cause))
