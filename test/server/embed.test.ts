import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createService, type Service } from '../../src/server/index.js'
import { localSite, type LocalSite, type Route } from '../local-site.js'

const WHOLE_DAY_MS = 86_400_000
const SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20"><script>parent.hacked = 1</script></svg>'
const SOUND = Buffer.from(Array.from({ length: 1_000 }, (_, at) => at % 256))

let site: LocalSite
let canary: LocalSite
let service: Service
let now = Date.parse('2026-01-31T12:00:00Z')

const file =
  (bytes: Uint8Array | string, contentType: string): Route =>
  (_, response) =>
    void response.writeHead(200, { 'content-type': contentType }).end(bytes)
const picture = (width: number, colour = '#0a7') =>
  sharp({ create: { width, height: width / 2, channels: 3, background: colour } })
    .png()
    .toBuffer()

/** A page that names media; `media` by what the name of its `<meta>` says after `og:`. */
const page = (media: Record<string, string>) =>
  `<!doctype html><html lang="en"><head><title>A page</title><meta name="description" content="Says little">${Object.entries(
    media,
  )
    .map(([name, url]) => `<meta property="og:${name}" content="${url}">`)
    .join('')}</head><body style="margin:0"><h1 id="hero" style="width:300px;height:150px">A page</h1></body></html>`

const ask = (path: string, words: Record<string, string>, init?: RequestInit) =>
  service.fetch(
    new Request(`http://previews.test/?${new URLSearchParams({ url: `${site.url}${path}`, ...words })}`, init),
  )
const bytesOf = async (response: Response) => Buffer.from(await response.arrayBuffer())
const requestsOf = (path: string) => site.requests.filter((request) => request === `GET ${path}`).length

beforeAll(async () => {
  canary = await localSite({ '/picture.png': 'reached' })
  site = await localSite({ '/': page({}) })
  service = createService({ allowTargets: [site.host], clock: () => now })
  const { routes, url } = site
  routes['/picture.png'] = file(await picture(200), 'image/png')
  routes['/vector.svg'] = file(SVG, 'image/svg+xml')
  routes['/sound.mp3'] = file(SOUND, 'audio/mpeg')
  routes['/film.mp4'] = file(SOUND, 'video/mp4; codecs="avc1"')
  routes['/unknown'] = file(await picture(120), 'application/octet-stream')
  routes['/page.html'] = '<title>No picture</title><svg></svg>'
  routes['/script.js'] = file('alert(1)', 'text/javascript')
  routes['/huge.png'] = (_, response) => {
    response.writeHead(200, { 'content-type': 'image/png' })
    const more = () => {
      while (response.writable && response.write(Buffer.alloc(1_000_000)));
    }
    response.on('drain', more)
    more()
  }
  routes['/media'] = page({ image: `${url}/picture.png`, audio: `${url}/sound.mp3`, video: `${url}/film.mp4` })
  await service.ready()
})

afterAll(async () => {
  await service.close()
  await Promise.all([site.close(), canary.close()])
})

