import { getRequestListener } from '@hono/node-server'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { createBatchFetch } from '../../src/client/batch-fetch.js'
import { createClient } from '../../src/client/index.js'
import { createProxy, type ProxyOptions } from '../../src/proxy/index.js'
import type { PageResponse } from '../../src/query/index.js'
import { openKeys } from '../../src/server/index.js'
import { deferred } from '../react/fake-service.js'
import { localSite, redirectTo, type LocalSite, type Route } from '../local-site.js'
import { startService, type StartedService } from '../shared/start-service.js'

let site: LocalSite
let service: StartedService
let key: string
const received: IncomingHttpHeaders[] = []

beforeAll(async () => {
  site = await localSite({
    '/': (request, response) => {
      received.push(request.headers)
      response
        .writeHead(200, { 'content-type': 'text/html', 'set-cookie': 'a=b' })
        .end(
          '<title>A page</title><link rel="icon" href="/icon.svg"><body style="margin:0"><div id="hero" style="width:640px;height:320px;background:red">',
        )
    },
    '/icon.svg': (_, response) =>
      response
        .writeHead(200, { 'content-type': 'image/svg+xml' })
        .end('<svg xmlns="http://www.w3.org/2000/svg" width="16" height="16"/>'),
  })
  service = await startService(`--allow-target=${site.host}`)
  const keys = await openKeys({ dataDir: service.dataDir })
  ;({ key } = await keys.create('Proxy'))
  await keys.close()
})
afterAll(async () => {
  await service.stop()
  await site.close()
})

