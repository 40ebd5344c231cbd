import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { PageResponse } from '../../../src/query/index.js'
import { createService, type Service } from '../../../src/server/index.js'
import { localSite, type LocalSite, type Route } from '../../local-site.js'

const DAY_MS = 86_400_000
const SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="140" height="70"><script>parent.hacked = 1</script></svg>'
const MEDIA_BYTES = Buffer.from(Array.from({ length: 1_000 }, (_, at) => at % 256))

let site: LocalSite
let canary: LocalSite
let service: Service
let now = Date.parse('2026-01-31T12:00:00Z')

const file =
  (bytes: Uint8Array | string, contentType: string): Route =>
  (_, response) =>
    void response.writeHead(200, { 'content-type': contentType }).end(bytes)
const png = (width: number, colour = '#0a7') =>
  sharp({ create: { width, height: width / 2, channels: 3, background: colour } })
    .png()
    .toBuffer()

/** A page with `<meta property="og:…">` for each media URL. */
const page = (media: Record<string, string>) =>
  `<!doctype html><html lang="en"><head><title>A page</title><meta name="description" content="A short page">${Object.entries(
    media,
  )
    .map(([name, url]) => `<meta property="og:${name}" content="${url}">`)
    .join('')}</head><body style="margin:0"><h1 id="hero" style="width:300px;height:150px">A page</h1></body></html>`

const requestPage = (path: string, parameters: Record<string, string>, init?: RequestInit) =>
  service.fetch(
    new Request(`http://previews.test/?${new URLSearchParams({ url: `${site.url}${path}`, ...parameters })}`, init),
  )
const bytesOf = async (response: Response) => Buffer.from(await response.arrayBuffer())
const requestsOf = (path: string) => site.requests.filter((request) => request === `GET ${path}`).length

beforeAll(async () => {
  canary = await localSite({ '/image.png': 'reached' })
  site = await localSite({ '/': page({}) })
  service = createService({ allowTargets: [site.host], clock: () => now })
  const { routes, url } = site
  routes['/image.png'] = file(await png(200), 'image/png')
  routes['/vector.svg'] = file(SVG, 'image/svg+xml')
  routes['/audio.mp3'] = file(MEDIA_BYTES, 'audio/mpeg')
  routes['/video.mp4'] = file(MEDIA_BYTES, 'video/mp4; codecs="avc1"')
  routes['/unknown'] = file(await png(120), 'application/octet-stream')
  routes['/download'] = file(await png(120), 'application/force-download')
  routes['/page.html'] = '<title>Not an image</title><svg></svg>'
  routes['/script.js'] = file('alert(1)', 'text/javascript')
  routes['/huge.png'] = (_, response) => {
    response.writeHead(200, { 'content-type': 'image/png' })
    const more = () => {
      while (response.writable && response.write(Buffer.alloc(1_000_000)));
    }
    response.on('drain', more)
    more()
  }
  routes['/media'] = page({ image: `${url}/image.png`, audio: `${url}/audio.mp3`, video: `${url}/video.mp4` })
  await service.ready()
})

afterAll(async () => {
  await service.close()
  await Promise.all([site.close(), canary.close()])
})

