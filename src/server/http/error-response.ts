import { errorBody } from '../../query/help/index.js'
import { isPageError, PageError } from '../../query/index.js'
import { corsHeaders } from './cors.js'

/**
 * The JSON response to a failed request; anything but a `PageError` becomes `EFATAL`, without its details.
 *
 * @param requestId  Part of the message of `EFATAL`, so that the operator can find the error in the log.
 * @param base       URL of the service, without trailing slash.
 */
export function errorResponse(thrown: unknown, { requestId, base }: { requestId: string; base: string }): Response {
  const error = isPageError(thrown) ? thrown : new PageError('EFATAL', 'An unexpected error occurred in the service.')
  const { code, status, retryAfterMs } = error
  const message =
    code === 'EFATAL'
      ? `${error.message} Its operator can find the cause in the log by the request ID ${requestId}.`
      : error.message
  return new Response(JSON.stringify({ ...errorBody(error, base), message }), {
    status,
    headers: {
      ...corsHeaders,
      'content-type': 'application/json; charset=utf-8',
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
      ...(retryAfterMs !== undefined && { 'retry-after': String(Math.max(1, Math.ceil(retryAfterMs / 1_000))) }),
      ...(status === 401 && { 'www-authenticate': 'ApiKey realm="page-preview"' }),
    },
  })
}

/** The error for a path that is not a route of the service. */
export const notFoundError = (path: string) =>
  new PageError('ENOTFOUND', `The service has nothing at ${path}; request previews at /?url=….`)