describe('a found medium', () => {
  it('comes as its own bytes, with its own type and facts, shown and never run', async () => {
    const response = await ask('/media', { embed: 'image.url' })
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
    const again = await ask(
      '/media',
      { embed: 'image' },
      { headers: { 'if-none-match': response.headers.get('etag')! } },
    )
    expect([again.status, again.headers.get('x-cache-status')]).toEqual([304, 'HIT'])
  })

  it('is fetched once, whoever asks for it', async () => {
    site.routes['/once.png'] = file(await picture(80), 'image/png')
    site.routes['/once'] = page({ image: `${site.url}/once.png` })
    const answers = await Promise.all(
      ['image', 'image.url', 'image.url'].map((embed) => ask('/once', { embed, ping: 'false' })),
    )
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    await ask('/once', { embed: 'image.url', ping: 'false', ttl: '2d' })
    expect(requestsOf('/once.png')).toBe(1)
  })

  it('may be sound and film, also in parts', async () => {
    const sound = await ask('/media', { embed: 'audio.url' })
    expect([sound.headers.get('content-type'), sound.headers.get('accept-ranges')]).toEqual(['audio/mpeg', 'bytes'])
    expect(await bytesOf(sound)).toEqual(SOUND)
    const film = await ask('/media', { embed: 'video' }, { headers: { range: 'bytes=100-199' } })
    expect([film.status, film.headers.get('content-range')]).toEqual([206, 'bytes 100-199/1000'])
    expect(film.headers.get('content-type')).toBe('video/mp4')
    expect(await bytesOf(film)).toEqual(SOUND.subarray(100, 200))
    const end = await ask('/media', { embed: 'video' }, { headers: { range: 'bytes=-10' } })
    expect(await bytesOf(end)).toEqual(SOUND.subarray(-10))
    const changed = await ask('/media', { embed: 'video' }, { headers: { range: 'bytes=0-9', 'if-range': '"other"' } })
    expect([changed.status, (await bytesOf(changed)).byteLength]).toEqual([200, 1_000])
  })

  it('that is an SVG is shown in an <img>, and no document when it is opened', async () => {
    site.routes['/with-svg'] = page({ image: `${site.url}/vector.svg` })
    const { headers } = await ask('/with-svg', { embed: 'image.url' })
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'image/svg+xml',
      'content-disposition': expect.stringMatching(/^attachment/),
      'x-content-type-options': 'nosniff',
      'content-security-policy': "sandbox; default-src 'none'",
    })
  })

  it('whose server does not say what it is, is known by its first bytes', async () => {
    site.routes['/with-unknown'] = page({ image: `${site.url}/unknown` })
    const { status, headers } = await ask('/with-unknown', { embed: 'image.url', ping: 'false' })
    expect([status, headers.get('content-type'), headers.get('x-image-width')]).toEqual([200, 'image/png', '120'])
  })

  it.each([
    ['a page', 'image', '/page.html', 404, 'ENOEMBED'],
    ['a script', 'image', '/script.js', 404, 'ENOEMBED'],
    ['no picture but a sound', 'image', '/sound.mp3', 404, 'ENOEMBED'],
    ['no sound but a picture', 'audio', '/picture.png', 404, 'ENOEMBED'],
    ['not there', 'image', '/nowhere.png', 404, 'ENOEMBED'],
    ['without end', 'image', '/huge.png', 422, 'ETOOLARGE'],
    ['at a host that does not exist', 'image', 'http://no-such-host.invalid/a.png', 502, 'EUNREACHABLE'],
    ['at a private address', 'image', 'http://10.0.0.1/a.png', 403, 'EFORBIDDENURL'],
  ])('that is %s is refused', async (what, field, path, status, code) => {
    const place = `/refused-${what.replaceAll(' ', '-')}`
    site.routes[place] = page({ [field]: path.startsWith('http') ? path : `${site.url}${path}` })
    const response = await ask(place, { embed: `${field}.url`, ping: 'false' })
    expect([response.status, await response.json()]).toMatchObject([
      status,
      { code, data: { embed: expect.any(String) } },
    ])
  })

  it('that is dead is not asked for each time', async () => {
    site.routes['/dead'] = page({ image: `${site.url}/nowhere.png?dead` })
    for (let asked = 0; asked < 3; asked++)
      expect((await ask('/dead', { embed: 'image.url', ping: 'false' })).status).toBe(404)
    expect(site.requests.filter((request) => request.includes('nowhere.png?dead'))).toHaveLength(1)
  })

  it('may not lead to a private address by a redirect', async () => {
    site.routes['/hop.png'] = (_, response) =>
      void response.writeHead(302, { location: `${canary.url}/picture.png` }).end()
    site.routes['/hops'] = page({ image: `${site.url}/hop.png` })
    const response = await ask('/hops', { embed: 'image.url', ping: 'false' })
    expect(await response.json()).toMatchObject({ code: 'EFORBIDDENURL' })
    expect(canary.requests).toEqual([])
  })

  it('is fetched again with a new answer, and the old one stays when that fails', async () => {
    const words = { embed: 'image.url', ping: 'false', staleTtl: '1h' }
    const status = async () => {
      const response = await ask('/renewed', words)
      return [response.status, response.headers.get('x-cache-status'), response.headers.get('x-image-width')]
    }
    site.routes['/renewed.png'] = file(await picture(40), 'image/png')
    site.routes['/renewed'] = page({ image: `${site.url}/renewed.png` })
    expect(await status()).toEqual([200, 'MISS', '40'])
    expect(await status()).toEqual([200, 'HIT', '40'])

    site.routes['/renewed.png'] = file(await picture(60), 'image/png')
    now += 2 * 3_600_000
    expect(await status()).toEqual([200, 'STALE', '40'])
    await expect.poll(status).toEqual([200, 'MISS', '60'])

    delete site.routes['/renewed.png']
    now += 2 * 3_600_000
    expect(await status()).toEqual([200, 'STALE', '60'])
    await expect.poll(() => requestsOf('/renewed')).toBe(3)
    await expect.poll(() => requestsOf('/renewed.png')).toBe(2)
    expect(await status()).toEqual([200, 'STALE', '60'])
    expect(requestsOf('/renewed.png')).toBe(3)
  })

  it('counts as a request of the day when it has to be fetched for a page that is kept', async () => {
    const left = async (words: Record<string, string>) =>
      Number((await ask('/counted', words)).headers.get('x-rate-limit-remaining'))
    site.routes['/counted.png'] = file(await picture(20), 'image/png')
    site.routes['/counted'] = page({ image: `${site.url}/counted.png` })
    const first = await left({})
    expect(await left({ embed: 'image.url' })).toBe(first - 1)
    expect(await left({ embed: 'image.url', ttl: '3d' })).toBe(first - 1)
  })
})