describe('an embedded media file', () => {
  it('has its own bytes, type and size, and is displayed but never run', async () => {
    const response = await requestPage('/media', { embed: 'image.url' })
    const bytes = await bytesOf(response)
    expect(response.status).toBe(200)
    expect(await sharp(bytes).metadata()).toMatchObject({ format: 'png', width: 200, height: 100 })
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'image/png',
      'content-length': String(bytes.byteLength),
      'content-disposition': 'inline',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "sandbox; default-src 'none'",
      'cross-origin-resource-policy': 'cross-origin',
      'timing-allow-origin': '*',
      'x-image-width': '200',
      'x-image-height': '100',
      'x-image-size': String(bytes.byteLength),
      'x-cache-status': 'MISS',
      etag: expect.stringMatching(/^"[\da-f]{64}"$/),
    })
    const notModified = await requestPage(
      '/media',
      { embed: 'image' },
      { headers: { 'if-none-match': response.headers.get('etag')! } },
    )
    expect([notModified.status, notModified.headers.get('x-cache-status')]).toEqual([304, 'HIT'])
  })

  it('may be an icon in the page itself, which has variants too', async () => {
    const icon = `data:image/png;base64,${(await png(64)).toString('base64')}`
    site.routes['/inline'] = `<title>Inline</title><link rel="icon" href="${icon}">`
    for (const [parameters, type] of [
      [{}, 'image/png'],
      [{ 'variant.width': '320', 'variant.type': 'webp' }, 'image/webp'],
    ] as const) {
      const { status, headers } = await requestPage('/inline', { embed: 'logo.url', ...parameters })
      expect([status, headers.get('content-type'), headers.get('x-image-width')]).toEqual([200, type, '64'])
    }
  })

  it('is fetched once for several requests', async () => {
    site.routes['/once.png'] = file(await png(80), 'image/png')
    site.routes['/once'] = page({ image: `${site.url}/once.png` })
    const responses = await Promise.all(
      ['image', 'image.url', 'image.url'].map((embed) => requestPage('/once', { embed, ping: 'false' })),
    )
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200])
    await requestPage('/once', { embed: 'image.url', ping: 'false', ttl: '2d' })
    expect(requestsOf('/once.png')).toBe(1)
  })

  it('can be audio or video, with range requests', async () => {
    const audio = await requestPage('/media', { embed: 'audio.url' })
    expect([audio.headers.get('content-type'), audio.headers.get('accept-ranges')]).toEqual(['audio/mpeg', 'bytes'])
    expect(await bytesOf(audio)).toEqual(MEDIA_BYTES)
    const video = await requestPage('/media', { embed: 'video' }, { headers: { range: 'bytes=100-199' } })
    expect([video.status, video.headers.get('content-range')]).toEqual([206, 'bytes 100-199/1000'])
    expect(video.headers.get('content-type')).toBe('video/mp4')
    expect(await bytesOf(video)).toEqual(MEDIA_BYTES.subarray(100, 200))
    const suffix = await requestPage('/media', { embed: 'video' }, { headers: { range: 'bytes=-10' } })
    expect(await bytesOf(suffix)).toEqual(MEDIA_BYTES.subarray(-10))
    const longSuffix = await requestPage('/media', { embed: 'video' }, { headers: { range: 'bytes=-2000' } })
    expect([longSuffix.status, longSuffix.headers.get('content-range')]).toEqual([206, 'bytes 0-999/1000'])
    expect(await bytesOf(longSuffix)).toEqual(MEDIA_BYTES)
    const changed = await requestPage(
      '/media',
      { embed: 'video' },
      { headers: { range: 'bytes=0-9', 'if-range': '"other"' } },
    )
    expect([changed.status, (await bytesOf(changed)).byteLength]).toEqual([200, 1_000])
  })

  it('that is an SVG can be shown in an <img>, but is not opened as a document', async () => {
    site.routes['/with-svg'] = page({ image: `${site.url}/vector.svg` })
    const { headers } = await requestPage('/with-svg', { embed: 'image.url' })
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'image/svg+xml',
      'content-disposition': expect.stringMatching(/^attachment/),
      'x-content-type-options': 'nosniff',
      'content-security-policy': "sandbox; default-src 'none'",
    })
  })

  it.each(['/unknown', '/download'])('without a meaningful type is recognised by its first bytes: %s', async (path) => {
    site.routes['/with-unknown'] = page({ image: site.url + path })
    const { status, headers } = await requestPage('/with-unknown', { embed: 'image.url', ping: 'false', force: 'true' })
    expect([status, headers.get('content-type'), headers.get('x-image-width')]).toEqual([200, 'image/png', '120'])
  })

  it.each([
    ['a page', 'image', '/page.html', 404, 'ENOEMBED'],
    ['a script', 'image', '/script.js', 404, 'ENOEMBED'],
    ['audio instead of an image', 'image', '/audio.mp3', 404, 'ENOEMBED'],
    ['an image instead of audio', 'audio', '/image.png', 404, 'ENOEMBED'],
    ['missing', 'image', '/nowhere.png', 404, 'ENOEMBED'],
    ['endless', 'image', '/huge.png', 422, 'ETOOLARGE'],
    ['on a host that does not exist', 'image', 'http://no-such-host.invalid/a.png', 502, 'EUNREACHABLE'],
    ['at a private address', 'image', 'http://10.0.0.1/a.png', 403, 'EFORBIDDENURL'],
  ])('that is %s is rejected', async (kind, field, path, status, code) => {
    const pagePath = `/rejected-${kind.replaceAll(' ', '-')}`
    site.routes[pagePath] = page({ [field]: path.startsWith('http') ? path : `${site.url}${path}` })
    const response = await requestPage(pagePath, { embed: `${field}.url`, ping: 'false' })
    expect([response.status, await response.json()]).toMatchObject([
      status,
      { code, data: { embed: expect.any(String) } },
    ])
  })

  it('that is missing is not fetched with each request', async () => {
    site.routes['/dead'] = page({ image: `${site.url}/nowhere.png?dead` })
    for (let attempt = 0; attempt < 3; attempt++)
      expect((await requestPage('/dead', { embed: 'image.url', ping: 'false' })).status).toBe(404)
    expect(site.requests.filter((request) => request.includes('nowhere.png?dead'))).toHaveLength(1)
  })

  it('must not redirect to a private address', async () => {
    site.routes['/hop.png'] = (_, response) =>
      void response.writeHead(302, { location: `${canary.url}/image.png` }).end()
    site.routes['/hops'] = page({ image: `${site.url}/hop.png` })
    const response = await requestPage('/hops', { embed: 'image.url', ping: 'false' })
    expect(await response.json()).toMatchObject({ code: 'EFORBIDDENURL' })
    expect(canary.requests).toEqual([])
  })

  it('is fetched again with a revalidated result, and stays cached when that fails', async () => {
    const parameters = { embed: 'image.url', ping: 'false', staleTtl: '1h' }
    const status = async () => {
      const response = await requestPage('/changing', parameters)
      return [response.status, response.headers.get('x-cache-status'), response.headers.get('x-image-width')]
    }
    site.routes['/changing.png'] = file(await png(140), 'image/png')
    site.routes['/changing'] = page({ image: `${site.url}/changing.png` })
    expect(await status()).toEqual([200, 'MISS', '140'])
    expect(await status()).toEqual([200, 'HIT', '140'])

    site.routes['/changing.png'] = file(await png(160), 'image/png')
    now += 2 * 3_600_000
    expect(await status()).toEqual([200, 'STALE', '140'])
    await expect.poll(status).toEqual([200, 'MISS', '160'])

    delete site.routes['/changing.png']
    now += 2 * 3_600_000
    expect(await status()).toEqual([200, 'STALE', '160'])
    await expect.poll(() => requestsOf('/changing')).toBe(3)
    await expect.poll(() => requestsOf('/changing.png')).toBe(2)
    expect(await status()).toEqual([200, 'STALE', '160'])
    expect(requestsOf('/changing.png')).toBe(3)
  })

  it('consumes quota when it has to be fetched for a cached result', async () => {
    const remaining = async (parameters: Record<string, string>) =>
      Number((await requestPage('/counted', parameters)).headers.get('x-rate-limit-remaining'))
    site.routes['/counted.png'] = file(await png(140), 'image/png')
    site.routes['/counted'] = page({ image: `${site.url}/counted.png` })
    const first = await remaining({})
    expect(await remaining({ embed: 'image.url' })).toBe(first - 1)
    expect(await remaining({ embed: 'image.url', ttl: '3d' })).toBe(first - 1)
  })
})

