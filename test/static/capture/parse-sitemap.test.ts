import fc from 'fast-check'
import { expect, it } from 'vitest'
import { parseSitemap } from '../../../src/static/capture/parse-sitemap.js'

const parse = (xml: string, maxUrls = 1_000) => parseSitemap(xml, { maxUrls })

it('reads the pages of a sitemap, and not its images', () => {
  const xml = `<?xml version="1.0" encoding="UTF-8"?>
    <urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:image="http://www.google.com/schemas/sitemap-image/1.1">
      <url><loc> https://a.example/?a=1&amp;b=2 </loc><lastmod>2026-01-01</lastmod>
        <image:image><image:loc>https://a.example/image.png</image:loc></image:image></url>
      <url><loc><![CDATA[https://b.example/]]></loc></url>
    </urlset>`
  expect(parse(xml)).toEqual({ urls: ['https://a.example/?a=1&b=2', 'https://b.example/'], sitemaps: [] })
})

it('reads the sitemaps of an index, with a prefix too', () => {
  const xml = `<s:sitemapindex xmlns:s="x"><s:sitemap><s:loc>https://a.example/1.xml</s:loc></s:sitemap></s:sitemapindex>`
  expect(parse(xml)).toEqual({ urls: [], sitemaps: ['https://a.example/1.xml'] })
})

it('does not expand entities that the document defines', () => {
  const lines = Array.from({ length: 30 }, (_, at) => `<!ENTITY e${at + 1} "${`&e${at};`.repeat(10)}">`)
  const xml = `<!DOCTYPE urlset [<!ENTITY e0 "ha">${lines.join('')}]>
    <urlset><url><loc>https://a.example/&e30;</loc></url></urlset>`
  expect(parse(xml)).toEqual({ urls: ['https://a.example/&e30;'], sitemaps: [] })
})

it('reads no file that an external entity names', () => {
  const xml = `<!DOCTYPE u [<!ENTITY f SYSTEM "file:///etc/passwd">]><urlset><url><loc>&f;</loc></url></urlset>`
  expect(parse(xml).urls.join()).not.toContain('root')
})

it('refuses deep nesting and too many URLs', () => {
  expect(() => parse('<a>'.repeat(1_000_000))).toThrow('nested too deeply')
  expect(() => parse(`<urlset>${'<url><loc>https://a.example</loc></url>'.repeat(3)}`, 2)).toThrow('more than 2 URLs')
})

it('keeps no more of a URL than could be requested', () => {
  const { urls } = parse(`<urlset><url><loc>https://a.example/${'a'.repeat(3_000_000)}</loc></url></urlset>`)
  expect(urls[0]!.length).toBeLessThan(200_000)
})

it.each(['', '<html><title>404</title>', '<urlset><url><loc></loc></url>', '<urlset>'])(
  'finds nothing in %j',
  (xml) => {
    expect(parse(xml)).toEqual({ urls: [], sitemaps: [] })
  },
)

it('reads URLs as they were written, and rejects any other text with an error of its own', () => {
  const escaped = (url: string) => url.replaceAll('&', '&amp;').replaceAll("'", '&apos;')
  fc.assert(
    fc.property(fc.array(fc.webUrl({ withFragments: true, withQueryParameters: true })), (urls) => {
      const xml = `<urlset>${urls.map((url) => `<url><loc>${escaped(url)}</loc></url>`).join('')}</urlset>`
      expect(parse(xml)).toEqual({ urls, sitemaps: [] })
    }),
  )
  const token = fc.constantFrom(
    '<url>',
    '</url>',
    '<loc>',
    '</loc>',
    '<!--',
    '-->',
    '<![CDATA[',
    ']]>',
    '<?',
    '&#x0;',
    '&',
    '<',
    '"',
    '<a b=',
  )
  fc.assert(
    fc.property(fc.array(fc.oneof(token, fc.string({ unit: 'binary' }))), (parts) => {
      try {
        for (const url of parse(parts.join('')).urls) expect(url).toBe(url.trim())
      } catch (error) {
        expect(String(error)).toMatch(/nested too deeply|more than/)
      }
    }),
  )
})
