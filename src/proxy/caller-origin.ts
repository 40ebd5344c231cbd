/** The origin of the page that sent a request, as far as the headers reveal it. */
import { canParseUrl } from '../query/can-parse-url.js'
export interface CallerOrigin {
  origin: string | undefined
  /** Whether it has the origin of the proxy. */
  isSelf: boolean
}

/** URL parsers sort the combining characters of a host in quadratic time. */
const MAX_URL_CHARS = 8_192

/**
 * @param ownOrigin  The origin of the proxy, if it is configured.
 * @see  https://www.w3.org/TR/fetch-metadata/#sec-fetch-site-header
 */
export function callerOriginOf({ headers, url }: Request, ownOrigin: string | undefined): CallerOrigin {
  // Browsers send it over https and to localhost only.
  const isSameOrigin = headers.get('sec-fetch-site') === 'same-origin'
  const callerUrl = headers.get('origin') ?? headers.get('referer') ?? ''
  if (callerUrl.length > MAX_URL_CHARS || !canParseUrl(callerUrl)) return { origin: undefined, isSelf: isSameOrigin }
  const caller = new URL(callerUrl)
  // The scheme may differ: TLS may be terminated before this server.
  const isSameHost = caller.host === (headers.get('host') ?? new URL(url).host)
  const isSelf = isSameOrigin || caller.origin === ownOrigin || (isSameHost && !mayBeRebound(caller))
  return { origin: caller.origin, isSelf }
}

/**
 * Whether DNS alone decides which server an origin belongs to, so that another site can point its host name at the proxy: an https
 * origin needs a certificate, and neither localhost nor an IP address is looked up.
 */
const mayBeRebound = ({ protocol, hostname }: URL) =>
  protocol !== 'https:' && !/^(.+\.)?localhost$|^[\d.]+$|^\[/.test(hostname)
