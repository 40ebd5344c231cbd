import { readdir } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import sharp from 'sharp'
import type { PageResponse } from '../../src/query/index.js'
import { createService, type Service, type ServiceOptions } from '../../src/server/index.js'
import { localSite, redirectTo, type LocalSite } from '../local-site.js'
import { temporaryDir } from './store/temporary-dir.js'

const page = (title: string, body = '') => `<!doctype html><html lang="en"><head><title>${title}</title>
  <meta name="description" content="About ${title}"></head>
  <body style="margin:0;background:#0a0a0a">${body}</body></html>`
const hero = '<div id="hero" style="width:300px;height:150px;background:#c00"></div>'

let site: LocalSite
let canary: LocalSite
let now = Date.parse('2026-01-31T12:00:00Z')
let service: Service

const options = (): ServiceOptions => ({ allowTargets: [site.host], clock: () => now, warm: true })
const requestPage = (
  parameters: Record<string, string>,
  { to = service, ...init }: RequestInit & { to?: Service } = {},
) => to.fetch(new Request(`http://previews.test/?${new URLSearchParams(parameters)}`, init))
const requestJson = async (parameters: Record<string, string>) =>
  (await (await requestPage(parameters)).json()) as PageResponse

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

it.each<ServiceOptions>([{ signingSecretFile: '/nope' }, { allowTargets: ['not a host'] }, { s3: 'nonsense' }])(
  'leaves nothing behind after a start that failed: %o',
  async (broken) => {
    const folder = await temporaryDir()
    vi.stubEnv('TMPDIR', folder)
    onTestFinished(() => void vi.unstubAllEnvs())
    const failing = createService({ ...broken, logLevel: 'silent' })
    await expect(failing.ready()).rejects.toThrow()
    expect(await readdir(folder)).toEqual([])
    await failing.close()
  },
)

