import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openPreviewSource, type PreviewSource } from '../../src/static/preview-source.js'
import { localSite, type LocalSite } from '../local-site.js'

const signal = new AbortController().signal
const json = (body: unknown, headers: Record<string, string> = {}, status = 200) =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json', ...headers } })
const success = { status: 'success', data: { title: 'One' }, statusCode: 200, headers: {}, redirects: [] }
const busy = () => json({ status: 'error', code: 'EBUSY', message: 'Busy.' }, { 'retry-after': '0' }, 503)

/** A source whose service sends these responses in turn. */
function scripted(responses: (() => Response | Promise<Response>)[], apiKey?: string) {
  const requests: { url: URL; init: RequestInit }[] = []
  const source = openPreviewSource({
    endpoint: 'https://previews.test',
    apiKey,
    fetch: async (url, init = {}) => {
      requests.push({ url: new URL(url as string), init })
      return responses[Math.min(requests.length, responses.length) - 1]!()
    },
  })
  return { source, requests }
}

describe('a running service', () => {
  it('is asked for the result, without parameters of delivery', async () => {
    const headers = { 'x-timestamp': '1700000000000', 'x-cache-status': 'HIT' }
    const { source, requests } = scripted([() => json({ ...success, warnings: ['Slow.'] }, headers)])
    const page = await source.page({ url: 'https://a.test/', screenshot: true, embed: true, nonsense: 1 }, signal)
    expect(page).toEqual({
      data: { title: 'One' },
      statusCode: 200,
      redirects: [],
      producedAt: 1_700_000_000_000,
      cacheStatus: 'HIT',
      warnings: ['Unknown parameter "nonsense" was ignored.', 'Slow.'],
    })
    expect(requests[0]!.url.searchParams.has('embed')).toBe(false)
    expect(requests[0]!.url.searchParams.get('screenshot')).toBe('true')
  })

  it('gets the key as a header, which no redirect takes to another origin', async () => {
    const { source, requests } = scripted([() => json(success)], 'pp_a_b')
    await source.page({ url: 'https://a.test/', headers: { apiKey: 'pp_other_key' } }, signal)
    expect(requests[0]!.url.href).not.toContain('pp_')
    expect(requests[0]!.init).toMatchObject({ headers: { 'x-api-key': 'pp_a_b' }, redirect: 'manual' })
  })

  it('delivers images in a variant with their size', async () => {
    const headers = { 'content-type': 'image/webp', 'x-image-width': '320', 'x-image-height': '200' }
    const { source, requests } = scripted([() => new Response(Buffer.from('RIFF\0\0\0\0WEBPVP8 '), { headers })])
    const query = { url: 'https://a.test/', screenshot: true, force: true }
    const image = await source.image(query, 'screenshot', { width: 320, type: 'webp' }, signal)
    expect(image).toMatchObject({ type: 'webp', width: 320, height: 200 })
    expect(String(image.bytes)).toMatch(/^RIFF/)
    expect(Object.fromEntries(requests[0]!.url.searchParams)).toMatchObject({
      embed: 'screenshot.url',
      'variant.width': '320',
      'variant.type': 'webp',
    })
    expect(requests[0]!.url.searchParams.has('force')).toBe(false)
  })

  it('requests the limits of an image', async () => {
    const { source, requests } = scripted([
      () => new Response(Buffer.from('RIFF\0\0\0\0WEBPVP8 '), { headers: { 'content-type': 'image/webp' } }),
    ])
    const limits = { maxSide: 1_568, maxBytes: 1_000_000 }
    await source.image({ url: 'https://a.test/', screenshot: true }, 'screenshot', limits, signal)
    const { searchParams } = requests[0]!.url
    expect([searchParams.get('variant.maxSide'), searchParams.get('variant.maxBytes')]).toEqual(['1568', '1000000'])
  })

  it('lists the tiles of a screenshot, and delivers each, of a result as fresh as the settings say', async () => {
    const image = () =>
      new Response(Buffer.from('\xff\xd8\xff', 'latin1'), { headers: { 'content-type': 'image/jpeg' } })
    const requests: URLSearchParams[] = []
    const fetch = async (url: unknown) => {
      requests.push(new URL(String(url)).searchParams)
      return requests.length === 1 ? json(success) : image()
    }
    const source = openPreviewSource({ endpoint: 'https://previews.test', fetch }, { ttl: '1m' })
    const query = { url: 'https://a.test/', screenshot: true }
    await source.page(query, signal, { tiles: true, maxSide: 1_568 })
    await source.image(query, 'screenshot.tiles.3', { maxSide: 1_568 }, signal)
    expect(requests.map((each) => Object.fromEntries(each))).toMatchObject([
      { 'variant.tiles': 'true', 'variant.maxSide': '1568', ttl: '60000' },
      { embed: 'screenshot.tiles.3.url', 'variant.maxSide': '1568', ttl: '60000' },
    ])
  })

  it('is not requested again while it is busy if the settings say so', async () => {
    let requests = 0
    const fetch = async () => (requests++, busy())
    const source = openPreviewSource({ endpoint: 'https://previews.test', fetch }, { retries: 0 })
    await expect(source.page({ url: 'https://a.test/' }, signal)).rejects.toMatchObject({ code: 'EBUSY' })
    expect(requests).toBe(1)
  })

  it('delivers an image once for all of its variants', async () => {
    const bytes = await sharp({ create: { width: 400, height: 200, channels: 3, background: '#c00' } })
      .jpeg()
      .toBuffer()
    const headers = { 'content-type': 'image/jpeg', 'x-image-width': '400', 'x-image-height': '200' }
    const { source, requests } = scripted([() => new Response(Uint8Array.from(bytes), { headers })])
    const widths = [{ width: 320, type: 'webp' }, { width: 640, type: 'webp' }, { width: 640 }] as const
    const variants = await source.variants({ url: 'https://a.test/' }, 'screenshot', widths, signal)
    expect(variants).toMatchObject([
      { type: 'webp', width: 320, height: 160 },
      { type: 'webp', width: 400, height: 200 },
      { type: 'jpg', width: 400, height: 200 },
    ])
    expect(requests).toHaveLength(1)
    await source.close()
  })

  it('delivers an image without variants as it is, and refuses a broken one', async () => {
    const imageOf = (bytes: string) => () =>
      new Response(Buffer.from(bytes, 'latin1'), { headers: { 'content-type': 'image/png' } })
    const { source } = scripted([imageOf('\0\0\x01\0icon'), imageOf('\x89PNG\r\n\x1a\nbroken')])
    const variants = () => source.variants({ url: 'https://a.test/' }, 'image', [{ width: 320, type: 'webp' }], signal)
    expect(await variants()).toMatchObject([{ type: 'ico' }])
    await expect(variants()).rejects.toMatchObject({ code: 'ENOEMBED' })
    await source.close()
  })

  const script = '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'
  it.each([
    ['image/svg+xml', script],
    ['image/svg+xml; charset=utf-8', `\ufeff<?xml version="1.0"?>\n${script}`],
    ['image/png', script],
    ['image/x-icon', '<!doctype html><script>alert(1)</script>'],
    ['image/jpeg', `\n\n${script}`],
    ['image/avif', '<!--ftypavif--><script>alert(1)</script>'],
    ['image/webp', '%PDF-1.7'],
    ['image/bmp', ''],
  ])('delivers no document as an image (%s, %j)', async (type, body) => {
    const { source } = scripted([() => new Response(body, { headers: { 'content-type': type } })])
    const query = { url: 'https://a.test/' }
    await expect(source.image(query, 'image', {}, signal)).rejects.toMatchObject({ code: 'ENOEMBED' })
    await expect(source.variants(query, 'logo', [{ width: 320 }], signal)).rejects.toMatchObject({ code: 'ENOEMBED' })
    await source.close()
  })

  it('delivers an image with the type of its bytes, whatever its content type', async () => {
    const bodies = { gif: 'GIF89a', jpg: '\xff\xd8\xff', avif: '\0\0\0\x1cftypavif', ico: '\0\0\x01\0', bmp: 'BM' }
    for (const [type, body] of Object.entries(bodies)) {
      const headers = { 'content-type': 'image/png' }
      const { source } = scripted([() => new Response(Buffer.from(body, 'latin1'), { headers })])
      expect(await source.image({ url: 'https://a.test/' }, 'logo', {}, signal)).toMatchObject({ type })
    }
  })

  it('is asked again when it says when', async () => {
    const { source, requests } = scripted([busy, busy, () => json(success)])
    await expect(source.page({ url: 'https://a.test/' }, signal)).resolves.toMatchObject({ data: { title: 'One' } })
    expect(requests).toHaveLength(3)
  })

  it('is asked again when its key has too many requests at the same time', async () => {
    const concurrent = { status: 'fail', code: 'ERATE', message: 'Too many requests of this key.' }
    const { source, requests } = scripted([() => json(concurrent, { 'retry-after': '0' }, 429), () => json(success)])
    await expect(source.page({ url: 'https://a.test/' }, signal)).resolves.toMatchObject({ data: { title: 'One' } })
    expect(requests).toHaveLength(2)
  })

  it('is not asked again for a page that failed, nor after a wait of hours', async () => {
    const unreachable = { status: 'error', code: 'EUNREACHABLE', message: 'Nobody there.' }
    const { source: dead, requests } = scripted([() => json(unreachable, {}, 502)])
    await expect(dead.page({ url: 'https://a.test/' }, signal)).rejects.toMatchObject({ code: 'EUNREACHABLE' })
    expect(requests).toHaveLength(1)
    const rate = { status: 'fail', code: 'ERATE', message: 'The daily limit is reached.' }
    const limited = scripted([() => json(rate, { 'retry-after': '9000' }, 429)])
    await expect(limited.source.page({ url: 'https://a.test/' }, signal)).rejects.toMatchObject({ code: 'ERATE' })
    expect(limited.requests).toHaveLength(1)
  })

  it.each([
    ['a page of HTML', () => new Response('<h1>Hello</h1>')],
    ['JSON of something else', () => json([1])],
    ['an error of something else', () => new Response('no', { status: 404 })],
  ])('that responds with %s is not a preview service', async (_, response) => {
    const { source } = scripted([response])
    await expect(source.page({ url: 'https://a.test/' }, signal)).rejects.toMatchObject({ code: 'EFATALCLIENT' })
  })

  it('that sends no image, or another in its place, has none', async () => {
    const instead = { 'content-type': 'image/png', 'x-image-source': 'image' }
    for (const response of [() => json(null), () => new Response('x', { headers: instead })]) {
      const { source } = scripted([response])
      const image = source.image({ url: 'https://a.test/' }, 'screenshot', {}, signal)
      await expect(image).rejects.toMatchObject({ code: 'ENOEMBED' })
    }
  })

  it('that sends without end is cut off', async () => {
    const endless = () =>
      new Response(new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array(5_000_000)) }))
    const { source } = scripted([endless])
    await expect(source.page({ url: 'https://a.test/' }, signal)).rejects.toMatchObject({ code: 'ETOOLARGE' })
  })

  it('that sends an error without end is not a preview service, and its request is not quoted', async () => {
    const body = () => new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array(50_000)) })
    const { source } = scripted([() => new Response(body(), { status: 500 })])
    const error = await source
      .page({ url: 'https://a.test/', headers: { authorization: 'secret' } }, signal)
      .catch((cause: unknown) => cause)
    expect(error).toMatchObject({ code: 'EFATALCLIENT', status: 500 })
    expect(String(error)).not.toContain('a.test')
  })

  it('is left as soon as the signal aborts, also between two attempts', async () => {
    const abort = new AbortController()
    const { source } = scripted([
      () => {
        queueMicrotask(() => abort.abort(new Error('stopped')))
        return json({ status: 'error', code: 'EBUSY', message: 'Busy.' }, { 'retry-after': '50' }, 503)
      },
    ])
    await expect(source.page({ url: 'https://a.test/' }, abort.signal)).rejects.toThrow('stopped')
  })
})

