import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import sharp from 'sharp'
import type { PageResponse } from '../../src/query/index.js'
import { createService, type Service, type ServiceOptions } from '../../src/server/index.js'
import { localSite, redirectTo, type LocalSite } from '../local-site.js'

const page = (title: string, body = '') => `<!doctype html><html lang="en"><head><title>${title}</title>
  <meta name="description" content="About ${title}"></head>
  <body style="margin:0;background:#0a0a0a">${body}</body></html>`
const hero = '<div id="hero" style="width:300px;height:150px;background:#c00"></div>'

let site: LocalSite
let canary: LocalSite
let now = Date.parse('2026-01-31T12:00:00Z')
let service: Service

const options = (): ServiceOptions => ({ allowTargets: [site.host], clock: () => now, warm: true })
const ask = (words: Record<string, string>, { of = service, ...init }: RequestInit & { of?: Service } = {}) =>
  of.fetch(new Request(`http://previews.test/?${new URLSearchParams(words)}`, init))
const askJson = async (words: Record<string, string>) => (await (await ask(words)).json()) as PageResponse

beforeAll(async () => {
  canary = await localSite({ '/': 'reached' })
  site = await localSite({
    '/': page('Landing', hero),
    '/fifty': page('Fifty', hero),
    '/changing': page('Old', hero),
    '/private': redirectTo('http://10.0.0.1/'),
    '/traps': page(
      'Traps',
      `<img src="${canary.url}/image"><iframe src="${canary.url}/frame"></iframe>
       <script>new WebSocket('${canary.url.replace('http', 'ws')}/socket'); fetch('${canary.url}/fetch').catch(() => 0)</script>`,
    ),
    '/missing': (_, response) => void response.writeHead(404, { 'content-type': 'text/html' }).end(page('Not here')),
    '/hang': () => undefined,
    '/reset': (request) => void request.socket.destroy(),
  })
  service = createService(options())
  await service.ready()
})

afterAll(async () => {
  await service.close()
  await Promise.all([site.close(), canary.close()])
})

