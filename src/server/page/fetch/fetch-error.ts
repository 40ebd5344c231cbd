import { isPageError, PageError } from '../../../query/index.js'
import { SlowBodyError } from './read-body.js'

const REASONS: readonly (readonly [code: RegExp, reason: string])[] = [
  [/^ECONNREFUSED$/, 'the connection was refused'],
  [/^(ECONNRESET|EPIPE|UND_ERR_SOCKET|UND_ERR_RES_CONTENT_LENGTH_MISMATCH)$/, 'the connection was interrupted'],
  [/^(EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL)$/, 'its network is unreachable'],
  [/^(HPE_|UND_ERR_HEADERS_OVERFLOW)/, 'its response is not valid HTTP'],
  [/CERT|^(DEPTH_ZERO|UNABLE_TO_|ERR_TLS|ERR_SSL|EPROTO)/, 'its TLS certificate or connection cannot be trusted'],
  [/^ERR_ENCODING$/, 'its content-encoding is not supported'],
  [/^(Z_|ERR_|ZSTD)/, 'its body is corrupt'],
]

/**
 * Converts whatever a fetch threw into a `PageError`.
 *
 * @returns  A `PageError` unchanged; otherwise `ETIMEOUT` or `EUNREACHABLE`, with the original error as `cause`.
 */
export function toFetchError(cause: unknown, url: string): PageError {
  if (isPageError(cause)) return cause
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : ''
  const { host } = new URL(url)
  if (cause instanceof SlowBodyError) return slowError(host, cause)
  if (/TIMEOUT|^ETIMEDOUT$/.test(code)) return timeoutError(host, cause)
  const reason = REASONS.find(([pattern]) => pattern.test(code))?.[1] ?? 'it did not respond'
  return unreachableError(host, reason, cause)
}

const slowError = (host: string, cause: SlowBodyError) =>
  new PageError('ETIMEOUT', `${host} sends its response too slowly. Try again later.`, {
    data: { url: 'sends its response too slowly' },
    cause,
  })

/** `EUNREACHABLE`; `subject` is the host, or what was to be read from it. */
export const unreachableError = (subject: string, reason: string, cause?: unknown) =>
  new PageError('EUNREACHABLE', `${subject} could not be read: ${reason}. Try again later, or request another URL.`, {
    data: { url: reason },
    cause,
  })

/** `ETIMEOUT`; `subject` is the host. */
export const timeoutError = (subject: string, cause?: unknown) =>
  new PageError('ETIMEOUT', `${subject} did not respond in time. Try again later.`, {
    data: { url: 'did not respond in time' },
    cause,
  })
