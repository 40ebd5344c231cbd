// Covers the service as used by an independent client of the same query language, @microlink/mql.
import mql from '@microlink/mql'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { requestUrl } from '../../../src/query/index.js'
import { localSite, type LocalSite } from '../../local-site.js'
import { startService, type StartedService } from '../../shared/start-service.js'

const PAGE = `<!doctype html><html lang="en"><head><title>A page</title><meta name="description" content="A short page">
  <meta property="og:image" content="/image.png"></head>
  <body style="margin:0"><div id="hero" style="width:300px;height:150px;background:#c00"></div></body></html>`

let site: LocalSite
let serving: StartedService

/** Calls the client as its users do, with the endpoint of this service. */
const requestPage = (options: Record<string, unknown> = {}) =>
  mql(`${site.url}/`, { endpoint: `${serving.free}/`, ...options })

beforeAll(async () => {
  const png = await sharp({ create: { width: 128, height: 64, channels: 3, background: '#0a7' } })
    .png()
    .toBuffer()
  site = await localSite({
    '/': PAGE,
    '/image.png': (_, response) => void response.writeHead(200, { 'content-type': 'image/png' }).end(png),
  })
  serving = await startService(`--allow-target=${site.host}`)
})

afterAll(async () => {
  await serving.stop()
  await site.close()
})

describe('an independent client of the query language', () => {
  it('reads metadata and response headers', async () => {
    const { status, data, response } = await requestPage()
    expect(status).toBe('success')
    expect(data).toMatchObject({
      title: 'A page',
      description: 'A short page',
      lang: 'en',
      image: { url: `${site.url}/image.png`, type: 'png', width: 128, height: 64 },
      audio: null,
    })
    expect(response.statusCode).toBe(200)
    expect(response.headers.get('x-pricing-plan')).toBe('free')
  })

  it('gets a screenshot, with nested or dotted options', async () => {
    for (const options of [
      { screenshot: { element: '#hero', type: 'png' } },
      { 'screenshot.element': '#hero', 'screenshot.type': 'png' },
    ]) {
      const { data } = await requestPage({ ...options, meta: false })
      expect(data.screenshot).toMatchObject({ width: 600, height: 300, type: 'png' })
      const bytes = Buffer.from(await (await fetch(data.screenshot!.url)).arrayBuffer())
      expect(await sharp(bytes).metadata()).toMatchObject({ width: 600, height: 300, format: 'png' })
    }
  })

  it('switches off pings, metadata and fields', async () => {
    const before = site.requests.length
    expect((await requestPage({ ping: false })).data.image).toMatchObject({ url: `${site.url}/image.png`, width: null })
    expect(site.requests.slice(before)).toEqual(['GET /'])
    expect((await requestPage({ meta: false, screenshot: true })).data).toEqual({ screenshot: expect.anything() })
    expect((await requestPage({ filter: 'title,image.width' })).data).toEqual({
      title: 'A page',
      image: { width: 128 },
    })
  })

  it('embeds a screenshot, as bytes and as a URL for an <img>', async () => {
    const options = { screenshot: { element: '#hero' }, embed: 'screenshot.url' }
    const { body, headers } = await mql.buffer(`${site.url}/`, { endpoint: `${serving.free}/`, ...options })
    expect(new Headers(headers).get('content-type')).toBe('image/jpeg')
    const metadata = await sharp(Buffer.from(body)).metadata()
    expect(metadata).toMatchObject({ width: 600, height: 300 })

    const embedUrl = requestUrl({ url: `${site.url}/`, ...options }, serving.free)
    const streamed = await new Response(await mql.stream(embedUrl)).arrayBuffer()
    expect(Buffer.from(streamed).equals(Buffer.from(body))).toBe(true)
  })

  it('throws the errors of the service as its own', async () => {
    const failure = requestPage({ screenshot: { element: '#nowhere' }, meta: false })
    await expect(failure).rejects.toMatchObject({
      name: 'MicrolinkError',
      status: 'fail',
      code: 'EELEMENT',
      statusCode: 422,
      data: { element: 'missing' },
      more: expect.stringContaining('#EELEMENT'),
      description: expect.stringMatching(/\.$/),
    })
    const forbidden = mql('http://10.0.0.1/', { endpoint: `${serving.free}/` })
    await expect(forbidden).rejects.toMatchObject({ code: 'EFORBIDDENURL', statusCode: 403 })
  })
})
