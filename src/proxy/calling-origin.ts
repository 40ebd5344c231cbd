/**
 * Origin of the page that asks, as far as a request says so: `self` for the origin that it asks.
 *
 * @see  https://www.w3.org/TR/fetch-metadata/#sec-fetch-site-header
 */
export function callingOrigin({ headers, url }: Request): string | undefined {
  if (headers.get('sec-fetch-site') === 'same-origin') return 'self'
  const said = headers.get('origin') ?? headers.get('referer') ?? ''
  if (!URL.canParse(said)) return undefined
  const { origin, host } = new URL(said)
  // By host alone: TLS may end before this server.
  return host === (headers.get('host') ?? new URL(url).host) ? 'self' : origin
}
