import sharp from 'sharp'
import { describe, expect, it, vi } from 'vitest'
import type { Route } from '../../local-site.js'
import { otherSite, pageSite, send } from './page-site.js'

/** Two thirds teal, one third orange. */
const flag = sharp({ create: { width: 300, height: 200, channels: 3, background: '#008080' } }).composite([
  {
    input: { create: { width: 100, height: 200, channels: 3, background: '#ff8000' } },
    left: 0,
    top: 0,
  },
])
const png = await flag.png().toBuffer()
const COLOURS = ['#008080', '#ff8000']
const image = (bytes: Buffer, type = 'image/png') => send(bytes, { 'content-type': type })
const PAGE = '<meta property="og:image" content="/i.png"><link rel="icon" href="/l.svg">'
const SVG = Buffer.from(
  '<svg xmlns="http://www.w3.org/2000/svg" width="90" height="90"><circle cx="45" cy="45" r="30" fill="#123456"/></svg>',
)

describe('a page requested with its palette', () => {
  it('has one for an image but not for an SVG, without another request for an image that the ping read completely', async () => {
    const site = await pageSite({ '/': PAGE, '/i.png': image(png), '/l.svg': image(SVG, 'image/svg+xml') })
    const { data } = await site.read({ ping: true, palette: true })
    expect(data).toMatchObject({ image: { palette: COLOURS, width: 300 }, logo: { width: 90 } })
    expect(data.logo).not.toHaveProperty('palette')
    expect(site.requests.toSorted()).toEqual(['GET /', 'GET /i.png', 'GET /l.svg'])
  })

  it('has one for an image that is larger than what a ping reads', async () => {
    const large = await sharp(png).resize(1_000, 667, { kernel: 'nearest' }).png({ compressionLevel: 0 }).toBuffer()
    expect(large.length).toBeGreaterThan(1_000_000)
    const site = await pageSite({ '/': PAGE, '/i.png': image(large) })
    const { data } = await site.read({ ping: true, palette: true })
    expect(data.image).toMatchObject({ palette: COLOURS, width: 1_000 })
  })

  it('has none if the image cannot be decoded, was not pinged, or no palette was requested', async () => {
    const truncated = png.subarray(0, 40)
    const broken = await pageSite({ '/': PAGE, '/i.png': image(truncated) })
    expect((await broken.read({ ping: true, palette: true })).data.image).toEqual(
      expect.not.objectContaining({ palette: expect.anything() }),
    )
    const site = await pageSite({ '/': PAGE, '/i.png': image(png) })
    expect((await site.read({ ping: { image: false }, palette: true })).data.image).not.toHaveProperty('palette')
    expect((await site.read({ ping: true })).data.image).not.toHaveProperty('palette')
  })
})

/** Fails as many times as there are routes, and then sends the image. */
function afterwards(...failures: Route[]): Route {
  const remaining = [...failures]
  return (request, response) => {
    const route = remaining.shift() ?? image(png)
    if (typeof route === 'function') route(request, response)
  }
}

const status = (code: number, headers: Record<string, string> = {}): Route => send('', headers, code)
const reset: Route = (request) => void request.socket.destroy()
const cutShort: Route = (_, response) => {
  response.writeHead(200, { 'content-type': 'image/png', 'content-length': '5000' })
  response.write(png.subarray(0, 60), () => response.socket?.destroy())
}

describe('an image that fails in passing', () => {
  it.each<[failure: string, Route]>([
    ['429', status(429)],
    ['429 with a second to wait', status(429, { 'retry-after': '1' })],
    ['503', status(503)],
    ['502 with a page', send('<h1>Bad gateway</h1>', { 'content-type': 'text/html' }, 502)],
    ['504', status(504)],
    ['522 of a content network', status(522)],
    ['a connection that is reset', reset],
  ])('is tried a second time after %s', async (_, failure) => {
    const site = await pageSite({ '/': PAGE, '/i.png': afterwards(failure) })
    const { data, warnings } = await site.read({ ping: true, meta: { image: true } })
    expect(data.image).toMatchObject({ url: `${site.url}/i.png`, width: 300 })
    expect(warnings).toEqual([])
  })

  it.each<[failure: string, Route, reason: string]>([
    ['429', status(429), 'responded with status 429'],
    ['429 with a minute to wait', status(429, { 'retry-after': '60' }), 'responded with status 429'],
    ['503', status(503), 'responded with status 503'],
    ['500', status(500), 'responded with status 500'],
    ['a connection that is reset', reset, 'ended the connection'],
    ['a body that ends early', cutShort, 'ended the connection'],
  ])('is kept unverified, with a warning, after %s twice', async (_, failure, reason) => {
    const site = await pageSite({ '/': PAGE, '/i.png': failure })
    const { data, warnings } = await site.read({ ping: true, meta: { image: true } })
    expect(data.image).toMatchObject({ url: `${site.url}/i.png`, type: null, size: null, width: null })
    expect(warnings).toEqual([`The image could not be verified: ${site.host} ${reason}.`])
  })

  it('gives way to a candidate that is verified', async () => {
    const html = `${PAGE}<meta name="twitter:image" content="/t.png">`
    const site = await pageSite({ '/': html, '/i.png': status(503), '/t.png': image(png) })
    const { data, warnings } = await site.read({ ping: true, meta: { image: true } })
    expect(data.image).toMatchObject({ url: `${site.url}/t.png`, width: 300 })
    expect(warnings).toEqual([`The image could not be verified: ${site.host} responded with status 503.`])
  })

  it('is waited for when it is drawn on request', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      const onRequest = vi.fn()
      const slow: Route = (request, response) => {
        onRequest()
        setTimeout(() => (image(png) as Exclude<Route, string>)(request, response), 3_000)
      }
      const site = await pageSite({ '/': PAGE, '/i.png': slow })
      const result = site.read({ ping: true, meta: { image: true } })
      await vi.waitUntil(() => onRequest.mock.calls.length === 1)
      await vi.advanceTimersByTimeAsync(3_000)
      expect((await result).data.image).toMatchObject({ width: 300 })
    } finally {
      vi.useRealTimers()
    }
  })
})

