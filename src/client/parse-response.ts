import { errorCodes, PageError, type ErrorCode, type PageResponse } from '../query/index.js'

/**
 * Validates the body of a response.
 *
 * @param json  `undefined` for a body that is not JSON, for example the error page of a reverse proxy.
 * @throws  {PageError} The service's own error; `EFATALCLIENT` for a body that is not one of the service's. Both carry the HTTP
 *          status and the delay of `retry-after`.
 */
export function parseResponse(response: Response, json: unknown): PageResponse {
  const body = isObject(json) ? json : {}
  const { status, data, code, message } = body
  if (response.ok && isPageResponse(body)) return body

  const details = { status: response.status, retryAfterMs: retryAfterMs(response.headers) }
  const isError = status === 'fail' || status === 'error'
  if (isError && isErrorCode(code)) throw new PageError(code, String(message), { ...details, data: reasonsIn(data) })
  const problem = isError
    ? `the unknown error ${String(code)}: ${String(message)}`
    : 'a response that is not from a preview service'
  throw new PageError(
    'EFATALCLIENT',
    `The service at ${response.url} sent ${problem} (HTTP ${response.status}).`,
    details,
  )
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isPageResponse(body: Record<string, unknown>): body is Record<string, unknown> & PageResponse {
  return body.status === 'success' && isObject(body.data)
}

function isErrorCode(code: unknown): code is ErrorCode {
  return typeof code === 'string' && Object.hasOwn(errorCodes, code)
}

function reasonsIn(data: unknown): Record<string, string> {
  const entries = isObject(data) ? Object.entries(data) : []
  return Object.fromEntries(entries.map(([parameter, reason]) => [parameter, String(reason)]))
}

/** Seconds or a date: https://www.rfc-editor.org/rfc/rfc9110#section-10.2.3 */
function retryAfterMs(headers: Headers): number | undefined {
  const text = headers.get('retry-after')
  if (!text) return undefined
  const delayMs = /^\d+$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - Date.now()
  return Number.isFinite(delayMs) ? Math.max(0, delayMs) : undefined
}
