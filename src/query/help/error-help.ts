import type { ErrorCode, PageError } from '../index.js'

/** What each error code means, in one sentence. */
export const errorHelp: Readonly<Record<ErrorCode, string>> = {
  EINVALURL:
    'The url parameter is missing, relative, not http(s), contains a user name, or its host name has no public address.',
  EINVALQUERY: 'A parameter is invalid; data names it.',
  EINVALTTL: 'ttl must be between 1m and 31d.',
  EINVALSTTL: 'staleTtl must be false or between 0 and ttl.',
  EHEADERS: 'A request header may not be sent to the target page.',
  EINVALOVERLAYBG: 'overlay.background is not a colour, a gradient or a reachable image.',
  EAUTH: 'The API key is missing or unknown, the signature is invalid, or a page does not show the nonce of its owner.',
  EFORBIDDENURL:
    'The service may not fetch the page or one of its redirects: its host is an IP address that is not public, or localhost, or the host or port is denied.',
  ENOEMBED: 'The embed path does not lead to a value.',
  ENOTFOUND: 'The service has no such path.',
  EMETHOD: 'Only GET, HEAD and OPTIONS are supported.',
  EREMOVED: 'The owner of the page has removed its previews.',
  EELEMENT: 'The element is missing, hidden or empty.',
  ETOOLARGE: 'The page exceeds the byte limit or a limit of the browser, or its screenshot the pixel limit.',
  ERATE: 'This client has used up its daily limit, or has too many requests at the same time.',
  EFATAL: 'The service failed unexpectedly.',
  EUNREACHABLE: 'The page could not be reached: connection refused or reset, invalid TLS, or a broken response.',
  EMAXREDIRECTS: 'The page redirects more than 10 times.',
  EBUSY: 'The service is overloaded or shutting down.',
  ETIMEOUT: 'The page did not respond in time.',
  EBRWSRTIMEOUT: 'The browser did not finish in time.',
  EFATALCLIENT: 'The service did not respond, or its response could not be read.',
  EABORTED: 'The caller aborted the request.',
  ETIMEOUTCLIENT: 'The service did not respond in time.',
}

/** What an error is due to. */
export type ErrorCause =
  /** The parameters: an identical request fails in the same way, at once. */
  | 'query'
  /** The page or its server: an identical request would fail in the same way, so the service caches it for a short time. */
  | 'page'
  /** The service, or the access to it: requests for other pages may fail too. */
  | 'service'
  /** This one request, which has been aborted or has taken too long. */
  | 'request'

export const errorCauses: Readonly<Record<ErrorCode, ErrorCause>> = {
  EINVALURL: 'page',
  EINVALQUERY: 'query',
  EINVALTTL: 'query',
  EINVALSTTL: 'query',
  EHEADERS: 'query',
  EINVALOVERLAYBG: 'page',
  EAUTH: 'service',
  EFORBIDDENURL: 'page',
  ENOEMBED: 'page',
  ENOTFOUND: 'service',
  EMETHOD: 'service',
  EREMOVED: 'page',
  EELEMENT: 'page',
  ETOOLARGE: 'page',
  ERATE: 'service',
  EFATAL: 'service',
  EUNREACHABLE: 'page',
  EMAXREDIRECTS: 'page',
  EBUSY: 'service',
  ETIMEOUT: 'page',
  EBRWSRTIMEOUT: 'request',
  EFATALCLIENT: 'service',
  EABORTED: 'request',
  ETIMEOUTCLIENT: 'request',
}

/** The JSON body of an error response. */
export interface ErrorBody {
  /** `fail` with HTTP 4xx, `error` with HTTP 5xx. */
  status: 'fail' | 'error'
  code: ErrorCode
  message: string
  /** URL of the section that explains the code. */
  more: string
  data: PageError['data']
}

/**
 * Builds the JSON body of an error response.
 *
 * @param base  URL of the service, which serves an explanation of every code.
 */
export function errorBody({ status, code, message, data }: PageError, base: string): ErrorBody {
  const more = `${base}/playground/errors.html#${code}`
  return { status: status < 500 ? 'fail' : 'error', code, message, more, data }
}
