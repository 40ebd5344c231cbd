import { errorBody } from '../../query/help/index.js'
import { isPageError, PageError } from '../../query/index.js'
import { CORS } from './cors.js'

/**
 * The JSON that says what went wrong; whatever is not a `PageError` becomes `EFATAL`, without its details.
 *
 * `requestId` is told to the person for `EFATAL`, to be found in the log; `base` is the service's own address.
 */
export function errorResponse(thrown: unknown, { requestId, base }: { requestId: string; base: string }): Response {
  const error = isPageError(thrown) ? thrown : new PageError('EFATAL', 'Something unforeseen happened in the service.')
  const { code, status, retryAfterMs } = error
  const message =
    code === 'EFATAL' ? `${error.message} Whoever runs it finds more in the log, as ${requestId}.` : error.message
  return new Response(JSON.stringify({ ...errorBody(error, base), message }), {
    status,
    headers: {
      ...CORS,
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
      ...(retryAfterMs !== undefined && { 'retry-after': String(Math.max(1, Math.ceil(retryAfterMs / 1_000))) }),
      ...(status === 401 && { 'www-authenticate': 'ApiKey realm="page-preview"' }),
    },
  })
}

/** The error for a path that means nothing. */
export const notFound = (path: string) =>
  new PageError('ENOTFOUND', `The service has nothing at ${path}; previews are at /?url=….`)
