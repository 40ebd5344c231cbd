import { canParseUrl } from '../query/can-parse-url.js'
import { completeUrl } from '../query/complete-url.js'

/** A page's URL in the forms that a card shows. */
export interface DisplayUrl {
  /** `undefined` unless the URL is http(s): any other scheme must not become a link. */
  href: string | undefined
  /** Host without `www.`; the URL as written when it cannot be parsed. */
  host: string
  /** Host and path: `example.com/blog`. */
  text: string
  /** First letter of the host in upper case, for a page without an icon. */
  letter: string
}

/** Never throws: a text that is not an http(s) URL, with or without its scheme, is displayed unchanged. */
export function toDisplayUrl(written: string): DisplayUrl {
  const url = completeUrl(written)
  if (!/^https?:/i.test(url) || !canParseUrl(url)) return { href: undefined, host: url, text: url, letter: '?' }
  const { host: fullHost, pathname } = new URL(url)
  const host = fullHost.replace(/^www\./, '')
  return { href: url, host, text: (host + pathname).replace(/\/$/, ''), letter: host.charAt(0).toUpperCase() }
}
