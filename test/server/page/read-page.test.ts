import sharp from 'sharp'
import { describe, expect, it, vi } from 'vitest'
import { redirectTo, type Route } from '../../local-site.js'
import { otherSite, pageSite, send } from './page-site.js'
import { meta } from './declarations.js'

const createPng = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: 'teal' } })
    .png()
    .toBuffer()
const png = await createPng(120, 80)

const images: [type: string, bytes: Buffer, width: number, height: number][] = [
  ['svg', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 90 70"/>'), 90, 70],
  ['jpg', await sharp(png).withMetadata({ orientation: 6 }).jpeg().toBuffer(), 80, 120],
  ['webp', await sharp(png).webp().toBuffer(), 120, 80],
  ['gif', await sharp(png).gif().toBuffer(), 120, 80],
  ['avif', await sharp(png).avif({ effort: 0 }).toBuffer(), 120, 80],
]

const tenOf = (name: string) => Array.from({ length: 10 }, (_, at) => meta(name, `/${name}/${at}`)).join('')
const image: Route = send(png, { 'content-type': 'image/png' })
const audio: Route = send('audio', { 'content-type': 'audio/mpeg', 'content-length': '5' })

describe('a consent wall at another address', () => {
  const wall = `<title>Before you continue</title>${meta('og:image', '/wall.png')}<h1>Before you continue</h1>`
  const routes = {
    '/story': redirectTo('/consent?continue=%2Fstory'),
    '/consent': wall,
    '/moved': redirectTo('/other'),
    '/other': wall,
  }

  it('says nothing about the page that it stands before', async () => {
    const site = await pageSite(routes)
    const { data, state, url } = await site.read({}, '/story')
    expect({ state, url }).toEqual({ state: 'consent', url: `${site.url}/consent?continue=%2Fstory` })
    expect(data).toMatchObject({
      title: null,
      image: null,
      url: `${site.url}/story`,
      logo: { url: `${site.url}/favicon.ico` },
    })
  })

  it('is a page like others if it was requested, or if the address does not belong to a wall', async () => {
    const site = await pageSite(routes)
    for (const path of ['/consent', '/moved'])
      expect(await site.read({}, path)).toMatchObject({ state: undefined, data: { title: 'Before you continue' } })
  })
})

describe('the requested fields', () => {
  const html = `<title>Page</title>${meta('og:description', 'About')}${meta('og:image', '/i.png')}`

  it('are all fields by default, with null if nothing was found', async () => {
    const site = await pageSite({ '/': html })
    const media = { type: null, size: null, size_pretty: null, width: null, height: null }
    expect(await site.read()).toEqual({
      data: {
        title: 'Page',
        description: 'About',
        lang: null,
        author: null,
        publisher: null,
        date: null,
        url: `${site.url}/`,
        image: { url: `${site.url}/i.png`, ...media },
        logo: { url: `${site.url}/favicon.ico`, ...media },
        audio: null,
        video: null,
      },
      statusCode: 200,
      headers: expect.objectContaining({ 'content-type': 'text/html; charset=utf-8' }),
      redirects: [],
      url: `${site.url}/`,
      warnings: [],
      timings: { load: expect.any(Number), read: expect.any(Number), ping: expect.any(Number) },
      isUnverified: false,
      summary: undefined,
      state: undefined,
    })
  })

  it.each([
    [false, []],
    [{ title: true }, ['title']],
    [{ title: true, image: true, url: false }, ['title', 'image']],
    [
      { image: false, logo: false, audio: false, video: false },
      ['title', 'description', 'lang', 'author', 'publisher', 'date', 'url'],
    ],
  ])('are limited by meta=%j to %j', async (meta, fields) => {
    const site = await pageSite({ '/': html })
    expect(new Set(Object.keys((await site.read({ meta })).data))).toEqual(new Set(fields))
  })

  it('are read with the headers of the query', async () => {
    const requests: unknown[] = []
    const site = await pageSite({ '/': (request, response) => void (requests.push(request.headers), response.end()) })
    await site.read({ headers: { 'x-token': 'mine' } })
    expect(requests).toEqual([expect.objectContaining({ 'x-token': 'mine' })])
  })
})

describe('ping', () => {
  it('sends no request when it is off', async () => {
    const site = await pageSite({ '/': meta('og:image', '/i.png') + meta('og:audio', '/a.mp3') })
    await site.read({ ping: false })
    expect(site.requests).toEqual(['GET /'])
  })

  it('adds type, size and dimensions of the media that it reached', async () => {
    const site = await pageSite({
      '/': meta('og:image', '/i.png') + meta('og:audio', '/a.mp3'),
      '/i.png': image,
      '/a.mp3': audio,
    })
    const { data } = await site.read({ ping: true })
    expect(data.image).toEqual({
      url: `${site.url}/i.png`,
      type: 'png',
      size: png.length,
      size_pretty: `${png.length} B`,
      width: 120,
      height: 80,
    })
    expect(data.audio).toEqual({
      url: `${site.url}/a.mp3`,
      type: 'mp3',
      size: 5,
      size_pretty: '5 B',
      width: null,
      height: null,
    })
    expect(data).toMatchObject({ logo: null, video: null, url: `${site.url}/` })
  })

  it('selects the next candidate when the first is unreachable', async () => {
    const site = await pageSite({
      '/': meta('og:image', '/dead.png') + meta('twitter:image', '/soft.png') + meta('image', '/live.png'),
      '/soft.png': '<title>Not found, but 200</title>',
      '/live.png': image,
    })
    expect((await site.read({ ping: true })).data.image?.url).toBe(`${site.url}/live.png`)
  })

  it('selects the only reachable one of three audio URLs', async () => {
    const site = await pageSite({
      '/': ['/1.mp3', '/2.mp3', '/3.mp3'].map((path) => meta('og:audio', path)).join(''),
      '/2.mp3': (request) => request.socket.destroy(),
      '/3.mp3': audio,
    })
    expect((await site.read({ ping: true })).data.audio?.url).toBe(`${site.url}/3.mp3`)
  })

  it('returns null when no candidate is reachable', async () => {
    const site = await pageSite({ '/': meta('og:image', '/1.png') + meta('og:image', 'http://nowhere.invalid/2.png') })
    expect((await site.read({ ping: true })).data.image).toBeNull()
  })

  it('can exclude a single field, or be limited to one', async () => {
    const html = meta('og:image', '/dead.png') + meta('og:audio', '/dead.mp3')
    const site = await pageSite({ '/': html })
    const allButAudio = (await site.read({ ping: { audio: false } })).data
    expect(allButAudio).toMatchObject({ image: null, audio: { url: `${site.url}/dead.mp3`, size: null } })
    const onlyAudio = (await site.read({ ping: false, 'ping.audio': true })).data
    expect(onlyAudio).toMatchObject({ image: { url: `${site.url}/dead.png` }, audio: null })
  })

  it('falls back to the URL of the page when the canonical one is unreachable', async () => {
    const site = await pageSite({
      '/': '<link rel="canonical" href="/dead">',
      '/live': '<link rel="canonical" href="/also">',
      '/also': 'x',
    })
    expect((await site.read({ ping: true })).data.url).toBe(`${site.url}/`)
    expect((await site.read({ ping: true }, '/live')).data.url).toBe(`${site.url}/also`)
  })

  it('requests each URL once, and the page that was just read not at all', async () => {
    const html = `<link rel="canonical" href="/">${meta('og:image', '/i.png')}<link rel="icon" href="/i.png#x">`
    const site = await pageSite({ '/': html, '/i.png': image })
    const { data } = await site.read({ ping: true })
    expect(data).toMatchObject({ image: { width: 120 }, logo: { width: 120 } })
    expect(site.requests).toEqual(['GET /', 'GET /i.png'])
  })

  it('falls back to GET if HEAD is not supported', async () => {
    const site = await pageSite({
      '/': meta('og:video', '/v.mp4'),
      '/v.mp4': (request, response) => {
        if (request.method === 'HEAD') response.writeHead(405).end()
        else response.writeHead(206, { 'content-type': 'video/mp4', 'content-range': 'bytes 0-3/1234567' }).end('film')
      },
    })
    const { video } = (await site.read({ ping: true })).data
    expect(video).toMatchObject({ type: 'mp4', size: 1_234_567, size_pretty: '1.23 MB' })
    expect(site.requests).toContain('GET /v.mp4')
  })

  it('reads only the first bytes of a large image', async () => {
    const large = Buffer.concat([png, Buffer.alloc(5_000_000)])
    const site = await pageSite({
      '/': meta('og:image', '/i.png'),
      '/i.png': send(large, { 'content-length': String(large.length) }),
    })
    expect((await site.read({ ping: true })).data.image).toMatchObject({ type: 'png', size: large.length, width: 120 })
  })

  it.each(images)('measures %s in its displayed orientation', async (type, bytes, width, height) => {
    const site = await pageSite({ '/': meta('og:image', '/i'), '/i': send(bytes, { 'content-type': `image/${type}` }) })
    expect((await site.read({ ping: true })).data.image).toMatchObject({ type, width, height, size: bytes.length })
  })

  it('never reaches a private address, neither directly nor by a redirect', async () => {
    const canary = await otherSite({ '/i.png': image })
    const site = await pageSite({
      '/': meta('og:image', `${canary.url}/i.png`) + meta('twitter:image', '/hop.png'),
      '/hop.png': redirectTo(`${canary.url}/i.png`),
    })
    expect((await site.read({ ping: true })).data.image).toBeNull()
    expect(canary.requests).toEqual([])
  })

  it('requests at most twenty URLs, with a warning when that was not enough', async () => {
    const site = await pageSite({ '/': tenOf('og:image') + tenOf('og:audio') + tenOf('og:logo') })
    const { warnings } = await site.read({ ping: true })
    expect(new Set(site.requests.map((request) => request.split(' ')[1])).size).toBeLessThanOrEqual(21)
    expect(warnings).toEqual(['Not every URL of the page could be checked; unchecked URLs are omitted.'])
  })

  it('sends at most six requests concurrently', async () => {
    let open = 0
    let maxOpen = 0
    const slowRoute: Route = (_, response) => {
      maxOpen = Math.max(maxOpen, ++open)
      response.on('close', () => open--)
      setTimeout(() => response.writeHead(404).end(), 5)
    }
    const media = ['og:image', 'og:audio', 'og:video', 'og:logo', 'og:url']
    const routes = Object.fromEntries(media.flatMap((name) => [0, 1, 2].map((at) => [`/${name}/${at}`, slowRoute])))
    const html = media.flatMap((name) => [0, 1, 2].map((at) => meta(name, `/${name}/${at}`))).join('')
    const site = await pageSite({ ...routes, '/': html })
    await site.read({ ping: true })
    expect(maxOpen).toBeGreaterThan(1)
    expect(maxOpen).toBeLessThanOrEqual(6)
  })

  it('checks the next candidate while one is slow, and ends after five seconds', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      const onRequest = vi.fn()
      const hangingRoute: Route = () => onRequest()
      const site = await pageSite({
        '/': [1, 2, 3].map((at) => meta('og:image', `/${at}.png`)).join('') + '<link rel="icon" href="/l.png">',
        '/1.png': hangingRoute,
        '/2.png': hangingRoute,
        '/3.png': hangingRoute,
        '/l.png': image,
      })
      const result = site.read({ ping: true })
      await vi.waitUntil(() => onRequest.mock.calls.length === 1)
      await vi.advanceTimersByTimeAsync(1_000)
      await vi.waitUntil(() => onRequest.mock.calls.length === 2)
      await vi.advanceTimersByTimeAsync(4_000)
      const { data, warnings } = await result
      const kept = { url: `${site.url}/1.png`, type: null, width: null }
      expect(data).toMatchObject({ image: kept, logo: { url: `${site.url}/l.png` } })
      expect(warnings).toEqual([`The image could not be verified: ${site.host} did not respond in time.`])
    } finally {
      vi.useRealTimers()
    }
  })
})