describe('a response', () => {
  it('contains the metadata and a real screenshot, with the width and height of the image', async () => {
    const response = await requestPage({ url: `${site.url}/`, screenshot: 'true', element: '#hero' })
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

  it('has every documented header, exposed to other origins', async () => {
    const { headers } = await requestPage({ url: `${site.url}/?headers` })
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

  it('is a miss once, then a hit until the ttl of the request has passed', async () => {
    const parameters = { url: `${site.url}/?ttl` }
    const status = async (more = {}) => (await requestPage({ ...parameters, ...more })).headers.get('x-cache-status')
    expect(await status()).toBe('MISS')
    expect(await status()).toBe('HIT')
    now += 2 * 3_600_000
    expect(await status({ ttl: '3h' })).toBe('HIT')
    expect(await status({ ttl: '1h' })).toBe('MISS')
    expect(await status({ force: 'true' })).toBe('BYPASS')
  })

  it('is 304 for a matching etag', async () => {
    const first = await requestPage({ url: `${site.url}/?etag` })
    const etag = first.headers.get('etag')!
    const notModified = await requestPage({ url: `${site.url}/?etag` }, { headers: { 'if-none-match': etag } })
    expect([notModified.status, await notModified.text(), notModified.headers.get('etag')]).toEqual([304, '', etag])
  })

  it('for a page with status 404 is a success with that status', async () => {
    expect(await requestJson({ url: `${site.url}/missing` })).toMatchObject({
      status: 'success',
      statusCode: 404,
      data: { title: 'Not here' },
    })
  })

  it('names unknown parameters in warnings, and contains only the fields of filter', async () => {
    const { data, warnings } = await requestJson({
      url: `${site.url}/`,
      colour: 'red',
      filter: 'title,screenshot.width',
      screenshot: 'true',
    })
    expect(data).toEqual({ title: 'Landing', screenshot: { width: 2560 } })
    expect(warnings).toEqual([expect.stringContaining('"colour"')])
  })

  it('supports HEAD, and OPTIONS from any origin', async () => {
    const head = await requestPage({ url: `${site.url}/` }, { method: 'HEAD' })
    expect([head.status, await head.text()]).toEqual([200, ''])
    const options = await requestPage({}, { method: 'OPTIONS' })
    expect([options.status, options.headers.get('access-control-allow-headers')]).toEqual([204, 'x-api-key'])
  })
})

describe('embed', () => {
  it('returns the bytes of the screenshot with its size in headers, and 304 for a matching etag', async () => {
    const parameters = { url: `${site.url}/`, element: '#hero', embed: 'screenshot.url' }
    const response = await requestPage(parameters)
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
    const notModified = await requestPage(parameters, { headers: { 'if-none-match': response.headers.get('etag')! } })
    expect(notModified.status).toBe(304)
  })

  it.each(['true', 'screenshot', 'screenshot.url'])('%s selects the screenshot', async (embed) => {
    const response = await requestPage({ url: `${site.url}/`, element: '#hero', embed })
    expect(response.headers.get('content-type')).toBe('image/jpeg')
  })

  it('returns a text field as text, and ENOEMBED for a field without a value', async () => {
    const title = await requestPage({ url: `${site.url}/`, embed: 'title' })
    expect([title.headers.get('content-type'), await title.text()]).toEqual(['text/plain; charset=utf-8', 'Landing'])
    const nothing = await requestPage({ url: `${site.url}/`, embed: 'screenshot.url' })
    expect([nothing.status, await nothing.json()]).toMatchObject([404, { status: 'fail', code: 'ENOEMBED' }])
  })
})

describe('one capture per key', () => {
  it('for 50 requests at once', async () => {
    const before = service.captures()
    const responses = await Promise.all(
      Array.from({ length: 50 }, () => requestJson({ url: `${site.url}/fifty`, screenshot: 'true' })),
    )
    expect(new Set(responses.map(({ data }) => data.screenshot!.url)).size).toBe(1)
    expect(service.captures() - before).toBe(1)
  })

  it('for JSON and embed together', async () => {
    const before = service.captures()
    const url = `${site.url}/fifty?both`
    await Promise.all([
      requestPage({ url, screenshot: 'true' }),
      requestPage({ url, screenshot: 'true', embed: 'screenshot.url' }),
    ])
    expect(service.captures() - before).toBe(1)
  })
})

describe('a stale result', () => {
  it('is returned immediately and revalidated in the background; the next request gets the new one', async () => {
    const parameters = { url: `${site.url}/changing`, staleTtl: '0' }
    await requestPage(parameters)
    site.routes['/changing'] = page('New', hero)
    now += 1_000
    const stale = await requestPage(parameters)
    expect(stale.headers.get('x-cache-status')).toBe('STALE')
    expect(((await stale.json()) as PageResponse).data.title).toBe('Old')
    await expect.poll(async () => (await requestJson(parameters)).data.title).toBe('New')
  })

  it('is not replaced by an error', async () => {
    site.routes['/failing'] = page('Good')
    const parameters = { url: `${site.url}/failing`, staleTtl: '1m' }
    await requestPage(parameters)
    site.routes['/failing'] = (_, response) => void response.writeHead(500).end(page('Broken'))
    now += 120_000
    expect((await requestPage(parameters)).headers.get('x-cache-status')).toBe('STALE')
    await expect.poll(async () => (await requestJson(parameters)).warnings?.join()).toContain('revalidation failed')
    expect((await requestJson(parameters)).data.title).toBe('Good')
  })
})

describe('an error response', () => {
  it.each([
    [{}, 400, 'EINVALURL', 'url'],
    [{ url: 'example.com' }, 400, 'EINVALURL', 'url'],
    [{ url: 'http://no-such-host.invalid/' }, 400, 'EINVALURL', 'url'],
    [{ url: 'https://a.example/', screenshot: 'maybe' }, 400, 'EINVALQUERY', 'screenshot'],
    [{ url: 'https://a.example/', 'screenshot.type': 'gif' }, 400, 'EINVALQUERY', 'screenshot.type'],
    [{ url: 'https://a.example/', ttl: '1s' }, 400, 'EINVALTTL', 'ttl'],
    [{ url: 'https://a.example/', ttl: '1h', staleTtl: '2h' }, 400, 'EINVALSTTL', 'staleTtl'],
    [{ url: 'https://a.example/', 'headers.host': 'x' }, 400, 'EHEADERS', 'headers.host'],
  ] as [Record<string, string>, number, string, string][])(
    'to %j is %i %s',
    async (parameters, status, code, invalid) => {
      const response = await requestPage(parameters)
      expect(response.status).toBe(status)
      expect(await response.json()).toEqual({
        status: 'fail',
        code,
        message: expect.stringMatching(/\.$/),
        more: expect.stringMatching(new RegExp(`#${code}$`)),
        data: { [invalid]: expect.any(String) },
      })
    },
  )

  it.each([
    ['names a selector that cannot be parsed', { element: '#[' }, 400, 'EINVALQUERY', { element: expect.any(String) }],
    [
      'names an unknown device',
      { device: 'Toaster', screenshot: 'true' },
      400,
      'EINVALQUERY',
      { device: expect.any(String) },
    ],
    [
      'names a header with characters that HTTP does not allow',
      { 'headers.x-name': '日本' },
      400,
      'EHEADERS',
      { 'headers.x-name': expect.any(String) },
    ],
    [
      'names a header that HTTP clients must not set',
      { 'headers.expect': 'x' },
      400,
      'EHEADERS',
      { 'headers.expect': expect.any(String) },
    ],
    ['names an element that is missing', { element: '#nowhere' }, 422, 'EELEMENT', { element: 'missing' }],
  ] as [string, Record<string, string>, number, string, Record<string, unknown>][])(
    '%s',
    async (_, parameters, status, code, data) => {
      const response = await requestPage({ url: `${site.url}/`, ...parameters })
      expect([response.status, await response.json()]).toMatchObject([status, { code, data }])
    },
  )

  it('distinguishes a reset connection from a timeout', async () => {
    const reset = await requestPage({ url: `${site.url}/reset` })
    expect([reset.status, await reset.json()]).toMatchObject([502, { status: 'error', code: 'EUNREACHABLE' }])
    const hang = await requestPage({ url: `${site.url}/hang`, timeout: '500ms' })
    expect([hang.status, await hang.json()]).toMatchObject([504, { status: 'error', code: 'ETIMEOUT' }])
  })

  it('distinguishes an unknown path from a wrong method', async () => {
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

  it('is 401 on the pro host without a key, and 403 with an unknown one', async () => {
    const requestPro = (headers = {}) =>
      service.fetch(new Request(`http://previews.test/?url=${site.url}/`, { headers }), { plan: 'pro' })
    expect(await (await requestPro()).json()).toMatchObject({ status: 'fail', code: 'EAUTH' })
    expect((await requestPro()).status).toBe(401)
    expect((await requestPro({ 'x-api-key': 'pp_abc_0123456789abcdef' })).status).toBe(403)
  })

  it('is 429 beyond the daily limit, while cached pages are still served', async () => {
    const small = createService({ ...options(), freeDailyLimit: 2, warm: false })
    const get = (path: string) => requestPage({ url: `${site.url}${path}` }, { to: small })
    expect([(await get('/?1')).status, (await get('/?2')).status, (await get('/?1')).status]).toEqual([200, 200, 200])
    const rejected = await get('/?3')
    expect(rejected.status).toBe(429)
    expect(rejected.headers.get('retry-after')).toBe(
      String(12 * 3_600 - Math.floor((now - Date.parse('2026-01-31T12:00:00Z')) / 1_000)),
    )
    expect(rejected.headers.get('x-rate-limit-remaining')).toBe('0')
    expect(await rejected.json()).toMatchObject({ status: 'fail', code: 'ERATE' })
    expect((await get('/?2')).headers.get('x-cache-status')).toBe('HIT')
    await small.close()
    const closed = await get('/?2')
    expect([closed.status, await closed.json()]).toMatchObject([503, { status: 'error', code: 'EBUSY' }])
  })

  it('is cached for a minute, so that a dead page is not fetched with each request', async () => {
    const fetches = () => site.requests.filter((request) => request.includes('/reset?again')).length
    await requestPage({ url: `${site.url}/reset?again` })
    const before = fetches()
    await requestPage({ url: `${site.url}/reset?again` })
    expect(fetches()).toBe(before)
    now += 61_000
    await requestPage({ url: `${site.url}/reset?again` })
    expect(fetches()).toBeGreaterThan(before)
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
  ])('rejects %s', async (url) => {
    const response = await requestPage({ url, screenshot: 'true' })
    expect([response.status, await response.json()]).toMatchObject([
      403,
      { status: 'fail', code: 'EFORBIDDENURL', data: { url: expect.any(String) } },
    ])
  })

  it('rejects a page that redirects to a private address', async () => {
    expect(await (await requestPage({ url: `${site.url}/private` })).json()).toMatchObject({
      status: 'fail',
      code: 'EFORBIDDENURL',
    })
  })

  it('lets no image, frame, script or WebSocket of a page reach a private address', async () => {
    const { data } = await requestJson({ url: `${site.url}/traps`, screenshot: 'true' })
    expect(data.screenshot!.size).toBeGreaterThan(0)
    expect(canary.requests).toEqual([])
  })
})
