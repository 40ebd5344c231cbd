import { isPageError } from '../../query/index.js'

/** What the proxy answers when it cannot give what was asked for. */
export interface Refusal {
  statusCode: 400 | 403 | 502 | 504
  headers: Record<string, string>
  body: string
}

/** Set on every answer that the guard refused; stripped from what a target sends. */
export const REFUSED_HEADER = 'x-page-preview-refused'

/** @param error  Of the guard, or of the connection to the target. */
export function refuse(error: unknown): Refusal {
  if (!isPageError(error)) return refusal(502, 'The target did not answer.', { [REFUSED_HEADER]: 'EUNREACHABLE' })
  const statusCode = error.code === 'EFORBIDDENURL' ? 403 : error.code === 'ETIMEOUT' ? 504 : 502
  return refusal(statusCode, error.code, { [REFUSED_HEADER]: error.code })
}

/** Someone who does not speak to it as to a proxy. */
export const badRequest: Refusal = refusal(400, 'This is a forward proxy.')

function refusal(statusCode: Refusal['statusCode'], body: string, headers: Record<string, string> = {}): Refusal {
  return {
    statusCode,
    body,
    headers: { 'content-type': 'text/plain', 'content-length': String(body.length), connection: 'close', ...headers },
  }
}
