// Covers parsers of headers and responses: any text is read or rejected with a PageError, and what comes out is bounded.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { pageResult, parseResponse } from '../../src/client/request.js'
import { callerOriginOf } from '../../src/proxy/access-rules.js'
import { createUrlRewriter } from '../../src/proxy/url-rewriter.js'
import { ALLOW_HOSTS_HEADER, MAX_HOST_LIST_CHARS } from '../../src/query/help/index.js'
import { isPageError, parseQuery } from '../../src/query/index.js'
import { allowedHosts } from '../../src/server/http/request-scopes.js'
import { identifyClient } from '../../src/server/budget/client-networks.js'
import { negotiateEncoding } from '../../src/server/http/content-coding.js'
import { parseOembedRequest } from '../../src/server/http/oembed.js'
import { matchesEtag } from '../../src/server/http/response-headers.js'
import { parseByteRange } from '../../src/server/http/response.js'
import { declaredFileType } from '../../src/server/media/media-file.js'
import { parseUrl } from '../../src/server/page/values/resolve-url.js'
import { expectReadOrRejected, textOf } from './any-text.js'

const PAGE_URL = 'https://example.com/'

const headers = (name: string, text: string) => new Headers({ [name]: text.replaceAll(/[^ -~\u00a0-\u00ff]/g, '?') })
const { query } = parseQuery({ url: PAGE_URL })

const HEADER = textOf(
  'bytes=',
  '0-',
  '-1',
  'W/"a"',
  'br',
  ';q=',
  ',',
  ' ',
  '*',
  '1.1.1.1',
  '::',
  'https://',
  'a.test',
  '%CC%A7',
)

describe('a header of random text', () => {
  it.each([1, 1_000, 0])('selects a range within %i bytes, or none', (size) => {
    expectReadOrRejected(
      HEADER,
      (text) => parseByteRange(text, size),
      (range) => {
        if (range) expect(0 <= range.start && range.start <= range.end && range.end < size).toBe(true)
      },
    )
  })

  it('yields a known encoding, a boolean for the etag, and a short address of the client', () => {
    expectReadOrRejected(HEADER, negotiateEncoding, (result) => expect(['br', 'gzip', undefined]).toContain(result))
    expectReadOrRejected(
      HEADER,
      (text) => matchesEtag(text, '"a"'),
      (result) => expect(result).toBeTypeOf('boolean'),
    )
    const address = (text: string) => identifyClient('192.0.2.1', text, 1)
    expectReadOrRejected(HEADER, address, (client) => expect(client.length).toBeLessThanOrEqual(45))
  })

  it('yields hosts, an origin and a redirect of bounded length', () => {
    const hosts = (text: string) => allowedHosts(headers(ALLOW_HOSTS_HEADER, text), query)
    expectReadOrRejected(HEADER, hosts, (list) => expect(list!.text.length).toBeLessThanOrEqual(MAX_HOST_LIST_CHARS))
    const origin = (text: string) =>
      callerOriginOf(new Request(PAGE_URL, { headers: headers('origin', text) }), undefined).origin
    expectReadOrRejected(HEADER, origin, (result, text) => {
      expect((result ?? '').length).toBeLessThanOrEqual(4 * text.length + 10)
    })
    const redirect = (text: string) => parseUrl(text, PAGE_URL)
    // Each character becomes at most nine: three bytes, percent-encoded.
    expectReadOrRejected(HEADER, redirect, (url, text) => {
      expect(url?.href.length ?? 0).toBeLessThanOrEqual(9 * text.length + PAGE_URL.length + 10)
    })
  })

  it('yields the type of a file that is served, or none', () => {
    const types = textOf('image/', 'png', 'svg+xml', '; charset=', 'audio/mpeg', '__proto__', 'constructor')
    const type = (text: string) => declaredFileType(`${PAGE_URL}a.constructor`, text, 'image')
    expectReadOrRejected(types, type, (result = '') => expect(result).toMatch(/^[a-z\d]{0,7}$/))
  })
})

describe('a response of random content', () => {
  const urls = createUrlRewriter({ service: 'https://service.test', proxy: 'https://proxy.test' })

  it('is parsed to a page, or rejected with a PageError', () => {
    fc.assert(
      fc.property(HEADER, fc.constantFrom(200, 400, 503), fc.jsonValue(), (text, status, json) => {
        const response = new Response('', { status, headers: headers('retry-after', text) })
        try {
          pageResult(parseResponse(response, json), headers('age', text))
        } catch (error) {
          if (!isPageError(error)) throw error
          expect(error.retryAfterMs ?? 0).toBeGreaterThanOrEqual(0)
        }
      }),
      { seed: 1 },
    )
  })

  it('keeps about its length when its URLs are rewritten', () => {
    const screenshot = fc.record({ screenshot: fc.record({ url: textOf('/images/', 'a.png', '?', '#', '/') }) })
    fc.assert(
      fc.property(fc.oneof(fc.jsonValue(), screenshot), (json) => {
        const text = JSON.stringify(json)
        expect(urls.rewriteJson(text, { warnings: [] }).length).toBeLessThanOrEqual(2 * text.length + 100)
      }),
      { seed: 1 },
    )
    const cards = textOf('https://service.test/images/', '<link rel="alternate"', '>', '\n')
    expectReadOrRejected(
      cards,
      (text) => urls.rewriteHtml(text),
      (card, text) => {
        expect(card.length).toBeLessThanOrEqual(2 * text.length)
      },
    )
  })
})

it('a random oEmbed request is parsed to a query and a size, or rejected with a PageError', () => {
  const search = textOf(
    'url=',
    'https%3A%2F%2F',
    'a.test',
    '&',
    'maxwidth=',
    '100',
    'format=',
    'json',
    'https%3A%2F%2Fs.test%2F%3F',
  )
  expectReadOrRejected(
    search,
    (text) => parseOembedRequest(new URLSearchParams(text), 'https://s.test'),
    (request) => {
      expect(request.maxWidth > 0 && request.maxHeight > 0).toBe(true)
    },
  )
})
