import { PageError, isPageError } from '../../../query/index.js'
import { ContentEncodingError } from './decode-body.js'
import { SlowBodyError } from './read-body.js'

/** What a site did, by the code of the error that was thrown; each sentence is true before the response and within it. */
const REASONS: readonly (readonly [code: RegExp, reason: string])[] = [
  [/^ECONNREFUSED$/, 'the connection was refused'],
  [
    /^(ECONNRESET|EPIPE|UND_ERR_SOCKET|UND_ERR_CLOSED|UND_ERR_ABORTED|UND_ERR_RES_CONTENT_LENGTH_MISMATCH|ERR_STREAM_PREMATURE_CLOSE)$/,
    'it closed the connection before its response was complete',
  ],
  [/^(EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL)$/, 'its network is unreachable'],
  [/^UND_ERR_HEADERS_OVERFLOW$/, 'the headers of its response are too large'],
  [/^HPE_/, 'its response is not valid HTTP'],
  [/^CERT_HAS_EXPIRED$/, 'its TLS certificate has expired'],
  [/^CERT_NOT_YET_VALID$/, 'its TLS certificate is not valid yet'],
  [/^DEPTH_ZERO_SELF_SIGNED_CERT$/, 'its TLS certificate is self-signed'],
  [/^ERR_TLS_CERT_ALTNAME_INVALID$/, 'its TLS certificate is for another host'],
  [/CERT|^(DEPTH_ZERO|UNABLE_TO_|ERR_TLS|ERR_SSL|EPROTO)/, 'its TLS certificate or connection cannot be trusted'],
  [/^UND_ERR_INVALID_ARG$/, 'the request could not be sent to it'],
]

/**
 * Converts what a fetch threw into a `PageError`.
 *
 * @returns  A `PageError` unchanged; otherwise `ETIMEOUT` or `EUNREACHABLE`, with the original error as `cause`.
 */
export function toFetchError(cause: unknown, url: string): PageError {
  if (isPageError(cause)) return cause
  const { host } = new URL(url)
  if (cause instanceof SlowBodyError) return slowError(host, cause)
  if (cause instanceof ContentEncodingError) return unreachableError(host, cause.reason, cause)
  const code = errorCode(cause)
  if (/TIMEOUT|^ETIMEDOUT$/.test(code)) return timeoutError(host, cause)
  const reason = REASONS.find(([pattern]) => pattern.test(code))?.[1]
  return unreachableError(host, reason ?? `the request failed${code && ` (${code})`}`, cause)
}

/** undici does not set the code of an error of its parser. */
function errorCode(error: unknown): string {
  if (!(error instanceof Error)) return ''
  if (error.name === 'HTTPParserError') return 'HPE_INVALID'
  return 'code' in error ? String(error.code).slice(0, 99) : ''
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
