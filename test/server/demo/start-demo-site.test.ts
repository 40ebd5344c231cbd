import { imageSize } from 'image-size'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startDemoSite, type DemoSite } from '../../../src/server/demo/index.js'

let site: DemoSite
beforeAll(async () => {
  site = await startDemoSite()
})
afterAll(() => site.close())

const PATHS = ['/', '/article', '/pricing', '/clock', '/arabic']

async function read(path: string): Promise<string> {
  const response = await fetch(site.url + path)
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
  return response.text()
}

const metaOf = (html: string, name: string) =>
  html.match(new RegExp(`<meta (?:name|property)="${name}" content="([^"]*)">`))?.[1]
const jsonLdOf = (html: string) =>
  JSON.parse(html.match(/<script type="application\/ld\+json">(.*?)<\/script>/s)![1]!) as Record<string, unknown>

const generatedAt = async () => (await read('/clock')).match(/id="generated">([^<]+)</)![1]!

describe.each(PATHS)('the page %s', (path) => {
  it('has a title, a description and a social image that exists', async () => {
    const html = await read(path)
    const title = html.match(/<title>(.+)<\/title>/)?.[1]
    expect(title).toBeTruthy()
    expect(metaOf(html, 'og:title')).toBe(title)
    expect(metaOf(html, 'twitter:card')).toBe('summary_large_image')
    expect(metaOf(html, 'description')!.length).toBeGreaterThan(40)
    expect(metaOf(html, 'og:url')).toBe(site.url + path)
    expect(metaOf(html, 'twitter:image')).toBe(metaOf(html, 'og:image'))
    expect(jsonLdOf(html)).toMatchObject({ '@context': 'https://schema.org' })
    const image = await fetch(metaOf(html, 'og:image')!)
    expect(image.headers.get('content-type')).toBe('image/png')
    const { width, height, type } = imageSize(new Uint8Array(await image.arrayBuffer()))
    expect({ width, height, type }).toEqual({ width: 1200, height: 630, type: 'png' })
  })

  it('links only to existing pages and files of the site', async () => {
    const html = await read(path)
    const urls = [...html.matchAll(/(?:href|src)="([^"]+)"/g)].map(
      ([, reference]) => new URL(reference!, site.url + path),
    )
    expect(urls.length).toBeGreaterThan(10)
    expect(new Set(urls.map(({ origin }) => origin))).toEqual(new Set([site.url]))
    for (const url of new Set(urls.map(({ href }) => href))) {
      const response = await fetch(url)
      await response.arrayBuffer()
      expect([url, response.status]).toEqual([url, 200])
    }
  })

  it('uses no element id twice', async () => {
    const ids = [...(await read(path)).matchAll(/ id="([^"]+)"/g)].map(([, id]) => id)
    expect(ids).toEqual([...new Set(ids)])
  })
})

describe('the sample site', () => {
  it('has the elements that the examples select', async () => {
    expect(await read('/')).toContain('id="hero"')
    expect(await read('/pricing')).toContain('id="plans"')
  })

  it('has an article with author, date, publisher and audio', async () => {
    const html = await read('/article')
    expect(jsonLdOf(html)).toMatchObject({
      '@type': 'NewsArticle',
      author: { name: 'Ines Halvorsen' },
      datePublished: '2026-10-03T05:40:00.000Z',
      publisher: { name: 'Nightjar' },
    })
    const audio = await fetch(metaOf(html, 'og:audio')!)
    expect(audio.headers.get('content-type')).toBe('audio/wav')
    const bytes = Buffer.from(await audio.arrayBuffer())
    expect(bytes.subarray(0, 4).toString()).toBe('RIFF')
    expect(bytes.readUInt32LE(4)).toBe(bytes.length - 8)
  })

  it('has an Arabic page, written from right to left', async () => {
    expect(await read('/arabic')).toContain('<html lang="ar" dir="rtl">')
  })

  it('shows a new time on its clock with every request, and forbids caching it', async () => {
    const first = await generatedAt()
    await expect.poll(generatedAt).not.toBe(first)
    expect((await fetch(`${site.url}/clock`)).headers.get('cache-control')).toBe('no-store')
  })

  it('serves its own page for 404, and rejects POST requests', async () => {
    const missing = await fetch(`${site.url}/nothing/here`)
    expect(missing.status).toBe(404)
    expect(await missing.text()).toContain('Nothing calls from here')
    expect((await fetch(site.url, { method: 'POST', body: 'x' })).status).toBe(405)
    const head = await fetch(site.url, { method: 'HEAD' })
    expect([head.status, await head.text()]).toEqual([200, ''])
  })

  it('offers each of its pages as an example', () => {
    expect(site.examples.map(({ url }) => url)).toEqual(PATHS.map((path) => site.url + path))
    expect(site.url).toBe(`http://${site.host}`)
  })

  it('releases its port on close even while a client is connected', async () => {
    const other = await startDemoSite()
    await fetch(`${other.url}/clock`).then((response) => response.text())
    await other.close()
    await expect(fetch(other.url)).rejects.toThrow()
    const again = await startDemoSite({ port: Number(other.host.split(':')[1]) })
    expect(again.url).toBe(other.url)
    await again.close()
  })

  it('rejects when its port is taken', async () => {
    await expect(startDemoSite({ port: Number(site.host.split(':')[1]) })).rejects.toMatchObject({ code: 'EADDRINUSE' })
  })
})
