import { fields, PageError, type PageQuery } from '../../query/index.js'

/**
 * Runs work with a signal that aborts with the request's own signal or after the query's `timeout`.
 *
 * @throws  {PageError} `ETIMEOUT` after the timeout; the reason of `signal` when that aborts; else what `work` throws.
 */
export async function withQueryTimeout<Result>(
  query: PageQuery,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const timeoutMs = Number(query.timeout ?? fields.timeout.default)
  // Not AbortSignal.timeout, because AbortSignal.any does not keep that from the garbage collector: it then never aborts.
  const timeout = new AbortController()
  const timer = setTimeout(() => timeout.abort(timeoutError(timeoutMs)), timeoutMs)
  const either = AbortSignal.any([signal, timeout.signal])
  try {
    return await work(either)
  } catch (error) {
    throw either.aborted ? either.reason : error
  } finally {
    clearTimeout(timer)
  }
}

const timeoutError = (timeoutMs: number) =>
  new PageError('ETIMEOUT', `The page was not ready within ${timeoutMs} ms; retry with a longer timeout, or later.`, {
    data: { timeout: 'exceeded' },
  })