describe('a resource other than an image that fails in passing', () => {
  it('leaves an icon unverified, and the address of the page in place of a canonical one', async () => {
    const html = '<link rel="icon" href="/l.png"><link rel="canonical" href="/story">'
    const site = await pageSite({
      '/': html,
      '/l.png': status(503),
      '/story': status(429),
      '/favicon.ico': status(404),
    })
    const { data, warnings } = await site.read({ ping: true, meta: { logo: true, url: true } })
    expect(data).toMatchObject({ logo: { url: `${site.url}/l.png`, type: null }, url: `${site.url}/` })
    expect(warnings.toSorted()).toEqual([
      `The logo could not be verified: ${site.host} responded with status 503.`,
      `The url could not be verified: ${site.host} responded with status 429.`,
    ])
  })

  it('leaves out a video, whose type is unknown then', async () => {
    const html = '<meta property="og:video" content="/v.mp4">'
    const site = await pageSite({ '/': html, '/v.mp4': status(503) })
    const { data, warnings } = await site.read({ ping: true, meta: { video: true } })
    expect(data.video).toBeNull()
    expect(warnings).toHaveLength(1)
  })
})

const resized = (width: number, height: number) => sharp(png).resize(width, height, { fit: 'fill' }).png().toBuffer()
const [pixel, smallIcon, line] = [await resized(1, 1), await resized(48, 48), await resized(300, 3)]
const webp = await sharp(png).webp().toBuffer()

describe('an image that fails for good', () => {
  it.each<[what: string, Route]>([
    ['403', status(403)],
    ['404', status(404)],
    ['410', status(410)],
    ['a page', send('<!doctype html><title>Not found</title>', { 'content-type': 'text/html' })],
    ['a page with the type of an image', image(Buffer.from('<!doctype html><title>Not found</title><svg ></svg>'))],
    ['an empty body', image(Buffer.alloc(0))],
    ['12 MB of nothing', image(Buffer.alloc(12_000_000))],
    ['a single pixel', image(pixel)],
    ['an icon of 48 pixels', image(smallIcon)],
    ['a line', image(line)],
    ['the header of an image alone', image(png.subarray(0, 40))],
    ['pixels that are no pixels', image(Buffer.concat([png.subarray(0, 41), Buffer.alloc(400, 'x')]))],
    ['JSON with the type of an image', image(Buffer.from('{"error":"not found"}'), 'image/jpeg')],
    ['a photograph that browsers do not draw', image(Buffer.from('II*\0\x08\0\0\0\0\0\0\0', 'latin1'), 'image/tiff')],
  ])('is none, without a warning: %s', async (_, route) => {
    const site = await pageSite({ '/': PAGE, '/i.png': route })
    const { data, warnings } = await site.read({ ping: true, meta: { image: true } })
    expect(data.image).toBeNull()
    expect(warnings).toEqual([])
  })

  it('is none if nothing listens at its address', async () => {
    const closed = await otherSite({})
    await closed.close()
    const site = await pageSite({ '/': `<meta property="og:image" content="${closed.url}/i.png">` }, [closed])
    const { data, warnings } = await site.read({ ping: true, meta: { image: true } })
    expect(data.image).toBeNull()
    expect(warnings).toEqual([])
  })
})

it('is read without a range from a server that refuses one', async () => {
  const refuseRange: Route = (request, response) =>
    void (request.headers.range
      ? response.writeHead(416).end()
      : response.writeHead(200, { 'content-type': 'image/png' }).end(png))
  const site = await pageSite({ '/': PAGE, '/i.png': refuseRange })
  expect((await site.read({ ping: true, meta: { image: true } })).data.image).toMatchObject({ width: 300 })
})

describe('an image whose declaration says too little', () => {
  it.each<[what: string, Buffer, declared: string, expected: object]>([
    ['a PNG without a type', png, 'application/octet-stream', { type: 'png', width: 300 }],
    ['a PNG as text', png, 'text/plain', { type: 'png', width: 300 }],
    ['a WebP as JPEG', webp, 'image/jpeg', { type: 'webp', width: 300 }],
    [
      'an SVG after its declarations',
      Buffer.from(
        '<?xml version="1.0"?>\n<!-- > -->\n<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "x">\n<svg width="400" height="300"></svg>\n',
      ),
      'image/svg+xml',
      { type: 'svg', width: 400 },
    ],
    ['an SVG without a size', Buffer.from('<svg ></svg>'), 'image/svg+xml', { type: 'svg', width: null }],
  ])('counts by its bytes: %s', async (_, bytes, declared, expected) => {
    const site = await pageSite({ '/': PAGE, '/i.png': image(bytes, declared) })
    expect((await site.read({ ping: true, meta: { image: true } })).data.image).toMatchObject(expected)
  })
})