describe('a service in this process', () => {
  let site: LocalSite
  let source: PreviewSource
  beforeAll(async () => {
    site = await localSite({ '/': '<title>Local</title><body style="background:#c00"><h1>Hello</h1>' })
    source = openPreviewSource({ allowTargets: [site.host], allowUnsandboxed: true })
  })
  afterAll(async () => {
    await source.close()
    await site.close()
  })

  it('captures a page once for its result and all of its images', async () => {
    const query = { url: `${site.url}/`, screenshot: true, ping: false }
    const { data, cacheStatus } = await source.page(query, signal)
    expect(data).toMatchObject({ title: 'Local', screenshot: { width: 2560, height: 1600 } })
    expect(cacheStatus).toBe('MISS')
    const before = site.requests.length
    const webp = await source.image(query, 'screenshot', { width: 320, type: 'webp' }, signal)
    expect(webp).toMatchObject({ type: 'webp', width: 320, height: 200 })
    expect(await source.image(query, 'screenshot', {}, signal)).toMatchObject({ type: 'jpg', width: 2560 })
    expect(site.requests).toHaveLength(before)
  })

  it('has its network guard', async () => {
    const forbidden = source.page({ url: 'http://127.0.0.1:1/' }, signal)
    await expect(forbidden).rejects.toMatchObject({ code: 'EFORBIDDENURL' })
  })

  it('starts nothing when it is closed before its first request', async () => {
    await openPreviewSource({ browser: '/no/such/browser' }).close()
  })
})
