import { imageSize } from 'image-size'
import { describe, expect, it } from 'vitest'
import { createBatchFetch } from '../../src/client/batch-fetch.js'
import { createClient } from '../../src/client/index.js'
import { PageError, requestUrl, type PageQuery } from '../../src/query/index.js'
import { createFakeService, type FakePages, type FakeServiceOptions } from '../../src/testing/index.js'

const A = 'https://a.example/tides'

/** A client of a fake service, which does not repeat failed requests. */
function fakeClient(pages?: FakePages, options?: FakeServiceOptions) {
  const service = createFakeService(pages, options)
  const client = createClient({ fetch: service, retry: 0 })
  const embed = (query: PageQuery) => service(requestUrl({ embed: 'screenshot.url', ...query }))
  return { service, client, embed }
}

describe('a page', () => {
  it('needs nothing but a title', async () => {
    const { client } = fakeClient({ 'https://a.example/tides': { title: 'Tides' } })
    const { data, statusCode, cache, rateLimit, warnings } = await client.page({ url: A })
    expect(data).toEqual({
      title: 'Tides',
      description: null,
      lang: null,
      author: null,
      publisher: null,
      date: null,
      url: A,
      image: null,
      logo: null,
      audio: null,
      video: null,
    })
    expect({ statusCode, rateLimit, warnings }).toEqual({ statusCode: 200, rateLimit: undefined, warnings: undefined })
    expect(cache).toMatchObject({ status: 'HIT', ageMs: 0, ttlMs: 86_400_000 })
  })

  it('needs nothing at all, and then has the name of its host', async () => {
    expect((await fakeClient().client.page({ url: A })).data.title).toBe('a.example')
  })

  it('is the same for every spelling of its URL', async () => {
    const { client } = fakeClient({ 'a.example': { title: 'Home' } })
    for (const url of ['https://a.example', 'https://A.example/', 'https://a.example/#news'])
      expect((await client.page({ url })).data.title).toBe('Home')
  })

  it('has what comes with its data', async () => {
    const rateLimit = { limit: 250, remaining: 3, reset: 1_800_000_000 }
    const { client } = fakeClient({ '*': { statusCode: 404, warnings: ['Old.'], rateLimit } })
    expect(await client.page({ url: A })).toMatchObject({ statusCode: 404, warnings: ['Old.'], rateLimit })
  })

  it('has a screenshot if one is requested', async () => {
    const { client } = fakeClient()
    const { screenshot } = (await client.page({ url: A, screenshot: true })).data
    expect(screenshot).toMatchObject({ width: 2560, height: 1600, background_color: expect.stringMatching(/^#/) })
    expect(drawnSize(screenshot!.url)).toMatchObject({ width: 2560, height: 1600 })
    expect((await client.page({ url: A })).data).not.toHaveProperty('screenshot')
  })

  it.each([
    [{ screenshot: { width: 720, height: 224 } }, { width: 720, height: 224 }],
    [{ screenshot: { url: 'https://a.example/1.png' } }, { url: 'https://a.example/1.png', width: 2560 }],
    [{ screenshot: null }, null],
    [{ state: 'login' }, null],
  ] as const)('has the screenshot of %j', async (page, expected) => {
    const { screenshot } = (await fakeClient({ '*': page }).client.page({ url: A, element: '#a' })).data
    if (expected) expect(screenshot).toMatchObject(expected)
    else expect(screenshot).toBeNull()
  })

  it('has the history that it says', async () => {
    const screenshot = { url: 'https://a.example/1.png', width: 2560, height: 1600 }
    const since = '2026-05-01T08:00:00.000Z'
    const area = { x: 0, y: 0, width: 1280, height: 800 }
    const version = { since, until: since, title: 'Tides', screenshot, area, changes: [] }
    const history = { versions: [version], ignored: ['#clock'] }
    const { client } = fakeClient({ '*': { history } })
    expect((await client.page({ url: A, history: 3 })).data).toMatchObject({ history, screenshot: { width: 2560 } })
  })

  it('has an image and an icon of its own where it says so', async () => {
    const { client } = fakeClient({ '*': { image: true, logo: { width: 32, height: 32 } } })
    const { image, logo } = (await client.page({ url: A })).data
    expect(drawnSize(image!.url)).toMatchObject({ width: 1200, height: 630 })
    expect(drawnSize(logo!.url)).toMatchObject({ width: 32, height: 32 })
  })
})

it('responds to each page of an app that requests them in lists', async () => {
  const { service } = fakeClient({ [A]: { title: 'Tides' }, '*': { title: 'Any' } })
  const client = createClient({ fetch: createBatchFetch({ fetch: service }), retry: 0 })
  const results = await Promise.all([client.page({ url: A }), client.page({ url: 'https://b.example' })])
  expect(results.map(({ data }) => data.title)).toEqual(['Tides', 'Any'])
})

describe('a failure', () => {
  it('is a code, with its sentence', async () => {
    const { client } = fakeClient({ [A]: 'EUNREACHABLE' })
    await expect(client.page({ url: A })).rejects.toMatchObject({
      code: 'EUNREACHABLE',
      status: 502,
      message: expect.stringContaining('could not be reached'),
    })
  })

  it('is a PageError with all its details', async () => {
    const error = new PageError('ERATE', 'Enough.', { data: { url: 'is popular' }, retryAfterMs: 2_000 })
    const { client } = fakeClient({ [A]: error })
    await expect(client.page({ url: A })).rejects.toMatchObject({
      code: 'ERATE',
      message: 'Enough.',
      status: 429,
      data: { url: 'is popular' },
      retryAfterMs: 2_000,
    })
  })

  it('is no response at all', async () => {
    const { client } = fakeClient({ [A]: 'EFATALCLIENT', 'https://b.example': new TypeError('No network') })
    await expect(client.page({ url: A })).rejects.toMatchObject({ code: 'EFATALCLIENT', status: 0 })
    const cause = new TypeError('No network')
    await expect(client.page({ url: 'https://b.example' })).rejects.toMatchObject({ code: 'EFATALCLIENT', cause })
  })

  it('is any other response, for every request', async () => {
    const { client } = fakeClient({ [A]: new Response('<!doctype html>', { status: 404 }) })
    for (const attempt of [1, 2])
      await expect(client.page({ url: A }), `${attempt}`).rejects.toMatchObject({ code: 'EFATALCLIENT', status: 404 })
  })

  it('is also sent below a path like that of lists, which there are none of', async () => {
    const fetch = createFakeService({ [A]: {} })
    const endpoint = 'https://previews.test/api/previews'
    expect(await createClient({ endpoint, fetch }).page({ url: A })).toMatchObject({ status: 'success' })
    const lists = createBatchFetch({ fetch })
    const both = await Promise.all([1, 2].map(() => createClient({ endpoint, fetch: lists }).page({ url: A })))
    expect(both).toMatchObject([{ status: 'success' }, { status: 'success' }])
  })

  it('names the known pages for a page without a response', async () => {
    const { client } = fakeClient({ [A]: {}, 'https://b.example': {} })
    await expect(client.page({ url: 'https://c.example' })).rejects.toMatchObject({
      code: 'ENOTFOUND',
      message:
        'The fake service has no response for https://c.example, only for https://a.example/tides, https://b.example/. ' +
        "Add it to the pages of createFakeService, or '*' for any other page.",
    })
  })

  it('is that of the service for an invalid query', async () => {
    const response = await createFakeService()('/page-preview?url=https://a.example&ttl=5')
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({
      status: 'fail',
      code: 'EINVALTTL',
      data: { ttl: expect.any(String) },
    })
  })
})

describe('a delay', () => {
  it('is a number of milliseconds, alone or of a page', async () => {
    const { client } = fakeClient({ [A]: 1, 'https://b.example': { title: 'B', delayMs: 1 } })
    expect((await client.page({ url: A })).data.title).toBe('a.example')
    expect((await client.page({ url: 'https://b.example' })).data.title).toBe('B')
  })

  it('is a promise of a page or an error', async () => {
    const { client } = fakeClient({
      [A]: Promise.resolve({ title: 'A' }),
      'https://b.example': Promise.resolve('EBUSY' as const),
      'https://c.example': Promise.resolve(),
    })
    expect((await client.page({ url: A })).data.title).toBe('A')
    await expect(client.page({ url: 'https://b.example' })).rejects.toMatchObject({ code: 'EBUSY' })
    expect((await client.page({ url: 'https://c.example' })).data.title).toBe('c.example')
  })

  it('ends with the request', async () => {
    const { client, service } = fakeClient({ '*': new Promise<never>(() => {}) })
    const controller = new AbortController()
    const page = client.page({ url: A }, { signal: controller.signal })
    controller.abort()
    await expect(page).rejects.toMatchObject({ code: 'EABORTED' })
    expect(service.requests[0]!.signal!.aborted).toBe(true)
  })
})

describe('several responses', () => {
  it('are sent in turn, the last one from then on', async () => {
    const { client } = fakeClient({ [A]: [{ title: 'Old', cache: { status: 'STALE' } }, 'ERATE', { title: 'New' }] })
    const old = await client.page({ url: A })
    expect(old).toMatchObject({ data: { title: 'Old' }, cache: { status: 'STALE', ageMs: 90_000_000 } })
    await expect(client.page({ url: A })).rejects.toMatchObject({ code: 'ERATE' })
    const results = [await client.page({ url: A }), await client.page({ url: A })]
    expect(results.map(({ data }) => data.title)).toEqual(['New', 'New'])
    expect(results[0]!.cache.timestamp).toBeGreaterThan(old.cache.timestamp!)
    expect(results[1]!.cache.timestamp).toBe(results[0]!.cache.timestamp)
  })

  it('depend on the request, as a function', async () => {
    const { client } = fakeClient({ '*': ({ query }) => ({ title: `${query.device}` }) })
    expect((await client.page({ url: A, device: 'iPhone 15' })).data.title).toBe('iPhone 15')
  })

  it('can be replaced by newer ones', async () => {
    const { client, service } = fakeClient({ [A]: { title: 'Old' } })
    const old = await client.page({ url: A })
    service.set(A, { title: 'New' })
    const result = await client.page({ url: A })
    expect(result.data.title).toBe('New')
    expect(result.cache.timestamp).toBeGreaterThan(old.cache.timestamp!)
  })
})

describe('an embed', () => {
  it('is an image with its dimensions', async () => {
    const response = await fakeClient().embed({ url: A })
    expect(response.headers.get('content-type')).toBe('image/svg+xml')
    expect(response.headers.get('x-image-width')).toBe('2560')
    expect(imageSize(new Uint8Array(await response.arrayBuffer()))).toMatchObject({ width: 2560, height: 1600 })
  })

  it('is delivered as a smaller variant', async () => {
    const response = await fakeClient().embed({ url: A, variant: { width: 640 } })
    expect(imageSize(new Uint8Array(await response.arrayBuffer()))).toMatchObject({ width: 640, height: 400 })
  })

  it('belongs to the last result', async () => {
    const { client, embed } = fakeClient({
      [A]: [
        { title: 'Old', screenshot: { width: 10, height: 10 } },
        { title: 'New', screenshot: { width: 20, height: 20 } },
      ],
    })
    const width = async () => (await embed({ url: A })).headers.get('x-image-width')
    expect(await width()).toBe('10')
    await client.page({ url: A, screenshot: true })
    expect(await width()).toBe('10')
    await client.page({ url: A, screenshot: true })
    expect(await width()).toBe('20')
  })

  it('is text, JSON, a card or an error', async () => {
    const { embed } = fakeClient({ '*': { title: 'Tides', image: true } })
    expect(await (await embed({ url: A, embed: 'title' })).text()).toBe('Tides')
    expect(await (await embed({ url: A, embed: 'image.width' })).json()).toBe(1200)
    expect(await (await embed({ url: A, embed: 'html' })).text()).toContain(`href="${A}"`)
    expect(await (await embed({ url: A, embed: 'video.url' })).json()).toMatchObject({ code: 'ENOEMBED' })
  })
})

describe('images', () => {
  it('are at the service where its requests reach them', async () => {
    const { client, service } = fakeClient({}, { images: 'served' })
    service.set('*', { image: true })
    const { screenshot, image } = (await client.page({ url: A, screenshot: true })).data
    expect(screenshot!.url).toMatch(/^http:\/\/localhost\/page-preview\/images\/[\da-f]{64}\.png$/)
    expect(image!.url).not.toBe(screenshot!.url)
    const response = await service(`${screenshot!.url}?w=320&type=webp`)
    expect(imageSize(new Uint8Array(await response.arrayBuffer()))).toMatchObject({ width: 320, height: 200 })
  })

  it('of different results differ', async () => {
    const { client } = fakeClient({ [A]: [{ title: 'Old' }, { title: 'New' }] })
    const urls = [1, 2].map(async () => (await client.page({ url: A, screenshot: true })).data.screenshot!.url)
    expect(new Set(await Promise.all(urls)).size).toBe(2)
  })
})

it('reports the requests for results', async () => {
  const service = createFakeService()
  await service(`https://service.test/?url=${A}&ttl=1h`, { headers: { 'x-api-key': 'pp_1_2' } })
  await service(new Request(`https://service.test/?url=${A}`))
  const [first, second] = service.requests
  expect(first).toMatchObject({ query: { url: A, ttl: 3_600_000 }, headers: { 'x-api-key': 'pp_1_2' } })
  expect(first!.url.host).toBe('service.test')
  expect(second!.query).toEqual({ url: A })
})

/** The dimensions of a data URL. */
function drawnSize(url: string) {
  return imageSize(new TextEncoder().encode(decodeURIComponent(url.slice(url.indexOf(',') + 1))))
}
