import fc from 'fast-check'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { describe, expect, it, onTestFinished } from 'vitest'
import { gzipSync } from 'node:zlib'
import { openGuardedRequests } from '../../src/server/static-tools.js'
import { parseSitemap, parseUrlList } from '../../src/server/url-list.js'
import { readUrls } from '../../src/static/read-urls.js'
import { localSite, redirectTo, type Route } from '../local-site.js'

const sitemap = (...urls: string[]) => `<urlset>${urls.map((url) => `<url><loc>${url}</loc></url>`).join('')}</urlset>`
const index = (...urls: string[]) =>
  `<sitemapindex>${urls.map((url) => `<sitemap><loc>${url}</loc></sitemap>`).join('')}</sitemapindex>`
const bytes =
  (content: Buffer): Route =>
  (_, response) =>
    void response.end(content)

async function read(from: string, { stdin = '', allowTargets = [] as string[] } = {}) {
  const requests = await openGuardedRequests(allowTargets)
  onTestFinished(() => requests.close())
  const { signal } = new AbortController()
  return readUrls(from, { stdin: Readable.from([Buffer.from(stdin)]), requests, signal })
}

async function fileWith(content: string | Uint8Array): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'page-preview-list-'))
  onTestFinished(() => rm(dir, { recursive: true }))
  await writeFile(join(dir, 'list'), content)
  return join(dir, 'list')
}

async function site(routes: Record<string, Route>) {
  const site = await localSite(routes)
  onTestFinished(() => site.close())
  return site
}

describe('a list of URLs', () => {
  it('comes from stdin or a file, each URL once', async () => {
    const stdin = 'https://a.example\nhttps://a.example/\nnone\nhttps://b.example\n'
    const urls = ['https://a.example', 'none', 'https://b.example']
    expect(await read('-', { stdin })).toEqual(urls)
    expect(await read(await fileWith(stdin))).toEqual(urls)
  })

  it('may be compressed, or in the encoding of Windows PowerShell', async () => {
    expect(await read(await fileWith(gzipSync('https://a.example')))).toEqual(['https://a.example'])
    const utf16 = Buffer.from('\uFEFFhttps://b.example\r\n', 'utf16le')
    expect(await read(await fileWith(utf16))).toEqual(['https://b.example'])
    expect(await read(await fileWith('\uFEFFhttps://c.example'))).toEqual(['https://c.example'])
  })

  it.each([
    ['', 'There are no URLs in stdin: write one per line'],
    ['a\n'.repeat(3) + Array.from({ length: 50_001 }, (_, at) => at).join('\n'), 'leads to more than 50000 URLs'],
    ['a'.repeat(60_000_000), 'larger than 52428800 bytes'],
  ])('is refused with a sentence', async (stdin, sentence) => {
    await expect(read('-', { stdin })).rejects.toThrow(sentence)
  })

  it('is not waited for once the run is stopped', async () => {
    const stop = new AbortController()
    const stdin = new Readable({ read: () => undefined })
    const urls = readUrls('-', { stdin, requests: { fetchList: async () => Buffer.alloc(0) }, signal: stop.signal })
    stop.abort(new Error('Stopped.'))
    await expect(urls).rejects.toThrow(/^Stopped\.$/)
  })

  it('is refused when it is not there or expands without end', async () => {
    await expect(read('/does/not/exist')).rejects.toThrow('/does/not/exist cannot be read: ENOENT')
    await expect(read(await fileWith(gzipSync(Buffer.alloc(60_000_000))))).rejects.toThrow('cannot be read')
  })
})

