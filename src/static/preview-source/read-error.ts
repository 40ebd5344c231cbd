import { errorCodes, PageError, type ErrorCode } from '../../query/index.js'
import { readResponseBody } from './read-response-body.js'

const MAX_BYTES = 100_000
const MAX_MESSAGE_CHARS = 500

/** The error that a response with another status than 2xx states; `EFATALCLIENT` when it is none of a service's. */
export async function readError(response: Response): Promise<PageError> {
  const details = { status: response.status, retryAfterMs: retryAfterMs(response.headers) }
  const body = await readJson(response)
  const { code, message, data } = body
  if (!isErrorCode(code)) return unexpectedResponseError(response.status, details)
  return new PageError(code, String(message).slice(0, MAX_MESSAGE_CHARS), { ...details, data: reasonsIn(data) })
}

/** The error of a response that does not come from a preview service. */
export const unexpectedResponseError = (status: number, details = {}) =>
  new PageError(
    'EFATALCLIENT',
    `The response (HTTP ${status}) is not from a preview service. Check the URL of the service.`,
    {
      status,
      ...details,
    },
  )

async function readJson(response: Response): Promise<Record<string, unknown>> {
  try {
    const json: unknown = JSON.parse(new TextDecoder().decode(await readResponseBody(response, MAX_BYTES)))
    return typeof json === 'object' && json !== null ? (json as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}

const isErrorCode = (code: unknown): code is ErrorCode => typeof code === 'string' && Object.hasOwn(errorCodes, code)

function reasonsIn(data: unknown): Record<string, string> {
  const entries = typeof data === 'object' && data !== null ? Object.entries(data) : []
  return Object.fromEntries(entries.map(([name, reason]) => [name, String(reason)]))
}

/** Seconds or a date: https://www.rfc-editor.org/rfc/rfc9110#section-10.2.3 */
function retryAfterMs(headers: Headers): number | undefined {
  const text = headers.get('retry-after')
  if (!text) return undefined
  const delayMs = /^\d+$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - Date.now()
  return Number.isFinite(delayMs) ? Math.max(0, delayMs) : undefined
}