describe('an answer', () => {
  it('is the envelope with metadata and a real screenshot, whose pixels are those of the picture', async () => {
    const response = await ask({ url: `${site.url}/`, screenshot: 'true', element: '#hero' })
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8')
    const { status, data, statusCode, headers, redirects } = (await response.json()) as PageResponse
    expect({ status, statusCode, redirects }).toEqual({ status: 'success', statusCode: 200, redirects: [] })
    expect(headers['content-type']).toContain('text/html')
    expect(data).toMatchObject({ title: 'Landing', description: 'About Landing', lang: 'en', audio: null, video: null })
    expect(data.screenshot).toMatchObject({
      width: 600,
      height: 300,
      type: 'jpg',
      size_pretty: expect.stringMatching(/k?B$/),
    })
    expect(data.screenshot!.url).toMatch(/^http:\/\/previews\.test\/images\/[a-f\d]{64}\.jpg$/)
    expect(data.screenshot!.background_color).toMatch(/^#[a-f\d]{6}$/)

    const image = await service.fetch(new Request(data.screenshot!.url))
    const bytes = Buffer.from(await image.arrayBuffer())
    expect(await sharp(bytes).metadata()).toMatchObject({ width: 600, height: 300, format: 'jpeg' })
    expect(bytes.byteLength).toBe(data.screenshot!.size)
    expect(Object.fromEntries(image.headers)).toMatchObject({
      'content-type': 'image/jpeg',
      'cache-control': 'public, max-age=31536000, immutable',
      'cross-origin-resource-policy': 'cross-origin',
      'timing-allow-origin': '*',
    })
  })

  it('carries every header that the contract names, readable from another origin', async () => {
    const { headers } = await ask({ url: `${site.url}/?headers` })
    const names = [
      'x-cache-status',
      'x-timestamp',
      'x-cache-ttl',
      'age',
      'cache-status',
      'etag',
      'cache-control',
      'x-request-id',
    ]
    const more = [
      'x-response-time',
      'x-fetch-mode',
      'x-pricing-plan',
      'server-timing',
      'x-rate-limit-limit',
      'x-rate-limit-remaining',
    ]
    const exposed = headers.get('access-control-expose-headers')!
    for (const name of [...names, ...more, 'x-rate-limit-reset', 'ratelimit', 'ratelimit-policy']) {
      expect(headers.has(name), name).toBe(true)
      expect(exposed.split(', '), name).toContain(name)
    }
    expect(headers.get('access-control-allow-origin')).toBe('*')
    expect(headers.get('x-cache-ttl')).toBe('86400000')
    expect(headers.get('x-pricing-plan')).toBe('free')
  })

  it('is made once, then a hit until its ttl is over, for each request by its own ttl', async () => {
    const words = { url: `${site.url}/?ttl` }
    const status = async (more = {}) => (await ask({ ...words, ...more })).headers.get('x-cache-status')
    expect(await status()).toBe('MISS')
    expect(await status()).toBe('HIT')
    now += 2 * 3_600_000
    expect(await status({ ttl: '3h' })).toBe('HIT')
    expect(await status({ ttl: '1h' })).toBe('MISS')
    expect(await status({ force: 'true' })).toBe('BYPASS')
  })

  it('says 304 to whoever has it already', async () => {
    const first = await ask({ url: `${site.url}/?etag` })
    const etag = first.headers.get('etag')!
    const again = await ask({ url: `${site.url}/?etag` }, { headers: { 'if-none-match': etag } })
    expect([again.status, await again.text(), again.headers.get('etag')]).toEqual([304, '', etag])
  })

  it('of a page that says 404 is a success with that status', async () => {
    expect(await askJson({ url: `${site.url}/missing` })).toMatchObject({
      status: 'success',
      statusCode: 404,
      data: { title: 'Not here' },
    })
  })

  it('names unknown words in warnings, and keeps only what filter asks for', async () => {
    const { data, warnings } = await askJson({
      url: `${site.url}/`,
      colour: 'red',
      filter: 'title,screenshot.width',
      screenshot: 'true',
    })
    expect(data).toEqual({ title: 'Landing', screenshot: { width: 2560 } })
    expect(warnings).toEqual([expect.stringContaining('"colour"')])
  })

  it('can be asked for with HEAD, and from any origin with OPTIONS', async () => {
    const head = await ask({ url: `${site.url}/` }, { method: 'HEAD' })
    expect([head.status, await head.text()]).toEqual([200, ''])
    const options = await ask({}, { method: 'OPTIONS' })
    expect([options.status, options.headers.get('access-control-allow-headers')]).toEqual([204, 'x-api-key'])
  })
})

describe('embed', () => {
  it('gives the bytes of the screenshot, with their own facts, and 304 when asked again', async () => {
    const words = { url: `${site.url}/`, element: '#hero', embed: 'screenshot.url' }
    const response = await ask(words)
    const bytes = Buffer.from(await response.arrayBuffer())
    expect(await sharp(bytes).metadata()).toMatchObject({ width: 600, height: 300 })
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'image/jpeg',
      'content-disposition': 'inline',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "sandbox; default-src 'none'",
      'x-image-width': '600',
      'x-image-height': '300',
      'x-image-size': String(bytes.byteLength),
      'x-cache-status': 'HIT',
      'x-cache-ttl': '2678400000',
      'cache-control': 'public, max-age=86400, stale-while-revalidate=2592000, stale-if-error=2592000',
    })
    const again = await ask(words, { headers: { 'if-none-match': response.headers.get('etag')! } })
    expect(again.status).toBe(304)
  })

  it.each(['true', 'screenshot', 'screenshot.url'])('%s means the screenshot', async (embed) => {
    const response = await ask({ url: `${site.url}/`, element: '#hero', embed })
    expect(response.headers.get('content-type')).toBe('image/jpeg')
  })

  it('gives a text field as text, and ENOEMBED for what is not there', async () => {
    const title = await ask({ url: `${site.url}/`, embed: 'title' })
    expect([title.headers.get('content-type'), await title.text()]).toEqual(['text/plain; charset=utf-8', 'Landing'])
    const nothing = await ask({ url: `${site.url}/`, embed: 'screenshot.url' })
    expect([nothing.status, await nothing.json()]).toMatchObject([404, { status: 'fail', code: 'ENOEMBED' }])
  })
})