describe('any other field', () => {
  it.each([
    ['title', 'text/plain; charset=utf-8', 'A page'],
    ['lang', 'text/plain; charset=utf-8', 'en'],
    ['image.width', 'application/json; charset=utf-8', '200'],
    ['image.type', 'text/plain; charset=utf-8', 'png'],
  ])('%s is returned as %s', async (embed, type, text) => {
    const response = await requestPage('/media', { embed })
    expect([response.headers.get('content-type'), await response.text()]).toEqual([type, text])
    expect(response.headers.get('x-content-type-options')).toBe('nosniff')
  })

  it.each(['author', 'logo', 'nothing.at.all', 'title.length', 'toString', 'true'])(
    '%s has no value',
    async (embed) => {
      const response = await requestPage('/media', { embed })
      expect([response.status, await response.json()]).toMatchObject([404, { status: 'fail', code: 'ENOEMBED' }])
    },
  )
})

describe('a card', () => {
  it('is HTML without scripts that any page may frame, with the screenshot and the oEmbed link', async () => {
    const response = await requestPage('/media', { embed: 'html', element: '#hero' })
    const html = await response.text()
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
    const policy = response.headers.get('content-security-policy')!
    expect(policy).toContain("default-src 'none'")
    expect(policy).not.toMatch(/script-src|frame-ancestors/)
    expect(response.headers.has('x-frame-options')).toBe(false)
    expect(response.headers.get('cross-origin-resource-policy')).toBe('cross-origin')
    expect(response.headers.get('timing-allow-origin')).toBe('*')
    expect(html).not.toMatch(/<script|\son\w+=|javascript:/i)
    expect(html).toMatch(/<a class="pp-link" href="http:\/\/127\.0\.0\.1:\d+\/media"/)
    expect(html).toMatch(
      /<img class="pp-image" src="http:\/\/previews\.test\/images\/\w{64}\.jpg" width="600" height="300" alt="A page"/,
    )
    expect(html).toContain('A short page')
    expect(html).toContain('.page-preview')

    const [, discovery] = /application\/json\+oembed" href="([^"]+)"/.exec(html)!
    expect(response.headers.get('link')).toContain(discovery!.replaceAll('&amp;', '&'))
    const oembed = await service.fetch(new Request(discovery!.replaceAll('&amp;', '&')))
    expect(await oembed.json()).toMatchObject({ type: 'photo', width: 600, height: 300 })
  })

  it('contains neither the key nor the headers of the request', async () => {
    const html = await (
      await requestPage('/media', { embed: 'html', 'headers.apiKey': 'pp_a_secret', 'headers.x-own': 'mine' })
    ).text()
    expect(html).not.toMatch(/secret|mine/)
  })
})

it('stores an embedded file as long as the result that refers to it', async () => {
  await requestPage('/media', { embed: 'image.url' })
  const before = requestsOf('/image.png')
  now += 30 * DAY_MS
  const later = await requestPage('/media', { embed: 'image.url', staleTtl: '31d' })
  expect([later.status, later.headers.get('x-cache-status')]).toEqual([200, 'HIT'])
  expect(requestsOf('/image.png')).toBe(before)
})

describe('the tiles of a screenshot', () => {
  const TALL = { 'screenshot.fullPage': 'true', 'screenshot.type': 'png', 'variant.tiles': 'true' }
  const SCREEN = { 'viewport.width': '400', 'viewport.height': '300', 'viewport.deviceScaleFactor': '2' }
  const parameters = { ...TALL, ...SCREEN, 'variant.maxSide': '1024' }
  const BAND = 100
  /** How light the grey of a band is, from 0 to 255. */
  const levelAt = (y: number) => Math.floor(y / BAND) * 8
  const bands = Array.from({ length: 30 }, (_, index) => {
    const level = levelAt(index * BAND)
    return `<div style="height:${BAND}px;background:rgb(${level},${level},${level})"></div>`
  }).join('')
  const tilesOf = async (path: string, search: Record<string, string> = parameters) => {
    const { data } = (await (await requestPage(path, search)).json()) as PageResponse
    return data.screenshot!.tiles!
  }
  beforeAll(() => {
    site.routes['/tall'] = `<title>Tall</title><body style="margin:0">${bands}`
  })

  it('show together all of the page, each what its place says, in the pixels of the screenshot', async () => {
    const tiles = await tilesOf('/tall')
    expect(tiles.map(({ x, width, height, scale }) => [x, width, height, scale])).toEqual(
      tiles.map(() => [0, 400, 472.5, 2]),
    )
    expect(tiles.map(({ y }) => y)).toEqual([0, 421.5, 842.5, 1_264, 1_685, 2_106.5, 2_527.5])
    expect(tiles.at(-1)!.y + tiles.at(-1)!.height).toBe(3_000)
    for (const { url, y, height } of tiles) {
      const { data, info } = await sharp(await bytesOf(await service.fetch(new Request(url))))
        .greyscale()
        .raw()
        .toBuffer({ resolveWithObject: true })
      expect([info.width, info.height]).toEqual([800, Math.round(height * 2)])
      for (const row of [10, info.height - 10]) expect(data[row * info.width + 5]).toBe(levelAt(y + row / 2))
    }
  })

  it('are listed of the cached capture, and only if they are requested', async () => {
    await requestPage('/tall', { ...TALL, ...SCREEN })
    const response = await requestPage('/tall', { ...TALL, ...SCREEN, 'variant.maxSide': '2048' })
    expect(response.headers.get('x-cache-status')).toBe('HIT')
    const { data } = (await response.json()) as PageResponse
    expect(data.screenshot!.tiles).toHaveLength(4)
    const { 'variant.tiles': _, ...without } = TALL
    const plain = (await (await requestPage('/tall', { ...without, ...SCREEN })).json()) as PageResponse
    expect(Object.keys(plain.data.screenshot!)).not.toContain('tiles')
    expect(Object.keys(plain.data.screenshot!)).not.toContain('area')
  })

  it('can be embedded by their number, as a file within the limits', async () => {
    const limits = { 'variant.maxBytes': '5000', 'variant.type': 'jpg' }
    const response = await requestPage('/tall', { ...parameters, ...limits, embed: 'screenshot.tiles.1.url' })
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'image/jpeg'])
    expect(Number(response.headers.get('x-image-height'))).toBeLessThanOrEqual(1_024)
    expect((await bytesOf(response)).byteLength).toBeLessThanOrEqual(5_000)
    const missing = await requestPage('/tall', { ...parameters, embed: 'screenshot.tiles.7.url' })
    expect([missing.status, await missing.json()]).toMatchObject([404, { code: 'ENOEMBED' }])
  })

  it('are placed on the page, whether an element was captured, the viewport was scrolled, or a window is around them', async () => {
    site.routes['/placed'] =
      `<body style="margin:0">${bands}<div id="far" style="position:absolute;left:40px;top:1500px;width:300px;height:200px">`
    const placeOf = async (search: Record<string, string>) => {
      const [tile] = await tilesOf('/placed', { ...SCREEN, screenshot: 'true', 'variant.tiles': 'true', ...search })
      return [tile!.x, tile!.y, tile!.width, tile!.height, tile!.scale]
    }
    expect(await placeOf({ element: '#far' })).toEqual([40, 1_500, 300, 200, 2])
    const [x, y, width, height] = await placeOf({ scroll: '#far' })
    expect([x, width, height]).toEqual([0, 400, 300])
    expect(y).toBeGreaterThan(1_300)
    const framed = await placeOf({ element: '#far', 'overlay.browser': 'light' })
    expect(framed[0]).toBeLessThan(40)
    expect(framed[1]).toBeLessThan(1_500)
    expect(framed[0]! + framed[2]!).toBeGreaterThan(340)
  })

  it('are refused if there would be hundreds', async () => {
    const response = await requestPage('/tall', { ...parameters, 'variant.maxSide': '16' })
    expect([response.status, await response.json()]).toMatchObject([
      422,
      { code: 'ETOOLARGE', data: { 'variant.maxSide': expect.any(String) } },
    ])
  })
})

