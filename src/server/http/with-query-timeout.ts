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
  const either = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)])
  try {
    return await work(either)
  } catch (error) {
    throw either.aborted ? abortError(either, timeoutMs) : error
  }
}

function abortError({ reason }: AbortSignal, timeoutMs: number): unknown {
  if (!(reason instanceof DOMException) || reason.name !== 'TimeoutError') return reason
  return new PageError(
    'ETIMEOUT',
    `The page was not ready within ${timeoutMs} ms; retry with a longer timeout, or later.`,
    { data: { timeout: 'exceeded' } },
  )
}
