import type { ErrorHandler } from 'hono'
import { unlessClientLeft } from './client-left-error.js'
import { errorResponse } from './error-response.js'
import type { RequestQuota } from './request-quota.js'
import { headersFromList, requestHeaders } from './response-headers.js'
import type { RouterEnv } from './router.js'

/** Turns every error of a route into a JSON response. */
export function createErrorHandler(quota: RequestQuota): ErrorHandler<RouterEnv> {
  return async (thrown, c) => {
    const error = unlessClientLeft(thrown, c.req.raw.signal)
    c.set('failure', error)
    const { request } = c.var
    const { requestId, base } = request
    const response = errorResponse(error, { requestId, base })
    const headers = headersFromList(requestHeaders(await quota.readMetadata(request)))
    for (const [name, value] of Object.entries(headers)) response.headers.set(name, value)
    if (response.status === 405) response.headers.set('allow', 'GET, HEAD, OPTIONS')
    return response
  }
}
