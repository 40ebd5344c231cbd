import sharp from 'sharp'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createService, type Service } from '../../../src/server/index.js'
import { localSite, type LocalSite } from '../../local-site.js'

let site: LocalSite
let service: Service

const requestOembed = (parameters: Record<string, string>) =>
  service.fetch(new Request(`http://previews.test/oembed?${new URLSearchParams(parameters)}`))
const previewUrl = (parameters: Record<string, string> = {}) =>
  `http://previews.test/?${new URLSearchParams({ url: `${site.url}/`, element: '#hero', ...parameters })}`
const photoOf = async (parameters: Record<string, string>) =>
  (await (await requestOembed(parameters)).json()) as { type: string; url: string; width: number; height: number }

beforeAll(async () => {
  site = await localSite({
    '/': `<title>A page</title><meta property="og:site_name" content="A publisher"><body style="margin:0">
      <div id="hero" style="width:500px;height:250px;background:linear-gradient(red,blue)">`,
  })
  service = createService({ allowTargets: [site.host] })
  await service.ready()
})

afterAll(async () => {
  await service.close()
  await site.close()
})

it('returns a preview as a photo', async () => {
  const response = await requestOembed({ url: previewUrl() })
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8'])
  expect(await response.json()).toEqual({
    version: '1.0',
    type: 'photo',
    url: expect.stringContaining('embed=screenshot.url'),
    width: 1000,
    height: 500,
    title: 'A page',
    author_name: 'A publisher',
    author_url: `${site.url}/`,
    provider_name: 'Page Preview',
    provider_url: 'http://previews.test/',
    cache_age: 86_400,
  })
})

it('is found from a card of a service whose URL has a path, which a reverse proxy strips', async () => {
  const below = createService({ allowTargets: [site.host], publicUrl: 'http://previews.test/previews' })
  try {
    const card = await below.fetch(new Request(previewUrl({ embed: 'html' })))
    const [, discovery] = /<([^>]+)>; rel="alternate"/.exec(card.headers.get('link')!)!
    expect(discovery).toMatch(/^http:\/\/previews\.test\/previews\/oembed\?/)
    const oembed = await below.fetch(new Request(discovery!.replace('/previews/', '/')))
    expect(await oembed.json()).toMatchObject({ title: 'A page', width: 1000 })
    for (const path of ['/', '/playground']) {
      const request = new Request(`http://previews.test${path}`, { headers: { accept: 'text/html' } })
      const { status, headers } = await below.fetch(request)
      expect([status, headers.get('location')]).toEqual([302, '/previews/playground/'])
    }
  } finally {
    await below.close()
  }
})

it('sends the headers of the cache and the rate limit, and 304 for a matching etag', async () => {
  const response = await requestOembed({ url: previewUrl() })
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'x-cache-status': 'HIT',
    age: expect.any(String),
    'cache-status': expect.stringContaining('hit'),
    'x-pricing-plan': 'free',
    'x-rate-limit-limit': '250',
    vary: 'x-page-preview-allow-hosts, accept-encoding',
  })
  const headers = { 'if-none-match': response.headers.get('etag')! }
  const conditional = new Request(`http://previews.test/oembed?${new URLSearchParams({ url: previewUrl() })}`, {
    headers,
  })
  expect((await service.fetch(conditional)).status).toBe(304)
})

it('accepts the URL of a page instead of a preview', async () => {
  expect(await photoOf({ url: `${site.url}/` })).toMatchObject({ type: 'photo', width: 2560, height: 1600 })
})

it('has the lifetime of the image when the preview embeds it', async () => {
  const response = await requestOembed({ url: previewUrl({ embed: 'screenshot.url' }) })
  expect(await response.json()).toMatchObject({ type: 'photo', cache_age: 31 * 86_400 })
})

it.each([
  [{}, 1000],
  [{ maxwidth: '1000', maxheight: '500' }, 1000],
  [{ maxwidth: '999' }, 960],
  [{ maxwidth: '640' }, 640],
  [{ maxheight: '200' }, 320],
  [{ maxwidth: '2000' }, 1000],
])('with %j the photo is %i pixels wide, and so is its file', async (limits, expected) => {
  const { url, width, height } = await photoOf({ url: previewUrl(), ...limits })
  expect(width).toBe(expected)
  const bytes = Buffer.from(await (await service.fetch(new Request(url))).arrayBuffer())
  expect(await sharp(bytes).metadata()).toMatchObject({ width, height })
})

it('reports a size that fits even when no variant is that small', async () => {
  expect(await photoOf({ url: previewUrl(), maxwidth: '100' })).toMatchObject({ width: 100, height: 50 })
})

it.each([
  [{ format: 'xml' }, 'format'],
  [{ maxwidth: '-1' }, 'maxwidth'],
  [{ maxheight: 'tall' }, 'maxheight'],
])('rejects %j', async (parameters, invalid) => {
  const response = await requestOembed({ url: previewUrl(), ...parameters })
  expect([response.status, await response.json()]).toMatchObject([
    400,
    { code: 'EINVALQUERY', data: { [invalid]: expect.any(String) } },
  ])
})

it('rejects a request without url', async () => {
  expect(await (await requestOembed({})).json()).toMatchObject({ code: 'EINVALURL' })
})