describe('any other field', () => {
  it.each([
    ['title', 'text/plain; charset=utf-8', 'A page'],
    ['lang', 'text/plain; charset=utf-8', 'en'],
    ['image.width', 'application/json; charset=utf-8', '200'],
    ['image.type', 'text/plain; charset=utf-8', 'png'],
  ])('%s comes as %s', async (embed, type, text) => {
    const response = await ask('/media', { embed })
    expect([response.headers.get('content-type'), await response.text()]).toEqual([type, text])
    expect(response.headers.get('x-content-type-options')).toBe('nosniff')
  })

  it.each(['author', 'logo', 'nothing.at.all', 'title.length', 'toString', 'true'])(
    '%s leads to nothing',
    async (embed) => {
      const response = await ask('/media', { embed })
      expect([response.status, await response.json()]).toMatchObject([404, { status: 'fail', code: 'ENOEMBED' }])
    },
  )
})

describe('a card', () => {
  it('is HTML without script, for any frame, with the picture and the way to oEmbed', async () => {
    const response = await ask('/media', { embed: 'html', element: '#hero' })
    const html = await response.text()
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
    const policy = response.headers.get('content-security-policy')!
    expect(policy).toContain("default-src 'none'")
    expect(policy).not.toMatch(/script-src|frame-ancestors/)
    expect(response.headers.has('x-frame-options')).toBe(false)
    expect(html).not.toMatch(/<script|\son\w+=|javascript:/i)
    expect(html).toMatch(/<a class="pp-link" href="http:\/\/127\.0\.0\.1:\d+\/media"/)
    expect(html).toMatch(
      /<img class="pp-image" src="http:\/\/previews\.test\/images\/\w{64}\.jpg" width="600" height="300" alt="Screenshot of 127\.0\.0\.1:\d+"/,
    )
    expect(html).toContain('Says little')
    expect(html).toContain('.page-preview')

    const [, discovery] = /application\/json\+oembed" href="([^"]+)"/.exec(html)!
    expect(response.headers.get('link')).toContain(discovery!.replaceAll('&amp;', '&'))
    const oembed = await service.fetch(new Request(discovery!.replaceAll('&amp;', '&')))
    expect(await oembed.json()).toMatchObject({ type: 'photo', width: 600, height: 300 })
  })

  it('tells no key and no header of whoever asked', async () => {
    const html = await (
      await ask('/media', { embed: 'html', 'headers.apiKey': 'pp_a_secret', 'headers.x-own': 'mine' })
    ).text()
    expect(html).not.toMatch(/secret|mine/)
  })
})

it('keeps what was embedded for as long as the answer that names it', async () => {
  await ask('/media', { embed: 'image.url' })
  const before = requestsOf('/picture.png')
  now += 30 * WHOLE_DAY_MS
  const late = await ask('/media', { embed: 'image.url', staleTtl: '31d' })
  expect([late.status, late.headers.get('x-cache-status')]).toEqual([200, 'HIT'])
  expect(requestsOf('/picture.png')).toBe(before)
})
