// Covers results with an image that its server did not deliver when the page was read.
import sharp from 'sharp'
import { expect, it } from 'vitest'
import type { Route } from '../../local-site.js'
import { startApp } from './start-app.js'

const MINUTE_MS = 60_000
const PNG = await sharp({ create: { width: 300, height: 200, channels: 3, background: 'teal' } })
  .png()
  .toBuffer()
const image: Route = (_, response) => void response.writeHead(200, { 'content-type': 'image/png' }).end(PNG)
const busy =
  (statusCode: number): Route =>
  (_, response) =>
    void response.writeHead(statusCode).end()

const start = (route: Route) =>
  startApp({
    routes: {
      '/': '<title>Story</title><meta property="og:image" content="/cover.png"><h1>Story</h1>',
      '/cover.png': route,
    },
  })

it.each([429, 500, 502, 503, 504])(
  'an image with status %i is kept for a minute, then the page is read again',
  async (status) => {
    const app = await start(busy(status))
    const first = await app.readPage()
    expect(first).toMatchObject({ cache: 'MISS', data: { image: { url: `${app.site.url}/cover.png`, width: null } } })
    expect(first.warnings).toEqual([expect.stringContaining('could not be verified')])
    expect(first.ttl).toBeLessThanOrEqual(MINUTE_MS)

    app.site.routes['/cover.png'] = image
    app.time.now += MINUTE_MS / 2
    expect((await app.readPage()).cache).toBe('HIT')
    app.time.now += MINUTE_MS
    const second = await app.readPage()
    expect(second).toMatchObject({ cache: 'MISS', data: { image: { width: 300, height: 200 } } })
    expect(second).not.toHaveProperty('warnings')
    app.time.now += 60 * MINUTE_MS
    expect((await app.readPage()).cache).toBe('HIT')
  },
)

it('a page whose image never comes is read less and less often', async () => {
  const app = await start(busy(503))
  const delays: number[] = []
  for (let attempt = 0; attempt < 8; attempt++) {
    const { ttl, cache } = await app.readPage()
    expect(cache).toBe('MISS')
    delays.push(ttl / MINUTE_MS)
    app.time.now += ttl
  }
  expect(delays).toEqual([1, 2, 4, 8, 16, 32, 60, 60])
})

it('a page that does not show its content, and has an image that never comes, has a delay of its own for each', async () => {
  const app = await start(busy(503))
  const parameters = { screenshot: 'true' }
  const delays: number[] = []
  const readTwice = async () => {
    for (let attempt = 0; attempt < 2; attempt++) {
      const { warnings } = await app.readPage(parameters)
      const retryAt = /opened again after (\S+)\.$/.exec(warnings!.at(-1)!)?.[1]
      const { ttl } = await app.readPage(parameters)
      const delay = retryAt ? Date.parse(retryAt) - app.time.now : ttl
      delays.push(delay / MINUTE_MS)
      app.time.now += delay
    }
  }
  await readTwice()
  app.seen.state = 'blank'
  await readTwice()
  app.seen.state = undefined
  await readTwice()
  app.seen.state = 'login'
  await readTwice()
  expect(delays).toEqual([1, 2, 10, 20, 1, 2, 10, 20])
})

it.each([404, 410, 403])('an image with status %i is none, and the result lives as long as any', async (status) => {
  const app = await start(busy(status))
  expect(await app.readPage()).toMatchObject({ data: { image: null } })
  app.time.now += 60 * MINUTE_MS
  expect((await app.readPage()).cache).toBe('HIT')
})

it('a result whose image was verified stays when a later one could not be', async () => {
  const app = await start(image)
  const parameters = { staleTtl: '1m' }
  await app.readPage(parameters)
  app.site.routes['/cover.png'] = busy(503)
  app.time.now += 2 * MINUTE_MS
  expect((await app.readPage(parameters)).cache).toBe('STALE')
  await expect.poll(async () => (await app.readPage(parameters)).warnings?.join()).toContain('could not be verified')
  expect((await app.readPage(parameters)).data.image).toMatchObject({ width: 300 })
})
