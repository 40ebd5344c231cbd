import { isPageError, PageError } from '../../query/index.js'

const REASONS: readonly (readonly [code: RegExp, reason: string])[] = [
  [/^ECONNREFUSED$/, 'the connection was refused'],
  [/^(ECONNRESET|EPIPE|UND_ERR_SOCKET|UND_ERR_RES_CONTENT_LENGTH_MISMATCH)$/, 'the connection broke off'],
  [/^(EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL)$/, 'there is no way to its network'],
  [/^(HPE_|UND_ERR_HEADERS_OVERFLOW)/, 'what it answers is not proper HTTP'],
  [/CERT|^(DEPTH_ZERO|UNABLE_TO_|ERR_TLS|ERR_SSL|EPROTO)/, 'its TLS certificate or connection cannot be trusted'],
  [/^(Z_|ERR_|ERR_BROTLI|ZSTD)/, 'its body is broken'],
]

/**
 * Says why a page could not be fetched.
 *
 * @returns  A `PageError` as it is; else `ETIMEOUT` or `EUNREACHABLE` with the cause.
 */
export function describeFailure(cause: unknown, url: string): PageError {
  if (isPageError(cause)) return cause
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : ''
  const { host } = new URL(url)
  if (/TIMEOUT|^ETIMEDOUT$/.test(code)) return tooSlow(host, cause)
  const reason = REASONS.find(([pattern]) => pattern.test(code))?.[1] ?? 'it did not answer'
  return unreachable(host, reason, cause)
}

export const unreachable = (subject: string, reason: string, cause?: unknown) =>
  new PageError('EUNREACHABLE', `${subject} could not be read: ${reason}. Try again later, or give another address.`, {
    data: { url: reason },
    cause,
  })

export const tooSlow = (subject: string, cause?: unknown) =>
  new PageError('ETIMEOUT', `${subject} did not answer in time. Try again later.`, {
    data: { url: 'did not answer in time' },
    cause,
  })