describe('one capture per key', () => {
  it('for 50 requests at once', async () => {
    const before = service.captures()
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => askJson({ url: `${site.url}/fifty`, screenshot: 'true' })),
    )
    expect(new Set(answers.map(({ data }) => data.screenshot!.url)).size).toBe(1)
    expect(service.captures() - before).toBe(1)
  })

  it('for JSON and embed together', async () => {
    const before = service.captures()
    const url = `${site.url}/fifty?both`
    await Promise.all([ask({ url, screenshot: 'true' }), ask({ url, screenshot: 'true', embed: 'screenshot.url' })])
    expect(service.captures() - before).toBe(1)
  })
})

describe('a stale answer', () => {
  it('is given at once and renewed in the background; the next request gets the new one', async () => {
    const words = { url: `${site.url}/changing`, staleTtl: '0' }
    await ask(words)
    site.routes['/changing'] = page('New', hero)
    now += 1_000
    const stale = await ask(words)
    expect(stale.headers.get('x-cache-status')).toBe('STALE')
    expect(((await stale.json()) as PageResponse).data.title).toBe('Old')
    await expect.poll(async () => (await askJson(words)).data.title).toBe('New')
  })

  it('is not replaced by an error', async () => {
    site.routes['/failing'] = page('Good')
    const words = { url: `${site.url}/failing`, staleTtl: '1m' }
    await ask(words)
    site.routes['/failing'] = (_, response) => void response.writeHead(500).end(page('Broken'))
    now += 120_000
    expect((await ask(words)).headers.get('x-cache-status')).toBe('STALE')
    await expect.poll(async () => (await askJson(words)).warnings?.join()).toContain('revalidation failed')
    expect((await askJson(words)).data.title).toBe('Good')
  })
})

