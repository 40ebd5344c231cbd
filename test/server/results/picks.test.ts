// Covers title.pick and image.pick from the request to the stored result, and the candidates that they name.
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import type { Route } from '../../local-site.js'
import { candidateId } from '../../../src/server/explainer.js'
import { startApp } from './start-app.js'

const MINUTE_MS = 60_000
const imageOf = async (width: number, height: number): Promise<Route> => {
  const png = await sharp({ create: { width, height, channels: 3, background: 'teal' } })
    .png()
    .toBuffer()
  return (_, response) => void response.writeHead(200, { 'content-type': 'image/png' }).end(png)
}
const [cover, other, tiny] = await Promise.all([imageOf(600, 400), imageOf(300, 200), imageOf(8, 8)])

const HEAD =
  '<title>The harbour at dawn</title><meta property="og:title" content="Dawn"><meta property="og:image" content="/cover.png">'
const PAGE = `${HEAD}<meta property="og:image" content="/other.png"><meta property="og:image" content="/tiny.png">
  <meta property="og:image" content="/gone.png"><h1>Harbour, 5 a.m.</h1>`

const start = () => startApp({ routes: { '/': PAGE, '/cover.png': cover, '/other.png': other, '/tiny.png': tiny } })
const HEADING = candidateId('Harbour, 5 a.m.')

describe('the candidates', () => {
  it('are listed with their sources, scores and sizes, and which of them the result has', async () => {
    const app = await start()
    const { candidates, data } = await app.readPage({ candidates: 'true' })
    expect(candidates!.title.map(({ value, source }) => [value, source])).toEqual([
      ['Dawn', 'meta og:title'],
      ['The harbour at dawn', 'title'],
      ['Harbour, 5 a.m.', 'heading'],
    ])
    expect(candidates!.title.map(({ id }) => id)).toContain(HEADING)
    expect(
      candidates!.image.map(({ value, isSelected, width, problem }) => [value, isSelected, width, problem]),
    ).toEqual([
      [`${app.site.url}/cover.png`, true, 600, undefined],
      [`${app.site.url}/other.png`, false, 300, undefined],
      [`${app.site.url}/tiny.png`, false, 8, 'is too small, with 8 × 8 pixels'],
      [`${app.site.url}/gone.png`, false, undefined, 'responded with status 404'],
    ])
    expect(data.image!.url).toBe(`${app.site.url}/cover.png`)
  })

  it('are not in a result that was requested without them, and are not requested for it', async () => {
    const app = await start()
    expect(Object.keys(await app.readPage())).not.toContain('candidates')
    expect(app.site.requests.filter((request) => request.endsWith('.png'))).toEqual(['GET /cover.png'])
  })

  it('are only those of the requested fields', async () => {
    const app = await start()
    const { candidates } = await app.readPage({ candidates: 'true', 'meta.title': 'true' })
    expect(candidates).toMatchObject({ title: [{}, {}, {}], description: [], image: [] })
    expect(app.site.requests).toEqual(['GET /'])
  })

  it('do not make a result provisional, whatever becomes of the images that it does not have', async () => {
    const app = await start()
    app.site.routes['/other.png'] = (_, response) => void response.writeHead(503).end()
    const { ttl, candidates, ...page } = await app.readPage({ candidates: 'true' })
    expect(candidates!.image[1]!.problem).toBe(`could not be checked, because its host responded with status 503`)
    expect(page).not.toHaveProperty('warnings')
    expect(ttl).toBeGreaterThan(60 * MINUTE_MS)
  })
})