describe('an embedded image', () => {
  const screenshot = { element: '#hero', embed: 'screenshot.url' }
  const formatOf = async (response: Response) => {
    const { format, width, height } = await sharp(await bytesOf(response)).metadata()
    const { headers } = response
    expect([headers.get('x-image-width'), headers.get('x-image-height')]).toEqual([String(width), String(height)])
    return [format, width, height, headers.get('vary')?.split(', ').includes('accept')]
  }

  it.each<[string, Record<string, string>, string, unknown[]]>([
    ['a screenshot as captured', screenshot, 'image/webp', ['jpeg', 600, 300, false]],
    ['a width', { ...screenshot, 'variant.width': '320' }, '*/*', ['jpeg', 320, 160, true]],
    [
      'the type that a browser accepts',
      { ...screenshot, 'variant.width': '320' },
      'image/avif,image/webp,*/*;q=0.8',
      ['webp', 320, 160, true],
    ],
    ['a type that is refused', { ...screenshot, 'variant.width': '320' }, 'image/webp;q=0', ['jpeg', 320, 160, true]],
    ['a type', { ...screenshot, 'variant.type': 'png' }, 'image/webp', ['png', 600, 300, false]],
    ['both', { ...screenshot, 'variant.width': '320', 'variant.type': 'webp' }, '*/*', ['webp', 320, 160, false]],
    [
      'a width above its own',
      { ...screenshot, 'variant.width': '1920', 'variant.type': 'jpg' },
      '*/*',
      ['jpeg', 600, 300, false],
    ],
    [
      'the image of the page',
      { embed: 'image', 'variant.width': '320', 'variant.type': 'webp' },
      '*/*',
      ['webp', 200, 100, false],
    ],
    ['at most a side', { ...screenshot, 'variant.maxSide': '400' }, '*/*', ['jpeg', 400, 200, true]],
    [
      'at most a side, in the type that a browser accepts',
      { ...screenshot, 'variant.maxSide': '400' },
      'image/webp',
      ['webp', 400, 200, true],
    ],
    [
      'captured, within its limits',
      { ...screenshot, 'variant.maxSide': '600', 'variant.maxBytes': '1000000' },
      'image/webp',
      ['jpeg', 600, 300, true],
    ],
    [
      'at most a side and a width',
      { ...screenshot, 'variant.maxSide': '512', 'variant.width': '320', 'variant.type': 'png' },
      '*/*',
      ['png', 320, 160, false],
    ],
    [
      'the image of the page, at most a side',
      { embed: 'image', 'variant.maxSide': '64', 'variant.type': 'jpg' },
      '*/*',
      ['jpeg', 64, 32, false],
    ],
  ])('is delivered as %s', async (_, parameters, accept, format) => {
    const response = await requestPage('/media', parameters, { headers: { accept } })
    expect(await formatOf(response)).toEqual(format)
  })

  it.each<Record<string, string>>([
    { 'variant.width': '640' },
    { 'variant.maxSide': '100' },
    { 'variant.maxBytes': '2000' },
  ])('is captured once for all its variants: %j', async (variant) => {
    await requestPage('/media?once', screenshot)
    const response = await requestPage('/media?once', { ...screenshot, ...variant })
    expect(response.headers.get('x-cache-status')).toBe('HIT')
  })

  it.each(['jpg', 'png', 'webp', 'avif'])('is a file of at most so many bytes as %s', async (type) => {
    const parameters = { ...screenshot, 'variant.maxBytes': '2500', 'variant.type': type }
    const response = await requestPage('/media', parameters)
    expect(response.status).toBe(200)
    expect(Number(response.headers.get('x-image-size'))).toBeLessThanOrEqual(2_500)
    expect((await bytesOf(response)).byteLength).toBeLessThanOrEqual(2_500)
  })

  it.each([
    ['variant.width', '321', 'must be one of 320, 640, 960, 1280, 1920'],
    ['variant.maxSide', '0', 'must be a whole number from 16 to 65500'],
    ['variant.maxBytes', '1kB', 'must be a whole number from 2000 to 25000000'],
  ])('is refused with %s=%s, which is not offered', async (name, value, reason) => {
    const response = await requestPage('/media', { ...screenshot, [name]: value })
    expect([response.status, await response.json()]).toMatchObject([
      400,
      { code: 'EINVALQUERY', data: { [name]: reason } },
    ])
  })

  it('keeps its type if it is longer than a WebP can be, and would be scaled down for it', async () => {
    const tall = sharp({ create: { width: 70, height: 18_000, channels: 3, background: '#07a' } })
    site.routes['/tall.png'] = file(await tall.png().toBuffer(), 'image/png')
    site.routes['/with-tall'] = page({ image: `${site.url}/tall.png` })
    const sizeOf = async (maxSide: string) => {
      const headers = { accept: 'image/webp' }
      const response = await requestPage('/with-tall', { embed: 'image', 'variant.maxSide': maxSide }, { headers })
      return [response.headers.get('content-type'), response.headers.get('x-image-height')]
    }
    expect(await sizeOf('17408')).toEqual(['image/png', '17408'])
    expect(await sizeOf('16000')).toEqual(['image/webp', '15872'])
  })

  it('keeps the type of a vector image, which has every width', async () => {
    site.routes['/with-vector'] = page({ image: `${site.url}/vector.svg` })
    const response = await requestPage('/with-vector', {
      embed: 'image',
      'variant.width': '320',
      'variant.type': 'webp',
    })
    expect(response.headers.get('content-type')).toBe('image/svg+xml')
  })

  it('is refused as a vector image with more bytes than its limit, because it is not converted', async () => {
    const circles = '<circle cx="9" cy="9" r="9"/>'.repeat(100)
    const vector = `<svg xmlns="http://www.w3.org/2000/svg" width="900" height="900">${circles}</svg>`
    site.routes['/large-vector.svg'] = file(Buffer.from(vector), 'image/svg+xml')
    site.routes['/with-large-vector'] = page({ image: `${site.url}/large-vector.svg` })
    const request = (limits: Record<string, string>) => requestPage('/with-large-vector', { embed: 'image', ...limits })
    // It has no pixels.
    expect((await request({ 'variant.maxSide': '64', 'variant.maxBytes': '9000' })).status).toBe(200)
    const response = await request({ 'variant.maxBytes': '2000' })
    expect([response.status, await response.json()]).toMatchObject([
      422,
      { code: 'ETOOLARGE', message: expect.stringContaining('svg'), data: { 'variant.maxBytes': expect.any(String) } },
    ])
  })

  it('is delivered as it is if its end is missing, and refused above a limit', async () => {
    const whole = await png(300)
    site.routes['/broken.png'] = file(whole.subarray(0, -40), 'image/png')
    site.routes['/with-broken'] = page({ image: `${site.url}/broken.png` })
    const request = (variant: Record<string, string>) => requestPage('/with-broken', { embed: 'image', ...variant })
    const response = await request({ 'variant.width': '320', 'variant.type': 'webp' })
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'image/png'])
    expect(await bytesOf(response)).toEqual(whole.subarray(0, -40))
    const refused = await request({ 'variant.maxSide': '64' })
    expect([refused.status, await refused.json()]).toMatchObject([422, { code: 'ETOOLARGE' }])
  })

  it('keeps all frames of an animation, or is its first frame if that is above a limit', async () => {
    const frames = [await png(140), await png(40, '#a07')]
    const animation = await sharp(frames, { join: { animated: true } })
      .webp({ delay: [100, 100] })
      .toBuffer()
    site.routes['/animation.webp'] = file(animation, 'image/webp')
    site.routes['/with-animation'] = page({ image: `${site.url}/animation.webp` })
    const request = (variant: Record<string, string>) => requestPage('/with-animation', { embed: 'image', ...variant })
    expect(await bytesOf(await request({ 'variant.type': 'png' }))).toEqual(animation)
    expect(await bytesOf(await request({ 'variant.maxSide': '200', 'variant.type': 'png' }))).toEqual(animation)
    const still = await sharp(await bytesOf(await request({ 'variant.maxSide': '64' }))).metadata()
    expect(still).toMatchObject({ format: 'webp', width: 64 })
    expect(still.pages ?? 1).toBe(1)
  })

  it('keeps a GIF as it is, or has its first frame as PNG or what the client accepts if that is above a limit', async () => {
    const frames = [await png(140), await png(40, '#a07')]
    const gif = await sharp(frames, { join: { animated: true } })
      .gif()
      .toBuffer()
    site.routes['/animation.gif'] = file(gif, 'image/gif')
    site.routes['/with-gif'] = page({ image: `${site.url}/animation.gif` })
    const typeOf = async (side: string, accept: string) =>
      (
        await requestPage('/with-gif', { embed: 'image', 'variant.maxSide': side }, { headers: { accept } })
      ).headers.get('content-type')
    expect(await typeOf('300', 'image/webp')).toBe('image/gif')
    expect(await typeOf('64', 'image/webp')).toBe('image/webp')
    expect(await typeOf('64', '*/*')).toBe('image/png')
  })
})
