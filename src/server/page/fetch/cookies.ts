import { CookieJar } from 'tough-cookie'

/** The cookies of one request and its redirects. They end with it: no other request has them, and no log. */
export interface Cookies {
  /**
   * Stores the cookies of a response as a browser would: for its host, or for the domain that it may name.
   *
   * @param headers  `set-cookie`.
   */
  store(headers: string | string[] | undefined, url: URL): void
  /**
   * The cookies for a URL, as the `cookie` header; `''` without any.
   *
   * @param own  The `cookie` header of the caller; a cookie that a response has set replaces the one of the same name.
   */
  header(url: URL, own?: string): string
}

/** The limit of browsers: https://datatracker.ietf.org/doc/html/draft-ietf-httpbis-rfc6265bis#section-5.6 */
const MAX_COOKIE_CHARS = 4_096
const MAX_COOKIES = 180
/** Servers refuse longer headers. */
const MAX_HEADER_CHARS = 16_384

/** The characters that may be in a header. */
const SENDABLE = /^[\t -~\x80-\xff]*$/

export function createCookies(): Cookies {
  let jar: CookieJar | undefined
  let count = 0
  const storedHeader = (url: URL) => {
    const header = jar?.getCookieStringSync(url.href) ?? ''
    return header.length <= MAX_HEADER_CHARS ? header : header.slice(0, header.lastIndexOf(';', MAX_HEADER_CHARS))
  }
  return {
    store(headers, url) {
      for (const text of [headers ?? []].flat()) {
        if (text.length > MAX_COOKIE_CHARS || !SENDABLE.test(text) || ++count > MAX_COOKIES) continue
        jar ??= new CookieJar(undefined, { looseMode: true })
        jar.setCookieSync(text, url.href, { ignoreError: true })
      }
    },
    header(url, own = '') {
      const stored = storedHeader(url)
      if (!own || !stored) return own || stored
      const names = new Set(stored.split('; ').map(nameOf))
      return [...own.split(/; */).filter((cookie) => !names.has(nameOf(cookie))), stored].join('; ')
    },
  }
}

const nameOf = (cookie: string) => cookie.split('=', 1).join().trim()