describe('a pick', () => {
  it('selects its candidate, and the image with its own size', async () => {
    const app = await start()
    const url = `${app.site.url}/other.png`
    const page = await app.readPage({ 'title.pick': HEADING, 'image.pick': candidateId(url) })
    expect(page).toMatchObject({ data: { title: 'Harbour, 5 a.m.', image: { url, width: 300 } } })
    expect(page).not.toHaveProperty('warnings')
  })

  it('is delivered as the embedded image, too', async () => {
    const app = await start()
    const pick = candidateId(`${app.site.url}/other.png`)
    const response = await app.fetchPage({ embed: 'image.url', 'image.pick': pick })
    expect(response.headers.get('x-image-width')).toBe('300')
  })

  it('stays when the result is revalidated, and when the page has better candidates by then', async () => {
    const app = await start()
    const pick = { 'title.pick': HEADING, staleTtl: '1m' }
    await app.readPage(pick)
    app.site.routes['/'] = PAGE.replace('Dawn', 'A better title')
    app.time.now += 2 * MINUTE_MS
    expect(await app.readPage(pick)).toMatchObject({ cache: 'STALE', data: { title: 'Harbour, 5 a.m.' } })
    await expect.poll(() => app.site.requests.filter((request) => request === 'GET /').length).toBe(2)
    await expect.poll(async () => (await app.readPage(pick)).cache).toBe('HIT')
    expect((await app.readPage(pick)).data.title).toBe('Harbour, 5 a.m.')
    expect((await app.readPage()).data.title).toBe('A better title')
  })

  it('stays when the service is restarted, without another request to the page', async () => {
    const app = await start()
    await app.readPage({ 'title.pick': HEADING })
    const requests = app.site.requests.length
    const again = await startApp({ routes: {}, restarted: app })
    expect(await again.readPage({ 'title.pick': HEADING })).toMatchObject({
      cache: 'HIT',
      data: { title: 'Harbour, 5 a.m.' },
    })
    expect(app.site.requests).toHaveLength(requests)
  })

  it('that is gone is replaced by the best candidate, with a warning', async () => {
    const app = await start()
    const image = candidateId(`${app.site.url}/other.png`)
    const pick = { 'title.pick': HEADING, 'image.pick': image, ttl: '1m' }
    await app.readPage(pick)
    app.site.routes['/'] = HEAD
    app.time.now += 2 * MINUTE_MS
    expect(await app.readPage(pick)).toMatchObject({
      cache: 'MISS',
      data: { title: 'Dawn', image: { url: `${app.site.url}/cover.png` } },
      warnings: [
        `title.pick: the title with the id ${HEADING} is not on the page; the result has the best title instead.`,
        `image.pick: the image with the id ${image} is not on the page; the result has the best image instead.`,
      ],
    })
  })

  it.each([
    ['is missing', '/gone.png', 'responded with status 404'],
    ['is too small', '/tiny.png', 'is too small, with 8 × 8 pixels'],
  ])('of an image that %s is replaced, with the reason', async (_, path, reason) => {
    const app = await start()
    const pick = candidateId(app.site.url + path)
    const { data, warnings } = await app.readPage({ 'image.pick': pick })
    expect(data.image!.url).toBe(`${app.site.url}/cover.png`)
    expect(warnings).toEqual([
      `image.pick: the image with the id ${pick} ${reason}; the result has the best image instead.`,
    ])
  })

  it('of an image whose server is busy does not lose it to another one for long', async () => {
    const app = await start()
    const pick = candidateId(`${app.site.url}/other.png`)
    app.site.routes['/other.png'] = (_, response) => void response.writeHead(503).end()
    const { ttl, data } = await app.readPage({ 'image.pick': pick })
    expect([data.image!.url, ttl]).toEqual([`${app.site.url}/cover.png`, MINUTE_MS])
    app.site.routes['/other.png'] = other
    app.time.now += ttl
    expect((await app.readPage({ 'image.pick': pick })).data.image!.url).toBe(`${app.site.url}/other.png`)
  })

  it('cannot reach an address that the guard forbids', async () => {
    const app = await startApp({
      routes: { '/': `${HEAD}<meta property="og:image" content="http://10.0.0.1/secret.png">`, '/cover.png': cover },
    })
    const pick = candidateId('http://10.0.0.1/secret.png')
    const { data, warnings } = await app.readPage({ 'image.pick': pick })
    expect(data.image!.url).toBe(`${app.site.url}/cover.png`)
    expect(warnings).toEqual([
      `image.pick: the image with the id ${pick} is not publicly reachable; the result has the best image instead.`,
    ])
  })
})
