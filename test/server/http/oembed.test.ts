import sharp from 'sharp'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createService, type Service } from '../../../src/server/index.js'
import { localSite, type LocalSite } from '../../local-site.js'

let site: LocalSite
let service: Service

const ask = (words: Record<string, string>) =>
  service.fetch(new Request(`http://previews.test/oembed?${new URLSearchParams(words)}`))
const preview = (words: Record<string, string> = {}) =>
  `http://previews.test/?${new URLSearchParams({ url: `${site.url}/`, element: '#hero', ...words })}`
const photo = async (words: Record<string, string>) =>
  (await (await ask(words)).json()) as { type: string; url: string; width: number; height: number }

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

it('gives a preview as a photo', async () => {
  const response = await ask({ url: preview() })
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

it('says how old it is, and is sent as every other answer', async () => {
  const response = await ask({ url: preview() })
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'x-cache-status': 'HIT',
    age: expect.any(String),
    'cache-status': expect.stringContaining('hit'),
    'x-pricing-plan': 'free',
    'x-rate-limit-limit': '250',
    vary: 'accept-encoding',
  })
  const headers = { 'if-none-match': response.headers.get('etag')! }
  const again = new Request(`http://previews.test/oembed?${new URLSearchParams({ url: preview() })}`, { headers })
  expect((await service.fetch(again)).status).toBe(304)
})

it('gives the page itself as a photo too', async () => {
  expect(await photo({ url: `${site.url}/` })).toMatchObject({ type: 'photo', width: 2560, height: 1600 })
})

it.each([
  [{}, 1000],
  [{ maxwidth: '1000', maxheight: '500' }, 1000],
  [{ maxwidth: '999' }, 960],
  [{ maxwidth: '640' }, 640],
  [{ maxheight: '200' }, 320],
  [{ maxwidth: '2000' }, 1000],
])('within %j it is %i pixels wide, and so are its bytes', async (limits, expected) => {
  const { url, width, height } = await photo({ url: preview(), ...limits })
  expect(width).toBe(expected)
  const bytes = Buffer.from(await (await service.fetch(new Request(url))).arrayBuffer())
  expect(await sharp(bytes).metadata()).toMatchObject({ width, height })
})

it('says a size that fits even where no picture is as small', async () => {
  expect(await photo({ url: preview(), maxwidth: '100' })).toMatchObject({ width: 100, height: 50 })
})

it.each([
  [{ format: 'xml' }, 'format'],
  [{ maxwidth: '-1' }, 'maxwidth'],
  [{ maxheight: 'tall' }, 'maxheight'],
])('refuses %j', async (words, word) => {
  const response = await ask({ url: preview(), ...words })
  expect([response.status, await response.json()]).toMatchObject([
    400,
    { code: 'EINVALQUERY', data: { [word]: expect.any(String) } },
  ])
})

it('refuses what is no address', async () => {
  expect(await (await ask({})).json()).toMatchObject({ code: 'EINVALURL' })
})
