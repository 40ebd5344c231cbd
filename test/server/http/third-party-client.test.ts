import mql from '@microlink/mql'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { requestUrl } from '../../../src/query/index.js'
import { localSite, type LocalSite } from '../../local-site.js'
import { startService, type StartedService } from '../../shared/start-service.js'

const PAGE = `<!doctype html><html lang="en"><head><title>A page</title><meta name="description" content="Says little">
  <meta property="og:image" content="/picture.png"></head>
  <body style="margin:0"><div id="hero" style="width:300px;height:150px;background:#c00"></div></body></html>`

let site: LocalSite
let serving: StartedService

/** What a user of that client writes, with our address in the place of theirs. */
const ask = (words: Record<string, unknown> = {}) => mql(`${site.url}/`, { endpoint: `${serving.free}/`, ...words })

beforeAll(async () => {
  const picture = await sharp({ create: { width: 64, height: 32, channels: 3, background: '#0a7' } })
    .png()
    .toBuffer()
  site = await localSite({
    '/': PAGE,
    '/picture.png': (_, response) => void response.writeHead(200, { 'content-type': 'image/png' }).end(picture),
  })
  serving = await startService(`--allow-target=${site.host}`)
})

afterAll(async () => {
  await serving.stop()
  await site.close()
})

describe('a client of this language that others wrote', () => {
  it('reads metadata, and what the answer says of itself', async () => {
    const { status, data, response } = await ask()
    expect(status).toBe('success')
    expect(data).toMatchObject({
      title: 'A page',
      description: 'Says little',
      lang: 'en',
      image: { url: `${site.url}/picture.png`, type: 'png', width: 64, height: 32 },
      audio: null,
    })
    expect(response.statusCode).toBe(200)
    expect(response.headers.get('x-pricing-plan')).toBe('free')
  })

  it('gets a screenshot, with options nested or dotted', async () => {
    for (const words of [
      { screenshot: { element: '#hero', type: 'png' } },
      { 'screenshot.element': '#hero', 'screenshot.type': 'png' },
    ]) {
      const { data } = await ask({ ...words, meta: false })
      expect(data.screenshot).toMatchObject({ width: 600, height: 300, type: 'png' })
      const bytes = Buffer.from(await (await fetch(data.screenshot!.url)).arrayBuffer())
      expect(await sharp(bytes).metadata()).toMatchObject({ width: 600, height: 300, format: 'png' })
    }
  })

  it('leaves out what it does not want: pings, metadata, fields', async () => {
    const before = site.requests.length
    expect((await ask({ ping: false })).data.image).toMatchObject({ url: `${site.url}/picture.png`, width: null })
    expect(site.requests.slice(before)).toEqual(['GET /'])
    expect((await ask({ meta: false, screenshot: true })).data).toEqual({ screenshot: expect.anything() })
    expect((await ask({ filter: 'title,image.width' })).data).toEqual({ title: 'A page', image: { width: 64 } })
  })

  it('embeds, as bytes and as an address for an <img>', async () => {
    const words = { screenshot: { element: '#hero' }, embed: 'screenshot.url' }
    const { body, headers } = await mql.buffer(`${site.url}/`, { endpoint: `${serving.free}/`, ...words })
    expect(new Headers(headers).get('content-type')).toBe('image/jpeg')
    const metadata = await sharp(Buffer.from(body)).metadata()
    expect(metadata).toMatchObject({ width: 600, height: 300 })

    const address = requestUrl({ url: `${site.url}/`, ...words }, serving.free)
    const streamed = await new Response(await mql.stream(address)).arrayBuffer()
    expect(Buffer.from(streamed).equals(Buffer.from(body))).toBe(true)
  })

  it('understands our errors as its own', async () => {
    const failure = ask({ screenshot: { element: '#nowhere' }, meta: false })
    await expect(failure).rejects.toMatchObject({
      name: 'MicrolinkError',
      status: 'fail',
      code: 'EELEMENT',
      statusCode: 422,
      data: { element: 'missing' },
      more: expect.stringContaining('#EELEMENT'),
      description: expect.stringMatching(/\.$/),
    })
    const wrong = mql('http://10.0.0.1/', { endpoint: `${serving.free}/` })
    await expect(wrong).rejects.toMatchObject({ code: 'EFORBIDDENURL', statusCode: 403 })
  })
})