/** Starts a web server with a proxy mounted at /page-preview, and returns its origin. */
async function startProxy(options: Partial<ProxyOptions> = {}, strippedPath = ''): Promise<string> {
  const proxy = createProxy({ endpoint: service.pro, apiKey: key, allow: { targets: ['*'] }, ...options })
  const listener = getRequestListener(proxy)
  const server = createServer((request, response) => {
    request.url = request.url!.replace(strippedPath, '').replace(/^(?!\/)/, '/')
    void listener(request, response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(async () => {
    server.close()
    server.closeAllConnections()
    await once(server, 'close')
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** A server in the place of the service, for responses that a real one never sends. */
async function fakeService(route: Route): Promise<string> {
  const fake = await localSite({ '/': route })
  onTestFinished(() => fake.close())
  return fake.url
}

const queryString = (more: Record<string, string> = {}) => String(new URLSearchParams({ url: `${site.url}/`, ...more }))
const requestPreview = (origin: string, more: Record<string, string> = {}, init: RequestInit = {}) =>
  fetch(`${origin}/page-preview?${queryString(more)}`, init)
const errorOf = async (response: Response) => ({ http: response.status, ...((await response.json()) as object) })

describe('a preview through the proxy', () => {
  it.each([
    ['ttl', 'EINVALTTL', `${'1'.repeat(60_000)}x`],
    ['overlay.background', 'EINVALQUERY', `url(${' '.repeat(20_000)}`],
    [`headers.${'aB'.repeat(20_000)}`, 'EINVALQUERY', '1'],
  ])('rejects a very long %.20s before matching it', async (name, code, value) => {
    const proxy = createProxy({ endpoint: 'http://127.0.0.1:1', allow: { targets: ['*'] } })
    const query = new URLSearchParams({ url: 'https://example.com/', [name]: value })
    const startedAt = performance.now()
    const response = await proxy(new Request(`https://proxy.test/page-preview?${query}`))
    expect(performance.now() - startedAt).toBeLessThan(200)
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ code })
  })

  it('is the pro response without a key from the caller, with image URLs of the proxy', async () => {
    const origin = await startProxy()
    const response = await requestPreview(origin, { element: '#hero' })
    expect([response.status, response.headers.get('x-pricing-plan')]).toEqual([200, 'pro'])
    const { data } = (await response.json()) as PageResponse
    expect(data.screenshot!.url).toMatch(/^\/page-preview\/images\/[a-f\d]{64}\.jpg$/)

    const image = await fetch(origin + data.screenshot!.url)
    expect(Object.fromEntries(image.headers)).toMatchObject({
      'content-type': 'image/jpeg',
      'cache-control': 'public, max-age=31536000, immutable',
      'content-length': String(data.screenshot!.size),
      'x-content-type-options': 'nosniff',
    })
    expect((await image.arrayBuffer()).byteLength).toBe(data.screenshot!.size)
    const small = await fetch(`${origin}${data.screenshot!.url}?w=320&type=webp&other=1`)
    expect([small.status, small.headers.get('content-type')]).toEqual([200, 'image/webp'])
  })

  it('works for the client and an <img>, with the cache headers', async () => {
    const origin = await startProxy({ publicUrl: '/page-preview' })
    const client = createClient({ endpoint: `${origin}/page-preview` })
    const { data, cache } = await client.page({ url: `${site.url}/`, screenshot: true })
    expect(data.title).toBe('A page')
    expect(cache).toMatchObject({ status: 'MISS', ttlMs: 86_400_000, timestamp: expect.any(Number) })
    const image = await fetch(client.embedUrl({ url: `${site.url}/`, screenshot: true }))
    expect([image.status, image.headers.get('content-type')]).toEqual([200, 'image/jpeg'])
    expect(image.headers.get('x-image-width')).toBe('2560')
  })

  it('responds 304 to an unchanged etag, and supports HEAD', async () => {
    const origin = await startProxy()
    const whole = await requestPreview(origin)
    const etag = whole.headers.get('etag')!
    const same = await requestPreview(origin, {}, { headers: { 'if-none-match': etag } })
    expect([same.status, same.headers.get('etag'), await same.text()]).toEqual([304, etag, ''])
    const head = await requestPreview(origin, {}, { method: 'HEAD' })
    expect([head.status, head.headers.get('etag'), await head.text()]).toEqual([200, etag, ''])
  })

  it('forwards the rate limit of a free host', async () => {
    const origin = await startProxy({ endpoint: service.free, apiKey: undefined })
    const { headers } = await requestPreview(origin)
    expect(headers.get('x-pricing-plan')).toBe('free')
    for (const name of ['x-rate-limit-limit', 'x-rate-limit-remaining', 'x-rate-limit-reset', 'ratelimit'])
      expect(headers.has(name), name).toBe(true)
  })

  it('is a script-free card with embed=html, with its image at the proxy', async () => {
    const origin = await startProxy()
    const response = await requestPreview(origin, { element: '#hero', embed: 'html' })
    expect(response.headers.get('content-security-policy')).toContain("default-src 'none'")
    const html = await response.text()
    expect(html).toMatch(/<img class="pp-image" src="\/page-preview\/images\/[a-f\d]{64}\.jpg"/)
    expect(html).not.toContain(service.pro)
  })

  it('has absolute URLs when the proxy has a public URL', async () => {
    const origin = await startProxy({ publicUrl: 'https://app.example/previews/' }, '/page-preview')
    const { data } = (await (await requestPreview(origin, { element: '#hero' })).json()) as PageResponse
    expect(data.screenshot!.url).toMatch(/^https:\/\/app\.example\/previews\/images\//)
  })

  it('has URLs of the proxy also when the service has another public URL', async () => {
    const url = `https://previews.example/images/${'a'.repeat(64)}.jpg`
    const faulty = await fakeService((_, response) => {
      const data = {
        screenshot: { url, width: 1, tiles: [{ url: `${url}?tile=0&maxSide=1568`, x: 0 }] },
        image: { url: `https://other.example/images/${'b'.repeat(64)}.jpg` },
      }
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ status: 'success', data }))
    })
    const { data } = (await (await requestPreview(await startProxy({ endpoint: faulty }))).json()) as PageResponse
    expect(data.screenshot!.url).toBe(`/page-preview/images/${'a'.repeat(64)}.jpg`)
    expect(data.screenshot!.tiles).toEqual([
      { url: `/page-preview/images/${'a'.repeat(64)}.jpg?tile=0&maxSide=1568`, x: 0 },
    ])
    expect(data.image!.url).toBe(`https://other.example/images/${'b'.repeat(64)}.jpg`)
  })

  it.each([
    ['the same', '', '/page-preview'],
    ['another', 'https://previews.example', '/page-preview'],
    ['one with a path', 'https://example.com/previews/v1', '/page-preview'],
  ])(
    'has URLs of the proxy in a card and a redirect when the public URL of the service is %s',
    async (_, base, own) => {
      const path = `/images/${'a'.repeat(64)}.jpg`
      const ownUrl = `https://other.example/images/${'b'.repeat(64)}.png`
      const card = (url: string) =>
        `<img class="pp-icon" src="${ownUrl}"><img class="pp-image" src="${ownUrl}"><img class="pp-image" src="${url}" srcset="${url}?w=320&amp;type=webp 320w,${url}?type=webp 1280w" alt="" data-screenshot="">`
      let service = ''
      service = await fakeService((request, response) => {
        if (request.url!.includes('embed=html'))
          response.writeHead(200, { 'content-type': 'text/html' }).end(card((base || service) + path))
        else response.writeHead(302, { location: (base || service) + path }).end()
      })
      const origin = await startProxy({ endpoint: service })
      expect(await (await requestPreview(origin, { embed: 'html' })).text()).toBe(card(own + path))
      const redirect = await requestPreview(origin, { embed: 'screenshot.url' }, { redirect: 'manual' })
      expect([redirect.status, redirect.headers.get('location')]).toEqual([302, own + path])
    },
  )

  it('has media of other hosts at the proxy with media: true', async () => {
    const found = async (media: boolean, more = {}) => {
      const origin = await startProxy({ media })
      const { data } = (await (await requestPreview(origin, { screenshot: 'true', ...more })).json()) as PageResponse
      return { origin, logo: data.logo!.url, image: data.image }
    }
    expect(await found(false)).toMatchObject({ logo: `${site.url}/icon.svg`, image: null })
    const { origin, logo, image } = await found(true, { filter: 'logo,image' })
    expect([logo, image]).toEqual([
      expect.stringMatching(/^\/page-preview\?embed=logo\.url&screenshot=true&url=/),
      null,
    ])
    const response = await fetch(origin + logo)
    expect(response.headers.get('content-type')).toBe('image/svg+xml')
    expect(response.headers.get('content-security-policy')).toContain('sandbox')
  })

  it('has media at the root of the site, when the proxy is there', async () => {
    const origin = await startProxy({ media: true, publicUrl: '/' })
    const { data } = (await (await fetch(`${origin}/?url=${site.url}/`)).json()) as PageResponse
    expect(data.logo!.url).toMatch(/^\/\?embed=logo\.url&url=/)
  })

  it('has the image and the icons of a card at the proxy with media: true', async () => {
    const icon = '<img width="16" height="16" alt="" src="https://other.example/a.png">'
    const card =
      '<img class="pp-image" src="https://other.example/b.png" width="1" alt="" sizes="1em" srcset="https://other.example/b.png 1w">' +
      `<span class="pp-icon" aria-hidden="true">${icon}</span><span class="pp-icon"><img src="data:image/png;base64,AA"></span>`
    const faulty = await fakeService((_, response) =>
      response.writeHead(200, { 'content-type': 'text/html' }).end(card),
    )
    const origin = await startProxy({ endpoint: faulty, media: true })
    const html = await (await requestPreview(origin, { embed: 'html' })).text()
    const url = (field: string) => `/page-preview?embed=${field}.url&amp;url=${encodeURIComponent(`${site.url}/`)}`
    expect(html).toBe(
      `<img class="pp-image" src="${url('image')}" width="1" alt="">` +
        `<span class="pp-icon" aria-hidden="true"><img width="16" height="16" alt="" src="${url('logo')}"></span>` +
        '<span class="pp-icon"><img src="data:image/png;base64,AA"></span>',
    )
  })

  it('works when a framework removes the mount path, as Express does', async () => {
    const origin = await startProxy({}, '/page-preview')
    const { data } = (await (await requestPreview(origin, { element: '#hero' })).json()) as PageResponse
    expect((await fetch(origin + data.screenshot!.url)).status).toBe(200)
  })

  it('warns about unknown parameters, as the service does', async () => {
    const { warnings } = (await (await requestPreview(await startProxy(), { colour: 'red' })).json()) as PageResponse
    expect(warnings).toEqual([expect.stringContaining('colour')])
  })
})

describe('the proxy allows', () => {
  it.each([
    [['example.com'], 'https://example.com/a', true],
    [['example.com'], 'http://EXAMPLE.com', true],
    [['example.com'], 'https://example.com:8443/', false],
    [['example.com:8443'], 'https://example.com:8443/', true],
    [['example.com'], 'https://www.example.com/', false],
    [['example.com'], 'https://example.com.evil.example/', false],
    [['example.com'], 'https://evilexample.com/', false],
    [['*.example.com'], 'https://a.b.example.com/', true],
    [['*.example.com'], 'https://example.com/', false],
    [['*.example.com'], 'https://evilexample.com/', false],
    [['bücher.example'], 'https://xn--bcher-kva.example/', true],
    [['a.example', 'b.example'], 'https://b.example/', true],
    [[], 'https://example.com/', false],
    [['*'], 'https://example.com/', true],
  ])('with targets %j %s: %s', async (targets, url, isAllowed) => {
    let requestCount = 0
    const countingFetch = async () => (requestCount++, Response.json({ status: 'success' }))
    const proxy = createProxy({ endpoint: 'https://service.test', allow: { targets }, fetch: countingFetch })
    const response = await proxy(new Request(`http://app.test/page-preview?${new URLSearchParams({ url })}`))
    expect(requestCount).toBe(isAllowed ? 1 : 0)
    expect(response.status).toBe(isAllowed ? 200 : 403)
    if (!isAllowed)
      expect(await response.json()).toMatchObject({
        status: 'fail',
        code: 'EFORBIDDENURL',
        more: 'https://service.test/playground/errors.html#EFORBIDDENURL',
        data: { url: 'is not allowed here' },
      })
  })

  it('the same hosts to the service, unless every page is allowed', async () => {
    const sent: (string | null)[] = []
    const fetch: typeof globalThis.fetch = async (_, init) => {
      sent.push(new Headers(init?.headers).get('x-page-preview-allow-hosts'))
      return Response.json({ status: 'success', data: {} })
    }
    for (const targets of [
      ['EXAMPLE.com', '*.bücher.example'],
      ['*', 'example.com'],
    ]) {
      const proxy = createProxy({ endpoint: 'https://service.test', allow: { targets }, fetch })
      await proxy(new Request('http://app.test/page-preview?url=https://example.com'))
    }
    expect(sent).toEqual(['example.com,*.xn--bcher-kva.example', null])
  })

  it.each([
    ['overlay.background', 'https://other.example/image.png'],
    ['overlay.background', 'url( "https://other.example/image.png" )'],
    ['styles', 'https://other.example/style.css'],
    ['styles', 'a { background: url(//other.example/) }'],
  ])('no address of another host in %s=%s', async (name, value) => {
    const fetch = () => Promise.reject(new Error('unexpected request'))
    const proxy = createProxy({ endpoint: 'https://service.test', allow: { targets: ['example.com'] }, fetch })
    const query = new URLSearchParams({ url: 'https://example.com', screenshot: 'true', [name]: value })
    const response = await proxy(new Request(`http://app.test/page-preview?${query}`))
    expect(response.status).toBe(403)
    expect(await response.json()).toMatchObject({ code: 'EFORBIDDENURL', data: { [name]: 'is not allowed here' } })
  })

  it.each([
    ['self', { 'sec-fetch-site': 'same-origin' }, 200],
    ['self', { referer: 'http://HOST/page' }, 200],
    ['self', { origin: 'https://HOST' }, 200],
    ['self', { 'sec-fetch-site': 'cross-site', referer: 'https://evil.example/' }, 403],
    ['self', { 'sec-fetch-site': 'none' }, 403],
    ['self', { origin: 'null' }, 403],
    ['self', {}, 403],
    ['https://partner.example', { origin: 'https://partner.example' }, 200],
    ['https://partner.example', { referer: 'https://partner.example/a/b' }, 200],
    ['https://partner.example', { origin: 'http://partner.example' }, 403],
    ['https://partner.example', { 'sec-fetch-site': 'same-origin' }, 403],
  ])(
    'the origin %s, with the request headers %j: %i',
    async (allowed, requestHeaders: Record<string, string>, status) => {
      const origin = await startProxy({ allow: { origins: [allowed] } })
      const headers = Object.entries(requestHeaders).map(([name, value]) => [
        name,
        value.replace('HOST', new URL(origin).host),
      ])
      const response = await requestPreview(
        origin,
        {},
        { headers: Object.fromEntries(headers) as Record<string, string> },
      )
      expect(response.status).toBe(status)
      expect(response.headers.get('vary')).toContain('origin')
      const reader = status === 200 && allowed !== 'self' ? allowed : null
      expect(response.headers.get('access-control-allow-origin')).toBe(reader)
      expect(response.headers.get('access-control-allow-credentials')).toBe(reader && 'true')
      if (status === 403)
        expect(await response.json()).toMatchObject({ code: 'EAUTH', data: { origin: 'is not allowed' } })
    },
  )

  it.each([
    ['force', { force: 'true' }],
    ['history', { history: '3', screenshot: 'true' }],
    ['headers', { 'headers.user-agent': 'Somebody' }],
  ] as const)('%s only when the options allow it', async (name, parameters) => {
    expect(await errorOf(await requestPreview(await startProxy(), parameters))).toMatchObject({
      http: 400,
      code: 'EINVALQUERY',
      data: { [name]: 'is not allowed here' },
    })
    const permissive = await startProxy({ allow: { targets: ['*'], parameters: [name] } })
    expect((await requestPreview(permissive, parameters)).status).toBe(200)
  })
})

describe('the proxy’s own origin', () => {
  /** Sends a request as a browser does that found the proxy under this name. Returns the response and what the service received. */
  async function requestAs(url: string, headers: Record<string, string>, options: Partial<ProxyOptions> = {}) {
    let requestCount = 0
    const fetch = async () => (requestCount++, Response.json({ status: 'success', data: {} }))
    const allow = { origins: ['self'] }
    const proxy = createProxy({ endpoint: 'https://service.test', apiKey: key, allow, fetch, ...options })
    const response = await proxy(new Request(`${url}/page-preview?url=https://example.com/`, { headers }))
    return { status: response.status, requestCount, body: (await response.json()) as { message?: string } }
  }

  it.each([
    ['http://evil.example', { referer: 'http://evil.example/' }],
    ['http://evil.example', { origin: 'http://evil.example' }],
    ['http://evil.example:3000', { referer: 'http://evil.example:3000/' }],
    ['http://127.0.0.1.evil.example', { referer: 'http://127.0.0.1.evil.example/' }],
    ['http://localhost.evil.example', { referer: 'http://localhost.evil.example/' }],
    ['http://notlocalhost', { referer: 'http://notlocalhost/' }],
    ['http://evil.example', { referer: 'http://evil.example/', host: 'evil.example' }],
  ])('is not %s, a name that DNS may lead anywhere, with %j', async (url, headers) => {
    for (const publicUrl of [undefined, 'https://app.example/page-preview', 'http://app.example/page-preview']) {
      const { status, requestCount, body } = await requestAs(url, headers, { publicUrl })
      expect([status, requestCount]).toEqual([403, 0])
      expect(body).toMatchObject({ code: 'EAUTH', message: expect.stringMatching(/publicUrl.*allow\.origins/) })
    }
  })

  it.each<[string, Record<string, string>, Partial<ProxyOptions>]>([
    // Browsers send the first to https and localhost only.
    ['https://app.example', { 'sec-fetch-site': 'same-origin' }, {}],
    ['http://app.example', { 'sec-fetch-site': 'same-origin', referer: 'https://app.example/' }, {}],
    ['http://app.example', { referer: 'https://app.example/' }, {}],
    ['http://localhost:3000', { referer: 'http://localhost:3000/' }, {}],
    ['http://a.localhost:3000', { origin: 'http://a.localhost:3000' }, {}],
    ['http://192.168.0.7:3000', { referer: 'http://192.168.0.7:3000/' }, {}],
    ['http://[::1]:3000', { referer: 'http://[::1]:3000/' }, {}],
    ['http://app.example', { referer: 'http://app.example/' }, { publicUrl: 'http://app.example/page-preview' }],
    ['http://app.example', { referer: 'http://app.example/' }, { allow: { origins: ['http://app.example'] } }],
    ['http://app.example', { referer: 'https://app.example/' }, { allow: { origins: ['https://app.example'] } }],
  ])('is the origin of its visitors at %s with %j and %j', async (url, headers, options) => {
    expect(await requestAs(url, headers, options)).toMatchObject({ status: 200, requestCount: 1 })
  })

  it('is not reached from a name in allow.origins that DNS leads to the proxy', async () => {
    const allow = { origins: ['https://partner.example'] }
    const rebound = { referer: 'http://partner.example/' }
    expect(await requestAs('http://partner.example', rebound, { allow })).toMatchObject({
      status: 403,
      requestCount: 0,
    })
    const partner = { origin: 'https://partner.example' }
    expect(await requestAs('http://app.example', partner, { allow })).toMatchObject({ status: 200, requestCount: 1 })
  })
})

it('requests variants of images, which count for the key, for allowed pages only', async () => {
  const requested: string[] = []
  const fetch = async (input: RequestInfo | URL) => {
    requested.push(String(input instanceof Request ? input.url : input))
    return new Response('image', { headers: { 'content-type': 'image/jpeg' } })
  }
  const proxy = createProxy({ endpoint: 'https://service.test', allow: { origins: ['self'] }, fetch })
  const image = `/images/${'a'.repeat(64)}.jpg`
  const send = async (search: string, site: string) => {
    const request = new Request(`https://app.test/page-preview${image}${search}`, {
      headers: { 'sec-fetch-site': site, ...(site === 'cross-site' && { referer: 'https://evil.example/' }) },
    })
    return (await proxy(request)).status
  }
  const variant = '?w=640&maxSide=320&maxBytes=2000&type=avif'
  for (const search of [variant, '?maxSide=320', '?maxBytes=2000', '?tile=0'])
    expect(await send(search, 'cross-site')).toBe(403)
  expect(requested).toEqual([])
  expect(await send(variant, 'same-origin')).toBe(200)
  expect(requested).toEqual([`https://service.test${image}${variant}`])
  // The image itself costs nothing.
  expect(await send('', 'cross-site')).toBe(200)
})

describe('the images of a card', () => {
  const fetch = async () => new Response('image', { headers: { 'content-type': 'image/jpeg' } })
  const variant = `/page-preview/images/${'a'.repeat(64)}.jpg?w=640`
  const media = '/page-preview?url=https://example.com/&embed=image.url'
  const statusOf = async (
    path: string,
    headers: Record<string, string>,
    publicUrl = 'https://api.test/page-preview',
  ) => {
    const proxy = createProxy({
      endpoint: 'https://service.test',
      publicUrl,
      media: true,
      allow: { origins: ['https://app.test'] },
      fetch,
    })
    return (await proxy(new Request(new URL(path, publicUrl), { headers }))).status
  }

  it.each([variant, media])('are for the card in a frame of an allowed page: %s', async (path) => {
    expect(await statusOf(path, { 'sec-fetch-site': 'same-origin' })).toBe(200)
    expect(await statusOf(path, { 'sec-fetch-site': 'cross-site' })).toBe(403)
    const http = 'http://intra.test/page-preview'
    expect(await statusOf(path, { referer: `${http}?embed=html` }, http)).toBe(200)
    expect(await statusOf(path, { referer: 'http://elsewhere.test/' }, http)).toBe(403)
  })

  it('are all that the origin of the proxy gets', async () => {
    for (const embed of ['', '&embed=html', '&embed=screenshot.url'])
      expect(
        await statusOf(`/page-preview?url=https://example.com/${embed}`, { 'sec-fetch-site': 'same-origin' }),
      ).toBe(403)
  })

  it('say where they are, to the proxy alone', async () => {
    const response = await requestPreview(await startProxy(), { element: '#hero', embed: 'html' })
    expect(response.headers.get('referrer-policy')).toBe('same-origin')
    expect(await response.text()).not.toMatch(/<img class="pp-image"[^>]* referrerpolicy/)
  })
})

describe('an etag', () => {
  const sent: (string | null)[] = []
  const fetch = async (input: RequestInfo | URL, init?: RequestInit) => {
    const { url, headers: received } = new Request(input, init)
    const known = received.get('if-none-match')
    sent.push(known)
    const isImage = url.includes('embed=')
    const headers = { etag: 'W/"v1"', 'content-type': isImage ? 'image/jpeg' : 'application/json' }
    return known?.includes('W/"v1"')
      ? new Response(null, { status: 304, headers })
      : new Response(isImage ? 'image' : '{"status":"success","data":{}}', { headers })
  }
  const request = async (search: string, etag: string, options: Partial<ProxyOptions> = {}) => {
    const proxy = createProxy({ endpoint: 'https://service.test', allow: { targets: ['*'] }, fetch, ...options })
    const url = `https://app.test/page-preview?url=https://example.com/${search}`
    const { status, headers } = await proxy(new Request(url, { headers: { 'if-none-match': etag } }))
    return { status, etag: headers.get('etag')! }
  }

  it('of a rewritten response is not the one of the service, and not that of another proxy', async () => {
    const first = await request('', '"unknown"')
    expect(first).toEqual({ status: 200, etag: expect.stringMatching(/^W\/"v1;.+"$/) })
    expect(await request('', `"other", ${first.etag}`)).toEqual({ status: 304, etag: first.etag })
    for (const options of [{ media: true }, { publicUrl: 'https://app.test/page-preview' }]) {
      const { status, etag } = await request('', first.etag, options)
      expect([status, etag === first.etag]).toEqual([200, false])
    }
    expect(sent).toEqual(['"unknown"', '"other", W/"v1"', null, null])
  })

  it('of an image is the one of the service', async () => {
    expect(await request('&embed=screenshot.url', 'W/"v1"')).toEqual({ status: 304, etag: 'W/"v1"' })
  })
})

describe('a part of the data', () => {
  const image = (host: string) => `${host}/images/${'a'.repeat(64)}.jpg`
  it.each([
    ['screenshot.tiles', [{ url: image('https://pro.test') }], [{ url: image('/page-preview') }]],
    ['history.versions.0.screenshot', { url: image('http://svc:3000') }, { url: image('/page-preview') }],
    ['history.versions.0.screenshot.url', image('http://svc:3000'), image('/page-preview')],
    ['screenshot.url', 'not an image', 'not an image'],
    ['image', { url: image('https://pro.test') }, { url: image('https://pro.test') }],
  ])('has the URLs of screenshots at the proxy: %s', async (embed, part, expected) => {
    const isText = typeof part === 'string'
    const fetch = async () =>
      new Response(isText ? part : JSON.stringify(part), {
        headers: { 'content-type': isText ? 'text/plain; charset=utf-8' : 'application/json' },
      })
    const proxy = createProxy({
      endpoint: 'http://svc:3000',
      allow: { targets: ['*'], parameters: ['history'] },
      fetch,
    })
    const response = await proxy(
      new Request(`https://app.test/page-preview?url=https://example.com/&screenshot&history=2&embed=${embed}`),
    )
    const body = await response.text()
    expect(isText ? body : JSON.parse(body)).toEqual(expected)
  })
})

it('captures a page once with force and media: true', async () => {
  const fetch = async () => Response.json({ status: 'success', data: { logo: { url: 'https://a.example/b.png' } } })
  const allow = { targets: ['*'], parameters: ['force' as const] }
  const proxy = createProxy({ endpoint: 'https://service.test', allow, media: true, fetch })
  const response = await proxy(new Request('https://app.test/page-preview?url=https://example.com/&force'))
  expect(await response.text()).not.toContain('force')
})

describe('a limit of the site', () => {
  const requests = new Map<string, number>()
  /** Each visitor may send two requests; the site knows them by a header that its platform sets. */
  const isWithinLimit = async ({ headers }: Request) => {
    const visitor = headers.get('x-visitor')!
    requests.set(visitor, (requests.get(visitor) ?? 0) + 1)
    return requests.get(visitor)! <= 2
  }

  it.each(['/page-preview?url=https://example.com/', `/page-preview/images/${'a'.repeat(64)}.jpg?w=320`])(
    'refuses a visitor who exceeds it with ERATE, and nobody else: %s',
    async (path) => {
      requests.clear()
      const served: string[] = []
      const fetch = async (_: unknown, init?: RequestInit) => {
        served.push(new Headers(init?.headers).get('x-visitor') ?? 'unknown')
        return Response.json({ status: 'success', data: {} })
      }
      const proxy = createProxy({ endpoint: 'https://service.test', allow: { targets: ['*'] }, fetch, isWithinLimit })
      const send = (visitor: string) =>
        proxy(new Request(`https://app.test${path}`, { headers: { 'x-visitor': visitor } }))
      const statuses: number[] = []
      for (const visitor of ['greedy', 'greedy', 'greedy', 'innocent', 'greedy', 'innocent'])
        statuses.push((await send(visitor)).status)
      expect(statuses).toEqual([200, 200, 429, 200, 429, 200])
      // The service is not told who they are.
      expect(served).toEqual(['unknown', 'unknown', 'unknown', 'unknown'])
      const refused = await send('greedy')
      expect(refused.headers.get('retry-after')).toBe('60')
      expect(await refused.json()).toMatchObject({ status: 'fail', code: 'ERATE' })
    },
  )

  it('that fails is reported, and the request is refused', async () => {
    const errors: unknown[] = []
    const fetch = () => Promise.reject(new Error('unexpected request'))
    const proxy = createProxy({
      endpoint: 'https://service.test',
      allow: { targets: ['*'] },
      fetch,
      isWithinLimit: () => Promise.reject(new Error('The counter is out of reach.')),
      onError: (error) => errors.push(error),
    })
    const response = await proxy(new Request('https://app.test/page-preview?url=https://example.com/'))
    expect(await errorOf(response)).toMatchObject({ http: 500, code: 'EFATAL' })
    expect(errors).toEqual([new Error('The counter is out of reach.')])
  })
})

describe('the proxy forwards', () => {
  it('only the query and the headers that caches need', async () => {
    let forwarded: IncomingHttpHeaders = {}
    let path = ''
    const faulty = await fakeService((request, response) => {
      forwarded = request.headers
      path = request.url!
      response
        .writeHead(200, { 'content-type': 'application/json', 'set-cookie': 'secret=1', server: 'secret', etag: '"a"' })
        .end('{"status":"success","data":{}}')
    })
    const headers = {
      cookie: 'session=1',
      authorization: 'Bearer 1',
      'x-forwarded-for': '203.0.113.7',
      'x-api-key': 'pp_0123456789ab_theirs',
      'x-other': '1',
      'if-none-match': '"b"',
    }
    const more = {
      'headers.apiKey': 'theirs',
      'headers.api_key': 'theirs',
      keyId: 'theirs',
      signature: 'x',
      expires: '9',
    }
    const response = await requestPreview(await startProxy({ endpoint: faulty }), more, { headers })
    expect(path).toBe(`/?${queryString()}`)
    expect(forwarded).toMatchObject({ 'x-api-key': key, 'if-none-match': '"b"' })
    for (const name of ['cookie', 'authorization', 'x-forwarded-for', 'x-other', 'origin', 'referer'])
      expect(forwarded, name).not.toHaveProperty(name)
    expect(response.headers.get('etag')).toMatch(/^"a/)
    for (const name of ['set-cookie', 'server']) expect(response.headers.has(name), name).toBe(false)
  })

  it.each([
    '/oembed',
    '/playground/',
    '/healthz',
    '/metrics',
    '/openapi.json',
    '/images/',
    '/images/..%2f..%2fmetrics',
  ])('no %s', async (path) => {
    const origin = await startProxy()
    const error = await errorOf(await fetch(`${origin}/page-preview${path}?${queryString()}`))
    expect(error).toMatchObject({ http: 404, status: 'fail', code: 'ENOTFOUND' })
  })

  it('no other method, and responds to a preflight itself', async () => {
    const origin = await startProxy()
    const posted = await requestPreview(origin, {}, { method: 'POST', body: 'x' })
    expect([posted.headers.get('allow'), await errorOf(posted)]).toMatchObject([
      'GET, HEAD, OPTIONS',
      { http: 405, code: 'EMETHOD' },
    ])
    const preflight = await requestPreview(origin, {}, { method: 'OPTIONS' })
    expect([preflight.status, preflight.headers.get('access-control-allow-methods')]).toEqual([
      204,
      'GET, HEAD, OPTIONS',
    ])
  })

  it('variants of embedded images, of the type that the caller accepts', async () => {
    const origin = await startProxy()
    const variant = { screenshot: 'true', embed: 'screenshot.url', 'variant.width': '320' }
    const response = await requestPreview(origin, variant, { headers: { accept: 'image/webp,*/*;q=0.8' } })
    const { headers } = response
    expect([headers.get('content-type'), headers.get('x-image-width')]).toEqual(['image/webp', '320'])
    expect(headers.get('vary')).toMatch(/\baccept\b(?!-)/)
  })

  it('range requests', async () => {
    let range: string | undefined
    const faulty = await fakeService((request, response) => {
      range = request.headers.range
      response.writeHead(206, { 'content-type': 'audio/wav', 'content-range': 'bytes 0-1/4' }).end('ab')
    })
    const response = await requestPreview(
      await startProxy({ endpoint: faulty }),
      { embed: 'audio' },
      { headers: { range: 'bytes=0-1' } },
    )
    expect([range, response.status, response.headers.get('content-range')]).toEqual(['bytes=0-1', 206, 'bytes 0-1/4'])
  })
})

describe('a failure is reported like one of the service', () => {
  it('when the service rejects the request', async () => {
    const response = await requestPreview(await startProxy(), { element: '#nowhere' })
    expect(await errorOf(response)).toMatchObject({ http: 422, status: 'fail', code: 'EELEMENT' })
    expect(await errorOf(await fetch(`${await startProxy()}/page-preview`))).toMatchObject({
      http: 400,
      code: 'EINVALURL',
    })
  })

  it.each([
    ['EFATAL', 500, true],
    ['EBUSY', 503, true],
    ['EAUTH', 403, true],
    ['ERATE', 429, true],
    ['EUNREACHABLE', 502, false],
    ['EELEMENT', 422, false],
    ['EINVALURL', 400, false],
  ])('to onError, if neither the caller nor the page has caused it: %s', async (code, status, isReported) => {
    const errors: unknown[] = []
    const fetch = async () => Response.json({ status: 'error', code, message: 'No.' }, { status })
    const onError = (error: unknown) => errors.push(error)
    const proxy = createProxy({
      endpoint: 'https://service.test',
      apiKey: 'pp_a_b',
      allow: { targets: ['*'] },
      fetch,
      onError,
    })
    const response = await proxy(new Request('https://app.test/page-preview?url=https://example.com/'))
    expect(response.status).toBe(status)
    expect(errors).toMatchObject(isReported ? [{ code, status, message: 'No.' }] : [])
  })

  it.each<[string, Route, string]>([
    ['sends an error page', (_, response) => void response.writeHead(502).end('<h1>Bad gateway</h1>'), 'EUNREACHABLE'],
    ['sends HTML', '<h1>Welcome</h1>', 'EUNREACHABLE'],
    [
      'sends truncated JSON',
      (_, response) => void response.writeHead(200, { 'content-type': 'application/json' }).end('{"status'),
      'EUNREACHABLE',
    ],
    ['closes the connection', (request) => void request.socket.destroy(), 'EUNREACHABLE'],
    ['redirects to another host', redirectTo('https://elsewhere.example/?key'), 'EUNREACHABLE'],
  ])('when the service %s', async (_, route, code) => {
    const errors: unknown[] = []
    const origin = await startProxy({ endpoint: await fakeService(route), onError: (error) => errors.push(error) })
    expect(await errorOf(await requestPreview(origin))).toMatchObject({ http: 502, status: 'error', code })
    expect(errors).toMatchObject([{ code }])
  })

  it('when the service hangs, until the last byte', async () => {
    const silent = await fakeService(() => undefined)
    expect(await errorOf(await requestPreview(await startProxy({ endpoint: silent, timeout: 50 })))).toMatchObject({
      http: 504,
      code: 'ETIMEOUT',
    })
    const slow = await fakeService((_, response) =>
      response.writeHead(200, { 'content-type': 'application/json' }).write('{'),
    )
    expect(await errorOf(await requestPreview(await startProxy({ endpoint: slow, timeout: 50 })))).toMatchObject({
      code: 'ETIMEOUT',
    })
  })

  it('when an image stops in the middle, by closing the connection', async () => {
    const slow = await fakeService((_, response) => response.writeHead(200, { 'content-type': 'image/png' }).write('a'))
    // Enough for the start of the response on a busy machine.
    const proxy = createProxy({ endpoint: slow, allow: { targets: ['*'] }, timeout: 1_000 })
    const response = await proxy(new Request(`https://proxy.test/page-preview?embed=true&${queryString()}`))
    expect(response.status).toBe(200)
    await expect(response.arrayBuffer()).rejects.toThrow('abort')
  })

  it.each([
    [
      'throws',
      () => {
        throw new Error('The log is full.')
      },
    ],
    ['rejects', () => Promise.reject(new Error('The log is full.'))],
  ])('also if the reporter of errors %s', async (_, onError) => {
    const logged = vi.spyOn(console, 'error').mockImplementation(() => undefined)
    onTestFinished(() => void vi.restoreAllMocks())
    const proxy = createProxy({ endpoint: 'http://127.0.0.1:1', allow: { targets: ['*'] }, onError })
    const response = await proxy(new Request('https://proxy.test/page-preview?url=https://example.com/'))
    expect(await errorOf(response)).toMatchObject({ http: 502, code: 'EUNREACHABLE' })
    expect(logged).toHaveBeenCalledExactlyOnceWith(expect.any(String), new Error('The log is full.'))
  })

  it('and aborts when the caller disconnects', async () => {
    const [requested, disconnected] = [deferred(), deferred()]
    const faulty = await fakeService((request) => {
      request.socket.on('close', disconnected.resolve)
      requested.resolve()
    })
    const errors: unknown[] = []
    const origin = await startProxy({ endpoint: faulty, onError: (error) => errors.push(error) })
    const caller = new AbortController()
    const response = requestPreview(origin, {}, { signal: caller.signal })
    await requested.promise
    caller.abort()
    await expect(response).rejects.toThrow('abort')
    await disconnected.promise
    expect(errors).toEqual([])
  })

  it('except for a redirect to a stored image', async () => {
    const imagePath = `/images/${'a'.repeat(64)}.jpg`
    const faulty = await fakeService(redirectTo(imagePath))
    const response = await requestPreview(await startProxy({ endpoint: faulty }), {}, { redirect: 'manual' })
    expect([response.status, response.headers.get('location')]).toEqual([302, `/page-preview${imagePath}`])
  })
})

describe('the key', () => {
  it('is in no response to any request', async () => {
    const origin = await startProxy()
    const wrong = await startProxy({ apiKey: 'pp_0123456789ab_hush-hush' })
    const texts: string[] = []
    for (const base of [origin, wrong])
      for (const more of [
        {},
        { embed: 'html', element: '#hero' },
        { element: '#none' },
        { ttl: '1s' },
        { embed: 'title' },
      ]) {
        const response = await requestPreview(base, more as Record<string, string>)
        texts.push(JSON.stringify([...response.headers]) + (await response.text()))
      }
    for (const path of ['/oembed', '/images/none.jpg'])
      texts.push(await (await fetch(`${origin}/page-preview${path}`)).text())
    for (const text of texts) expect(text).not.toMatch(/hush/)
    for (const text of texts) expect(text).not.toContain(key.split('_').slice(2).join('_'))
    expect(JSON.stringify(received)).not.toMatch(/api-?key/i)
  })

  it('that the service does not know is reported as the service reports it', async () => {
    const wrong = await startProxy({ apiKey: 'pp_0123456789ab_hush-hush' })
    expect(await errorOf(await requestPreview(wrong))).toMatchObject({
      http: 403,
      code: 'EAUTH',
      data: { apiKey: 'unknown' },
    })
  })
})

it('says what is missing when the service needs a key', async () => {
  const errors: unknown[] = []
  const proxy = await startProxy({ apiKey: undefined, onError: (error) => errors.push(error) })
  expect(await errorOf(await requestPreview(proxy))).toMatchObject({
    http: 401,
    code: 'EAUTH',
    message: expect.stringContaining('pass apiKey to createProxy'),
  })
  expect(errors).toMatchObject([{ code: 'EAUTH' }])
})

describe('fetch', () => {
  const allow = { targets: ['example.com'], origins: ['https://shop.example'] }
  const page = { status: 'success', data: { title: 'A page' }, statusCode: 200, headers: {}, redirects: [] }
  const isWithinLimit = vi.fn(() => false)
  const proxyTo = (fetch: typeof globalThis.fetch) =>
    createProxy({ endpoint: 'https://service.test', apiKey: 'pp_a_b', allow, isWithinLimit, fetch })

  it('reaches the service without HTTP, for a client on the server of the proxy', async () => {
    const sent: [string, string | null][] = []
    const proxy = proxyTo(async (url, init) => {
      sent.push([url as string, new Headers(init?.headers).get('x-api-key')])
      return Response.json(page)
    })
    const { data } = await createClient({ fetch: proxy.fetch }).page({ url: 'https://example.com/a' })
    expect(data).toEqual({ title: 'A page' })
    expect(sent).toEqual([['https://service.test/?url=https%3A%2F%2Fexample.com%2Fa', 'pp_a_b']])
    expect(isWithinLimit).not.toHaveBeenCalled()
  })

  it('restricts the pages as for a visitor', async () => {
    const client = createClient({ fetch: proxyTo(() => Promise.reject(new Error('unexpected request'))).fetch })
    await expect(client.page({ url: 'https://other.example' })).rejects.toMatchObject({ code: 'EFORBIDDENURL' })
  })

  it('treats a Request as one of a visitor', async () => {
    const proxy = proxyTo(() => Promise.reject(new Error('unexpected request')))
    const response = await proxy.fetch(new Request('https://shop.example/page-preview?url=https://example.com'))
    expect(response.status).toBe(403)
  })

  it('rejects when its signal aborts', async () => {
    const controller = new AbortController()
    const proxy = proxyTo(async (_, init) => {
      controller.abort(new Error('Enough.'))
      init!.signal!.throwIfAborted()
      return Response.json(page)
    })
    const response = proxy.fetch('/page-preview?url=https://example.com', { signal: controller.signal })
    await expect(response).rejects.toThrow('Enough.')
  })
})

describe('invalid options are rejected at once', () => {
  it.each<[string, Partial<ProxyOptions>, string, string]>([
    ['neither targets nor origins', { allow: {} }, 'EINVALQUERY', 'allow'],
    ['a target with a path', { allow: { targets: ['example.com/a'] } }, 'EINVALQUERY', 'allow.targets'],
    ['a target with a scheme', { allow: { targets: ['https://example.com'] } }, 'EINVALQUERY', 'allow.targets'],
    ['an origin with a path', { allow: { origins: ['https://example.com/'] } }, 'EINVALQUERY', 'allow.origins'],
    ['no allow', { allow: undefined }, 'EINVALQUERY', 'allow'],
    ['no endpoint', { endpoint: undefined }, 'EINVALQUERY', 'endpoint'],
    ['a pro host without a key', { endpoint: { pro: 'https://service.test' } }, 'EINVALQUERY', 'apiKey'],
    ['a relative service', { endpoint: '/previews' }, 'EINVALQUERY', 'endpoint'],
    ['a relative path', { publicUrl: 'previews' }, 'EINVALQUERY', 'publicUrl'],
  ])('%s', (_, options, code, option) => {
    const create = () => createProxy({ endpoint: 'https://service.test', allow: { targets: ['*'] }, ...options })
    expect(create).toThrow(expect.objectContaining({ code, data: { [option]: expect.any(String) } }))
  })

  it('no options at all, naming what to pass', () => {
    expect(createProxy as () => unknown).toThrow('options are missing: createProxy({ endpoint:')
  })

  it('an empty key, naming its variable', () => {
    const create = () => createProxy({ endpoint: 'https://service.test', allow: { targets: ['*'] }, apiKey: '' })
    expect(create).toThrow('apiKey is empty: set the environment variable that it comes from')
  })

  it('a key that no header can carry, without revealing it', () => {
    const create = () =>
      createProxy({ endpoint: 'https://service.test', allow: { targets: ['*'] }, apiKey: 'hush\nhush' })
    expect(create).toThrow(expect.objectContaining({ code: 'EAUTH', message: expect.not.stringContaining('hush') }))
  })
})

describe('a list of previews through the proxy', () => {
  const postList = (origin: string, queries: string[], headers: Record<string, string> = {}) =>
    fetch(`${origin}/page-preview/previews`, { method: 'POST', body: JSON.stringify({ queries }), headers })
  const linesOf = async (response: Response) =>
    (await response.text())
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as { index: number; status: number; body: PageResponse & { code?: string } })
      .toSorted((a, b) => a.index - b.index)

  it('has the responses that the proxy gives to each query', async () => {
    const origin = await startProxy({ allow: { targets: [site.host] } })
    const response = await postList(origin, [queryString(), 'url=https://example.com/', queryString({ force: 'true' })])
    expect(response.headers.get('content-type')).toBe('application/x-ndjson')
    expect(response.headers.get('x-accel-buffering')).toBe('no')
    const lines = await linesOf(response)
    expect(lines.map(({ status, body }) => [status, body.code])).toEqual([
      [200, undefined],
      [403, 'EFORBIDDENURL'],
      [400, 'EINVALQUERY'],
    ])
    expect(lines[0]!.body).toEqual(await (await requestPreview(origin)).json())
    expect(JSON.stringify(lines[0])).not.toContain(service.pro)
  })

  it('counts each query for the limit of the visitor', async () => {
    let left = 2
    const origin = await startProxy({ isWithinLimit: () => left-- > 0 })
    const lines = await linesOf(await postList(origin, [queryString(), queryString(), queryString()]))
    expect(lines.filter(({ status }) => status === 429)).toHaveLength(1)
  })

  it('is refused to other origins, and above its bounds', async () => {
    const origin = await startProxy({ allow: { origins: ['https://mine.test'] } })
    expect(await errorOf(await postList(origin, [queryString()], { origin: 'https://other.test' }))).toMatchObject({
      http: 403,
      code: 'EAUTH',
    })
    const allowed = { origin: 'https://mine.test' }
    expect(await errorOf(await postList(origin, Array<string>(51).fill('url=x'), allowed))).toMatchObject({ http: 400 })
    expect(await errorOf(await postList(origin, Array<string>(50).fill('x'.repeat(4_000)), allowed))).toMatchObject({
      http: 400,
    })
  })

  it('is what createBatchFetch sends, also in the process of the proxy', async () => {
    const methods: string[] = []
    const proxy = createProxy({ endpoint: service.pro, apiKey: key, allow: { targets: ['*'] } })
    const counted: typeof fetch = (url, init) => {
      methods.push(init?.method ?? 'GET')
      return proxy.fetch(url, init)
    }
    const client = createClient({ endpoint: '/page-preview', fetch: createBatchFetch({ fetch: counted }) })
    const results = await Promise.all([client.page({ url: `${site.url}/` }), client.page({ url: `${site.url}/?2` })])
    expect(results.map(({ data }) => data.title)).toEqual(['A page', 'A page'])
    expect(methods).toEqual(['POST'])
  })
})
