import { describe, expect, it } from 'vitest'
import { parseHtml } from '../../../../src/server/page/document/index.js'
import { findCandidates } from '../../../../src/server/page/find-candidates.js'

const SITE = 'https://site.example'
const urlOf = (path: string, html: string) => findCandidates(parseHtml(html, SITE + path)).url[0]!.replace(SITE, '')
const canonical = (href: string) => `<link rel="canonical" href="${href}">`
const ogUrl = (href: string) => `<meta property="og:url" content="${href}">`

describe('the canonical URL', () => {
  it.each<[what: string, path: string, html: string, url: string]>([
    ['the home page of every article', '/one', canonical('/'), '/one'],
    ['the home page, with its host', '/2024/05/one.html', canonical(SITE), '/2024/05/one.html'],
    ['the home page of another host', '/one', canonical('https://www.site.example/'), '/one'],
    ['the home page as og:url', '/one', ogUrl(`${SITE}/`), '/one'],
    ['the home page in both', '/one', canonical('/') + ogUrl('/'), '/one'],
    ['the home page, while og:url is right', '/one?utm_source=x', canonical('/') + ogUrl('/one'), '/one'],
    ['the home page of a language', '/de/artikel/eins', canonical('/de/'), '/de/artikel/eins'],
    ['the file of the home page', '/one', canonical('/index.html'), '/one'],
    ['the home page of a site without paths', '/?p=123', canonical('/'), '/?p=123'],
    ['on the machine of a developer', '/one', canonical('http://localhost:3000/one'), '/one'],
    ['at a private address', '/one', ogUrl('http://192.168.0.7/one'), '/one'],
    ['at a host without a domain', '/one', canonical('http://web/one'), '/one'],
    ['the home page of a wiki', '/index.php?title=Sea', canonical('/'), '/index.php?title=Sea'],
  ])('is not taken if it is %s', (_, path, html, url) => expect(urlOf(path, html)).toBe(url))

  it.each<[what: string, path: string, html: string, url: string]>([
    ['of the home page', '/', canonical('/'), '/'],
    ['of the home page with parameters of a campaign', '/?utm_source=mail&fbclid=1', canonical('/'), '/'],
    ['of the home page by its file', '/index.html', canonical('/'), '/'],
    ['of the home page in a language', '/en', canonical('/'), '/'],
    ['of the home page in a language and country', '/de-at/', canonical('/'), '/'],
    ['of the home page by its name', '/home', canonical('/'), '/'],
    ['without parameters', '/one?ref=mail', canonical('/one'), '/one'],
    ['without AMP', '/one/amp', canonical('/one'), '/one'],
    ['of the first page', '/one/page/2', canonical('/one'), '/one'],
    [
      'of a product outside of its collection',
      '/collections/all/products/tea',
      canonical('/products/tea'),
      '/products/tea',
    ],
    ['at another host', '/one', canonical('https://other.example/one'), 'https://other.example/one'],
    ['with a query', '/one', canonical('/?p=7'), '/?p=7'],
    ['with escaped slashes', '/one', canonical('https:&amp;#x2F;&amp;#x2F;site.example&amp;#x2F;two'), '/two'],
    ['behind its own origin', '/one', canonical(`${SITE}${SITE}/two`), '/two'],
  ])('is taken: %s', (_, path, html, url) => expect(urlOf(path, html)).toBe(url))
})

describe('the base of a page', () => {
  const imageOf = (head: string) =>
    findCandidates(parseHtml(`${head}<meta property="og:image" content="c.png">`, `${SITE}/d/`)).image[0]
  it.each<[what: string, head: string, url: string]>([
    ['a path', '<base href="/res/">', `${SITE}/res/c.png`],
    ['a relative path', '<base href="res/">', `${SITE}/d/res/c.png`],
    ['another host', '<base href="//cdn.example/x/y">', 'https://cdn.example/x/c.png'],
    ['the first of two', '<base href="/res/"><base href="/wrong/">', `${SITE}/res/c.png`],
    ['after one that only names a target', '<base target="_blank"><base href="/res/">', `${SITE}/res/c.png`],
    ['an empty one', '<base href="">', `${SITE}/d/c.png`],
    ['data', '<base href="data:text/plain,x">', `${SITE}/d/c.png`],
    ['a script', '<base href="javascript:void(0)">', `${SITE}/d/c.png`],
    ['no URL', '<base href="https://">', `${SITE}/d/c.png`],
    ['in a template', '<template><base href="/wrong/"></template>', `${SITE}/d/c.png`],
    ['without scripts only', '<noscript><base href="/wrong/"></noscript>', `${SITE}/d/c.png`],
  ])('is the one that browsers use: %s', (_, head, url) => expect(imageOf(head)).toBe(url))
})
