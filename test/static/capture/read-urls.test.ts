import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { gzipSync } from 'node:zlib'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createFileFetcher } from '../../../src/static/capture/create-file-fetcher.js'
import { readUrls } from '../../../src/static/capture/read-urls.js'
import { localSite, redirectTo, type Route } from '../../local-site.js'

const sitemap = (...urls: string[]) => `<urlset>${urls.map((url) => `<url><loc>${url}</loc></url>`).join('')}</urlset>`
const index = (...urls: string[]) =>
  `<sitemapindex>${urls.map((url) => `<sitemap><loc>${url}</loc></sitemap>`).join('')}</sitemapindex>`
const bytes =
  (content: Buffer): Route =>
  (_, response) =>
    void response.end(content)

async function read(from: string, { stdin = '', allowTargets = [] as string[] } = {}) {
  const fetcher = createFileFetcher(allowTargets)
  onTestFinished(() => fetcher.close())
  const { signal } = new AbortController()
  return readUrls(from, { stdin: Readable.from([Buffer.from(stdin)]), fetchFile: fetcher.fetch, signal })
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
    const urls = readUrls('-', { stdin, fetchFile: async () => Buffer.alloc(0), signal: stop.signal })
    stop.abort(new Error('Stopped.'))
    await expect(urls).rejects.toThrow(/^Stopped\.$/)
  })

  it('is refused when it is not there or expands without end', async () => {
    await expect(read('/does/not/exist')).rejects.toThrow('/does/not/exist cannot be read: ENOENT')
    await expect(read(await fileWith(gzipSync(Buffer.alloc(60_000_000))))).rejects.toThrow('cannot be read')
  })
})

describe('a sitemap', () => {
  it('leads to those that an index names, also compressed ones and a circle', async () => {
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
    await expect(read(`${url}/1.xml`, { allowTargets: [host] })).rejects.toThrow('index of indexes')
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
