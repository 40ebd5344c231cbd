import { errorCodes, PageError, type ErrorCode, type PageResponse } from '../query/index.js'

/**
 * Checks the body of a response.
 *
 * @param json    `undefined` for a body that is not JSON.
 * @throws  {PageError} The service's own error; `EFATALCLIENT` for whatever is not the service's language. Both carry the
 *          HTTP status and how long `retry-after` asks to wait.
 */
export function parseResponse(response: Response, json: unknown): PageResponse {
  const body = isObject(json) ? json : {}
  const { status, data, code, message } = body
  if (response.ok && isAnswer(body)) return body

  const facts = { status: response.status, retryAfterMs: retryAfterMs(response.headers) }
  const isError = status === 'fail' || status === 'error'
  if (isError && isErrorCode(code)) throw new PageError(code, String(message), { ...facts, data: reasonsIn(data) })
  const what = isError ? `the unknown error ${String(code)}: ${String(message)}` : 'something that is not an answer'
  throw new PageError('EFATALCLIENT', `The service at ${response.url} sent ${what} (HTTP ${response.status}).`, facts)
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isAnswer(body: Record<string, unknown>): body is Record<string, unknown> & PageResponse {
  return body.status === 'success' && isObject(body.data)
}

function isErrorCode(code: unknown): code is ErrorCode {
  return typeof code === 'string' && Object.hasOwn(errorCodes, code)
}

function reasonsIn(data: unknown): Record<string, string> {
  const entries = isObject(data) ? Object.entries(data) : []
  return Object.fromEntries(entries.map(([word, reason]) => [word, String(reason)]))
}

/** Seconds or a date: https://www.rfc-editor.org/rfc/rfc9110#section-10.2.3 */
function retryAfterMs(headers: Headers): number | undefined {
  const text = headers.get('retry-after')
  if (!text) return undefined
  const waitMs = /^\d+$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - Date.now()
  return Number.isFinite(waitMs) ? Math.max(0, waitMs) : undefined
}
