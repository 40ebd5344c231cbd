import type { ErrorCode } from '../index.js'

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
