/** URL parsers sort the combining characters of a host in quadratic time. */
const MAX_URL_CHARS = 8_192

/**
 * Origin of the page that sent a request, as far as its headers reveal it: `self` for the origin of the proxy.
 *
 * @see  https://www.w3.org/TR/fetch-metadata/#sec-fetch-site-header
 */
export function callerOrigin({ headers, url }: Request): string | undefined {
  if (headers.get('sec-fetch-site') === 'same-origin') return 'self'
  const callerUrl = headers.get('origin') ?? headers.get('referer') ?? ''
  if (callerUrl.length > MAX_URL_CHARS || !URL.canParse(callerUrl)) return undefined
  const { origin, host } = new URL(callerUrl)
  // The scheme may differ: TLS may be terminated before this server.
  return host === (headers.get('host') ?? new URL(url).host) ? 'self' : origin
}
