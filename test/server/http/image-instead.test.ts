// Covers what embeds, cards and oEmbed show of pages that do not show their content.
import sharp from 'sharp'
import { beforeAll, describe, expect, it } from 'vitest'
import type { PageState } from '../../../src/query/index.js'
import type { Route } from '../../local-site.js'
import { startApp } from '../results/start-app.js'

const MINUTE = 60_000
const STATES: PageState[] = ['bot-check', 'blank', 'error-page', 'consent', 'login']
const EMBEDS = [{ embed: 'screenshot.url' }, { embed: 'screenshot' }, { embed: 'true' }, { embed: '' }]

let cover: Buffer
beforeAll(async () => {
  cover = await sharp({ create: { width: 200, height: 100, channels: 3, background: 'teal' } })
    .png()
    .toBuffer()
})

const image: Route = (_, response) => void response.writeHead(200, { 'content-type': 'image/png' }).end(cover)
const WITH_IMAGE =
  '<title>Story</title><meta property="og:image" content="/cover.png"><link rel="icon" href="/icon.png">'
const WITH_LOGO = '<title>Story</title><link rel="icon" href="/icon.png">'
const WITHOUT_IMAGE = '<title>Story</title>'

async function start(state: PageState | undefined, page = WITH_IMAGE) {
  const app = await startApp({ routes: { '/': page, '/cover.png': image, '/icon.png': image } })
  app.seen.state = state
  const fetchImage = (embed: Record<string, string>) => app.fetchPage({ screenshot: 'true', ...embed })
  const coverRequests = () => app.site.requests.filter((request) => request === 'GET /cover.png').length
  return { ...app, fetchImage, coverRequests }
}

describe.each(STATES)('the embedded screenshot of a page that shows %s', (state) => {
  it('is the image of the page, marked as such, for the time of the pause', async () => {
    const { fetchImage, coverRequests } = await start(state)
    for (const embed of EMBEDS) {
      const response = await fetchImage(embed)
      expect(response.status).toBe(200)
      expect(Buffer.from(await response.arrayBuffer()).equals(cover)).toBe(true)
      const headers = Object.fromEntries(response.headers)
      expect(headers).toMatchObject({
        'content-type': 'image/png',
        'x-image-source': 'image',
        'x-image-width': '200',
        'x-image-height': '100',
        'cache-control': 'public, max-age=600',
        'x-cache-ttl': String(10 * MINUTE),
      })
      expect(headers['access-control-expose-headers']).toContain('x-image-source')
    }
    // Once by the ping and once for the embeds.
    expect(coverRequests()).toBe(2)
  })

  it('is the earlier one, if there is one', async () => {
    const { seen, time, fetchImage, readPage } = await start(undefined)
    const first = await fetchImage({ embed: 'screenshot.url' })
    seen.state = state
    time.now += 2 * MINUTE
    const kept = await fetchImage({ embed: 'screenshot.url', ttl: '1m', staleTtl: 'false' })
    expect(kept.headers.get('etag')).toBe(first.headers.get('etag'))
    expect(kept.headers.get('x-cache-status')).toBe('STALE')
    expect(kept.headers.has('x-image-source')).toBe(false)
    expect((await readPage({ screenshot: 'true' })).data.screenshot!.url).toContain('/images/')
  })

  it.each([
    ['it has no image', WITHOUT_IMAGE],
    ['its image is not there', '<meta property="og:image" content="/missing.png">'],
  ])('is ENOEMBED with the reason if %s', async (_, page) => {
    const { fetchImage } = await start(state, page)
    for (const ping of ['true', 'false']) {
      const response = await fetchImage({ embed: 'screenshot.url', ping })
      expect([response.status, await response.json()]).toMatchObject([
        404,
        { status: 'fail', code: 'ENOEMBED', data: { embed: expect.stringMatching(`^${state}: the page shows`) } },
      ])
    }
  })

  it('is the image or the logo in the HTML card, without a word of failure', async () => {
    const { fetchPage, site } = await start(state)
    const card = await (await fetchPage({ screenshot: 'true', embed: 'html' })).text()
    const article = card.slice(card.indexOf('<article'))
    expect(article).toContain(`<img class="pp-image" src="${site.url}/cover.png"`)
    expect(article).not.toMatch(/bot|blank|error|consent|login|fail/i)
    site.routes['/'] = WITH_LOGO
    const withLogo = await (await fetchPage({ screenshot: 'true', embed: 'html', force: 'true' })).text()
    expect(withLogo).toContain(`<span class="pp-fallback" aria-hidden="true"><img src="${site.url}/icon.png"`)
  })

  it('is the image or the logo in oEmbed', async () => {
    const { app, site } = await start(state)
    const oembed = async (parameters = {}) => {
      const search = new URLSearchParams({ url: `${site.url}/`, ...parameters })
      return (await (await app.fetch(new Request(`http://previews.test/oembed?${search}`))).json()) as object
    }
    expect(await oembed()).toMatchObject({ type: 'photo', url: `${site.url}/cover.png`, width: 200, height: 100 })
    expect(await oembed({ maxwidth: '50' })).toMatchObject({ width: 50, height: 25, cache_age: 600 })
  })
})

it('oEmbed shows the logo of a page without an image, and names the state if there is neither', async () => {
  const oembed = async (page: string) => {
    const { app, site } = await start('blank', page)
    const search = new URLSearchParams({ url: `${site.url}/` })
    return (await app.fetch(new Request(`http://previews.test/oembed?${search}`))).json()
  }
  expect(await oembed(WITH_LOGO)).toMatchObject({ type: 'photo', url: expect.stringMatching(/icon\.png$/) })
  expect(await oembed(WITHOUT_IMAGE)).toMatchObject({
    code: 'ENOEMBED',
    data: { url: expect.stringMatching(/^blank: /) },
  })
})

it('a field of a missing screenshot is ENOEMBED with the state', async () => {
  const { fetchPage } = await start('login')
  const body = await (await fetchPage({ screenshot: 'true', embed: 'screenshot.width' })).json()
  expect(body).toMatchObject({ code: 'ENOEMBED', data: { embed: expect.stringMatching(/^login: /) } })
})
