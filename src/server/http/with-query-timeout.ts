import { fields, PageError, type PageQuery } from '../../query/index.js'
import { withTimeout } from '../jobs/index.js'

/**
 * Runs work with a signal that aborts with the request's own signal or after the query's `timeout`.
 *
 * @throws  {PageError} `ETIMEOUT` after the timeout; the reason of `signal` when that aborts; else what `work` throws.
 */
export function withQueryTimeout<Result>(
  query: PageQuery,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const timeoutMs = Number(query.timeout ?? fields.timeout.default)
  return withTimeout(work, { signal, timeoutMs, timeoutError: () => timeoutError(timeoutMs) })
}

const timeoutError = (timeoutMs: number) =>
  new PageError('ETIMEOUT', `The page was not ready within ${timeoutMs} ms; retry with a longer timeout, or later.`, {
    data: { timeout: 'exceeded' },
  })