describe('a sitemap', () => {
  it('leads to the sitemaps that an index names, even compressed or in a circle', async () => {
    const { url, host, routes, requests } = await site({
      '/a.xml': sitemap('https://a.example/1', 'https://a.example/2'),
    })
    routes['/b.xml.gz'] = bytes(gzipSync(sitemap('https://a.example/2', 'https://a.example/3')))
    routes['/index.xml'] = index(`${url}/a.xml`, `${url}/b.xml.gz`, `${url}/index.xml`, `${url}/a.xml`)
    expect(await read(`${url}/index.xml`, { allowTargets: [host] })).toEqual([
      'https://a.example/1',
      'https://a.example/2',
      'https://a.example/3',
    ])
    expect(requests).toHaveLength(3)
  })

  it('is fetched through the network guard alone, at each redirect and each sitemap of an index', async () => {
    const inside = await site({ '/s.xml': sitemap('https://a.example') })
    const outside = await site({
      '/redirect': redirectTo(`${inside.url}/s.xml`),
      '/index.xml': index(`${inside.url}/s.xml`),
    })
    const allowTargets = [outside.host]
    await expect(read(`${inside.url}/s.xml`)).rejects.toMatchObject({ code: 'EFORBIDDENURL' })
    await expect(read(`${outside.url}/redirect`, { allowTargets })).rejects.toMatchObject({ code: 'EFORBIDDENURL' })
    await expect(read(`${outside.url}/index.xml`, { allowTargets })).rejects.toMatchObject({ code: 'EFORBIDDENURL' })
    expect(inside.requests).toEqual([])
  })

  it('names no local file', async () => {
    await expect(read(await fileWith(index('/etc/passwd')))).rejects.toThrow('names the sitemap "/etc/passwd"')
    await expect(read(await fileWith(index('file:///etc/passwd')))).rejects.toThrow('which is not a URL')
  })

  it('is refused when an index names another index', async () => {
    const { url, host, routes } = await site({})
    for (const at of [1, 2, 3]) routes[`/${at}.xml`] = index(`${url}/${at + 1}.xml`)
    await expect(read(`${url}/1.xml`, { allowTargets: [host] })).rejects.toThrow('nested too deeply')
    routes['/many.xml'] = index(...Array.from({ length: 1_001 }, (_, at) => `${url}/s${at}.xml`))
    for (let at = 0; at <= 1_000; at++) routes[`/s${at}.xml`] = sitemap('https://a.example')
    await expect(read(`${url}/many.xml`, { allowTargets: [host] })).rejects.toThrow('more than 1000 sitemaps')
  })

  it.each([
    ['/missing', 'responds with HTTP 404'],
    ['/page', 'There are no URLs in http'],
  ])('that is none is refused with a sentence', async (path, sentence) => {
    const { url, host } = await site({ '/page': '<!doctype html><title>A page</title>' })
    await expect(read(`${url}${path}`, { allowTargets: [host] })).rejects.toThrow(sentence)
  })
})

it('reads one URL a line, without comments and blank lines', () => {
  const text = '# all pages\r\nhttps://a.example/#part\n\n  https://b.example  # the second\r\thttps://c.example\n#'
  expect([...parseUrlList(text)]).toEqual(['https://a.example/#part', 'https://b.example', 'https://c.example'])
})

it.each(['', '\n\n', '# nothing'])('finds nothing in %j', (text) => {
  expect([...parseUrlList(text)]).toEqual([])
})

it('returns single lines without comments and blanks at their ends from any text', () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.oneof(fc.webUrl({ withFragments: true }), fc.constantFrom('#', ' ', '\n', '\r', '\t', '\0'), fc.string()),
      ),
      (parts) => {
        for (const entry of parseUrlList(parts.join(''))) {
          expect(entry).toBe(entry.trim())
          expect(entry).toMatch(/^[^#\s][^\r\n]*$/)
        }
      },
    ),
  )
  fc.assert(
    fc.property(fc.array(fc.webUrl({ withFragments: true, withQueryParameters: true })), (urls) => {
      expect([...parseUrlList(urls.map((url) => `${url} # ${url}`).join('\r\n'))]).toEqual(urls)
    }),
  )
})

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

it('reads URLs as they were written, and rejects any other text with a sentence', () => {
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