describe('what cannot be answered', () => {
  it.each([
    [{}, 400, 'EINVALURL', 'url'],
    [{ url: 'example.com' }, 400, 'EINVALURL', 'url'],
    [{ url: 'http://no-such-host.invalid/' }, 400, 'EINVALURL', 'url'],
    [{ url: 'https://a.example/', screenshot: 'maybe' }, 400, 'EINVALQUERY', 'screenshot'],
    [{ url: 'https://a.example/', 'screenshot.type': 'gif' }, 400, 'EINVALQUERY', 'screenshot.type'],
    [{ url: 'https://a.example/', ttl: '1s' }, 400, 'EINVALTTL', 'ttl'],
    [{ url: 'https://a.example/', ttl: '1h', staleTtl: '2h' }, 400, 'EINVALSTTL', 'staleTtl'],
    [{ url: 'https://a.example/', 'headers.host': 'x' }, 400, 'EHEADERS', 'headers.host'],
  ] as [Record<string, string>, number, string, string][])('%j is %i %s', async (words, status, code, word) => {
    const response = await ask(words)
    expect(response.status).toBe(status)
    expect(await response.json()).toEqual({
      status: 'fail',
      code,
      message: expect.stringMatching(/\.$/),
      more: expect.stringMatching(new RegExp(`#${code}$`)),
      data: { [word]: expect.any(String) },
    })
  })

  it.each([
    ['a selector that cannot be parsed', { element: '#[' }, 400, 'EINVALQUERY', { element: expect.any(String) }],
    [
      'a device that does not exist',
      { device: 'Toaster', screenshot: 'true' },
      400,
      'EINVALQUERY',
      { device: expect.any(String) },
    ],
    [
      'a header that HTTP cannot carry',
      { 'headers.x-name': '日本' },
      400,
      'EHEADERS',
      { 'headers.x-name': expect.any(String) },
    ],
    [
      'a header that wants an answer of its own',
      { 'headers.expect': 'x' },
      400,
      'EHEADERS',
      { 'headers.expect': expect.any(String) },
    ],
    ['an element that is missing', { element: '#nowhere' }, 422, 'EELEMENT', { element: 'missing' }],
  ] as [string, Record<string, string>, number, string, Record<string, unknown>][])(
    '%s',
    async (_, words, status, code, data) => {
      const response = await ask({ url: `${site.url}/`, ...words })
      expect([response.status, await response.json()]).toMatchObject([status, { code, data }])
    },
  )

  it('a page that resets, and one that never answers', async () => {
    const reset = await ask({ url: `${site.url}/reset` })
    expect([reset.status, await reset.json()]).toMatchObject([502, { status: 'error', code: 'EUNREACHABLE' }])
    const hang = await ask({ url: `${site.url}/hang`, timeout: '500ms' })
    expect([hang.status, await hang.json()]).toMatchObject([504, { status: 'error', code: 'ETIMEOUT' }])
  })

  it('another path, and another method', async () => {
    const path = await service.fetch(new Request('http://previews.test/nowhere'))
    expect([path.status, await path.json()]).toMatchObject([404, { code: 'ENOTFOUND' }])
    const image = await service.fetch(new Request(`http://previews.test/images/${'0'.repeat(64)}.jpg`))
    expect([image.status, await image.json()]).toMatchObject([404, { code: 'ENOTFOUND' }])
    const post = await service.fetch(new Request('http://previews.test/', { method: 'POST' }))
    expect([post.status, post.headers.get('allow'), await post.json()]).toMatchObject([
      405,
      'GET, HEAD, OPTIONS',
      { code: 'EMETHOD' },
    ])
  })

  it('the pro host without a key, and with one that nobody has', async () => {
    const asPro = (headers = {}) =>
      service.fetch(new Request(`http://previews.test/?url=${site.url}/`, { headers }), { plan: 'pro' })
    expect(await (await asPro()).json()).toMatchObject({ status: 'fail', code: 'EAUTH' })
    expect((await asPro()).status).toBe(401)
    expect((await asPro({ 'x-api-key': 'pp_abc_0123456789abcdef' })).status).toBe(403)
  })

  it('more than the daily limit, while kept answers still work', async () => {
    const small = createService({ ...options(), freeDailyLimit: 2, warm: false })
    const get = (path: string) => ask({ url: `${site.url}${path}` }, { of: small })
    expect([(await get('/?1')).status, (await get('/?2')).status, (await get('/?1')).status]).toEqual([200, 200, 200])
    const refused = await get('/?3')
    expect(refused.status).toBe(429)
    expect(refused.headers.get('retry-after')).toBe(
      String(12 * 3_600 - Math.floor((now - Date.parse('2026-01-31T12:00:00Z')) / 1_000)),
    )
    expect(refused.headers.get('x-rate-limit-remaining')).toBe('0')
    expect(await refused.json()).toMatchObject({ status: 'fail', code: 'ERATE' })
    expect((await get('/?2')).headers.get('x-cache-status')).toBe('HIT')
    await small.close()
    const closed = await get('/?2')
    expect([closed.status, await closed.json()]).toMatchObject([503, { status: 'error', code: 'EBUSY' }])
  })

  it('is remembered for a while, so that a dead page costs nothing', async () => {
    const hits = () => site.requests.filter((request) => request.includes('/reset?again')).length
    await ask({ url: `${site.url}/reset?again` })
    const before = hits()
    await ask({ url: `${site.url}/reset?again` })
    expect(hits()).toBe(before)
    now += 61_000
    await ask({ url: `${site.url}/reset?again` })
    expect(hits()).toBeGreaterThan(before)
  })
})

describe('the network guard', () => {
  it.each([
    'http://127.0.0.1:22/',
    'http://2130706433/',
    'http://[::ffff:127.0.0.1]/',
    'http://0x7f.1/',
    'http://10.0.0.1/',
    'http://[::1]/',
  ])('refuses %s', async (url) => {
    const response = await ask({ url, screenshot: 'true' })
    expect([response.status, await response.json()]).toMatchObject([
      403,
      { status: 'fail', code: 'EFORBIDDENURL', data: { url: expect.any(String) } },
    ])
  })

  it('refuses a page that redirects to a private address', async () => {
    expect(await (await ask({ url: `${site.url}/private` })).json()).toMatchObject({
      status: 'fail',
      code: 'EFORBIDDENURL',
    })
  })

  it('lets no image, frame, script or WebSocket of a page reach a private address', async () => {
    const { data } = await askJson({ url: `${site.url}/traps`, screenshot: 'true' })
    expect(data.screenshot!.size).toBeGreaterThan(0)
    expect(canary.requests).toEqual([])
  })
})