describe('the document after its scripts have run', () => {
  const SHELL = '<title>App</title><body><div id="root">Loading…</div><script src="/app.js"></script>'
  const RENDERED = `<html lang="en"><title>Story | App</title><meta property="og:image" content="/i.png">
  <body><h1>Story</h1><p>About</p><script src="/app.js"></script>`

  it('replaces the metadata, while status, headers, redirects and URL still come from the fetch', async () => {
    const site = await pageSite({
      '/': redirectTo('/app'),
      '/app': send(SHELL, { 'content-type': 'text/html', 'x-served-by': 'us' }, 203),
    })
    const first = await site.read()
    const rendered = await site.readRendered(RENDERED, first)
    expect(rendered).toMatchObject({
      data: {
        title: 'Story',
        publisher: 'App',
        lang: 'en',
        url: `${site.url}/app`,
        image: { url: `${site.url}/i.png` },
      },
      statusCode: 203,
      headers: { 'x-served-by': 'us' },
      redirects: [{ statusCode: 302, url: `${site.url}/` }],
      url: `${site.url}/app`,
      timings: { load: first.timings.load, read: expect.any(Number) },
    })
    expect(first.data).toMatchObject({ title: 'App', image: null })
    expect(rendered!.summary).toBeUndefined()
  })

  it('is pinged like any other page, and limited to the requested fields', async () => {
    const site = await pageSite({ '/': SHELL })
    const query = { ping: true, meta: { title: true, image: true } }
    const { data } = (await site.readRendered(RENDERED, await site.read(query), query))!
    expect(data).toEqual({ title: 'Story | App', image: null })
    expect(site.requests).toContain('GET /i.png')
  })

  it('is read although it could belong to a bot check, because the browser has seen its content', async () => {
    const site = await pageSite({ '/': SHELL })
    const { data, state } = (await site.readRendered('<title>Just a moment...</title>', await site.read()))!
    expect([data.title, state]).toEqual(['Just a moment...', undefined])
  })
})
