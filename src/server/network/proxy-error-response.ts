import { isPageError } from '../../query/index.js'

/** The response of the egress proxy to a request that it cannot forward. */
export interface ProxyErrorResponse {
  statusCode: 400 | 403 | 407 | 502 | 504
  headers: Record<string, string>
  body: string
}

/** Carries the error code to the capture that reads the response; removed from what targets send. */
export const REFUSED_HEADER = 'x-page-preview-refused'

/** The response to a request that does not use the proxy as a proxy. */
export const badRequestResponse: ProxyErrorResponse = createResponse(400, 'This is a forward proxy.')

/** The response to a request without the credentials of the proxy. */
export const authenticationResponse: ProxyErrorResponse = createResponse(407, 'This proxy requires authentication.', {
  'proxy-authenticate': 'Basic realm="page-preview"',
})

/** @param error  Thrown by the guard, or by the connection to the target. */
export function proxyErrorResponse(error: unknown): ProxyErrorResponse {
  if (!isPageError(error))
    return createResponse(502, 'The target did not respond.', { [REFUSED_HEADER]: 'EUNREACHABLE' })
  const statusCode = error.code === 'EFORBIDDENURL' ? 403 : error.code === 'ETIMEOUT' ? 504 : 502
  return createResponse(statusCode, error.code, { [REFUSED_HEADER]: error.code })
}

function createResponse(
  statusCode: ProxyErrorResponse['statusCode'],
  body: string,
  headers: Record<string, string> = {},
): ProxyErrorResponse {
  return {
    statusCode,
    body,
    headers: { 'content-type': 'text/plain', 'content-length': String(body.length), connection: 'close', ...headers },
  }
}
