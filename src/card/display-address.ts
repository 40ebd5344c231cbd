/** The words that a bare address gives. */
export interface DisplayAddress {
  /** `undefined` for whatever is not http(s): such an address must not become a link. */
  href: string | undefined
  /** Without `www.`. */
  host: string
  /** Host and path. */
  text: string
  /** First letter of the host, for a page without an icon. */
  letter: string
}

export function displayAddress(url: string): DisplayAddress {
  if (!/^https?:/i.test(url) || !URL.canParse(url)) return { href: undefined, host: url, text: url, letter: '?' }
  const { host: fullHost, pathname } = new URL(url)
  const host = fullHost.replace(/^www\./, '')
  return { href: url, host, text: (host + pathname).replace(/\/$/, ''), letter: host.charAt(0).toUpperCase() }
}
