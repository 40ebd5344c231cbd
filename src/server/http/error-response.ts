import type { ErrorHandler } from 'hono'
import { errorBody } from '../../query/help/index.js'
import { isPageError, PageError } from '../../query/index.js'
import type { DailyLimit } from '../budget/index.js'
import { corsHeaders, headersFromList, readQuota, requestHeaders } from './response-headers.js'
import type { RouterEnv } from './received-request.js'

/** The status that nginx logs for a client that has closed the connection, and so does not receive it. */
const CLIENT_LEFT_STATUS = 499

/** Turns every error of a route into a JSON response. */
export function createErrorHandler(dailyLimit: DailyLimit): ErrorHandler<RouterEnv> {
  return async (thrown, c) => {
    const error = unlessClientLeft(thrown, c.req.raw.signal)
    c.set('failure', error)
    const { request } = c.var
    const { requestId, base } = request
    const response = errorResponse(error, { requestId, base })
    const headers = headersFromList(requestHeaders(request, await readQuota(request, dailyLimit)))
    for (const [name, value] of Object.entries(headers)) response.headers.set(name, value)
    if (response.status === 405) response.headers.set('allow', 'GET, HEAD, OPTIONS')
    return response
  }
}

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

/** The error of a request whose client has disconnected; any other error unchanged. */
export const unlessClientLeft = (error: unknown, { aborted }: AbortSignal): unknown =>
  aborted
    ? new PageError('EABORTED', 'The client closed the connection before the response.', {
        status: CLIENT_LEFT_STATUS,
        cause: error,
      })
    : error
