import { parseQuery, requestUrl, type PageQuery, type ParsedQuery } from '../query/index.js'
import { requestPage, type ClientOptions, type PageOptions, type PageResult } from './request.js'

/** Requests pages from one service. */
export interface Client {
  /**
   * Requests a page. Network errors, 408, 502, 503 and 504 are retried, after the time that the service asks for.
   *
   * @param query  The parameters, such as `{ url: 'https://example.com', screenshot: { type: 'png' } }`, or a parsed query.
   * @throws  {PageError} before any request as `parseQuery` does; the service's own error; `EFATALCLIENT` (no response, or an
   *          unreadable one), `ETIMEOUTCLIENT`, `EABORTED`.
   */
  page(query: PageQuery | ParsedQuery, options?: PageOptions): Promise<PageResult>
  /**
   * The URL of an embedded field, for `<img src>`: the query's `embed`, or the screenshot. It never carries a key, so a pro
   * host needs a signed query or a proxy.
   *
   * @throws  {PageError} as `parseQuery` does.
   */
  embedUrl(query: PageQuery | ParsedQuery): string
  /**
   * The URL that `page` requests, without the key.
   *
   * @throws  {PageError} as `parseQuery` does.
   */
  requestUrl(query: PageQuery | ParsedQuery): string
}

/** A client of the service; runs in browsers, Node and Workers. */
export function createClient(options: ClientOptions = {}): Client {
  /** An empty text is no key: an environment variable may be unset. */
  const keyOf = (parsed: ParsedQuery) => parsed.apiKey || options.apiKey

  /** The URL without the key, which goes into a header. */
  function urlOf(query: PageQuery | ParsedQuery): string {
    const parsed = parseQuery(query)
    return requestUrl(parsed.withoutApiKey(), options.endpoint, keyOf(parsed) ? 'pro' : undefined)
  }

  return {
    async page(query, pageOptions) {
      const parsed = parseQuery(query)
      const request = { url: urlOf(parsed), apiKey: keyOf(parsed), warnings: parsed.warnings }
      return requestPage(request, { ...options, ...pageOptions })
    },
    embedUrl(query) {
      const parsed = parseQuery(query)
      const { embed, screenshot } = parsed.query
      return urlOf(embed ? parsed : parsed.with({ embed: 'screenshot.url', screenshot: screenshot ?? true }))
    },
    requestUrl: urlOf,
  }
}
