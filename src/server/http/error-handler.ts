import type { ErrorHandler } from 'hono'
import { isPageError } from '../../query/index.js'
import type { Logger } from '../log/index.js'
import { errorResponse } from './error-response.js'
import type { RequestQuota } from './request-quota.js'
import { headersFromList, requestHeaders } from './response-headers.js'
import type { RouterEnv } from './router.js'

/** Turns every error of a route into a JSON response; unexpected ones are logged with their request ID. */
export function createErrorHandler(log: Logger, quota: RequestQuota): ErrorHandler<RouterEnv> {
  return async (error, c) => {
    const { request } = c.var
    const { requestId, base } = request
    if (!isPageError(error) || error.code === 'EFATAL')
      log.error({ requestId, path: c.req.path, error: describeError(error) }, 'request failed unexpectedly')
    const response = errorResponse(error, { requestId, base })
    const headers = headersFromList(requestHeaders(await quota.readMetadata(request)))
    for (const [name, value] of Object.entries(headers)) response.headers.set(name, value)
    if (response.status === 405) response.headers.set('allow', 'GET, HEAD, OPTIONS')
    return response
  }
}

const describeError = (error: unknown): string =>
  error instanceof Error
    ? `${error.stack ?? error.message}${error.cause === undefined ? '' : `\nCaused by ${describeError(error.cause)}`}`
    : String(error)
