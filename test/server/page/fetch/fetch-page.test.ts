import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { createServer, type AddressInfo } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { PageError } from '../../../../src/query/index.js'
import { redirectTo, type Route } from '../../../local-site.js'
import { otherSite, pageSite, send } from '../page-site.js'

const hops = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, hop) => [`/${hop || ''}`, redirectTo(`/${hop + 1}`)]))

/** As sent by a server that writes UTF-8 into its headers. */
const UTF8_PATH = Buffer.from('/é?x=1').toString('latin1')

const HTML = { 'content-type': 'text/html; charset=utf-8' }

describe('fetching a page', () => {
  it('returns the response without cookies', async () => {
    const site = await pageSite({
      '/': send('<title>Page</title>', { ...HTML, 'set-cookie': 'a=1', 'x-served-by': 'us' }),
    })
    expect(await site.fetch()).toMatchObject({
      url: `${site.url}/`,
      statusCode: 200,
      redirects: [],
      contentType: 'text/html',
      html: '<title>Page</title>',
      headers: { 'x-served-by': 'us' },
    })
    expect((await site.fetch()).headers).not.toHaveProperty('set-cookie')
  })

  it.each([404, 500])('returns the page of a response with status %i', async (statusCode) => {
    const site = await pageSite({ '/': send('<title>Sorry</title>', HTML, statusCode) })
    expect(await site.fetch()).toMatchObject({ statusCode, html: '<title>Sorry</title>' })
  })

  it('follows redirects and lists each hop', async () => {
    const site = await pageSite({ '/': redirectTo(UTF8_PATH, 301), '/%C3%A9': redirectTo('end', 308), '/end': 'there' })
    expect(await site.fetch('/#part')).toMatchObject({
      url: `${site.url}/end#part`,
      html: 'there',
      redirects: [
        { statusCode: 301, url: `${site.url}/#part` },
        { statusCode: 308, url: `${site.url}/%C3%A9?x=1#part` },
      ],
    })
  })

  it('gives up after ten redirects', async () => {
    const allowed = await pageSite({ ...hops(10), '/10': 'there' })
    expect((await allowed.fetch()).redirects).toHaveLength(10)
    const tooLong = await pageSite({ ...hops(11), '/11': 'there' })
    await expect(tooLong.fetch()).rejects.toMatchObject({ code: 'EMAXREDIRECTS', status: 502 })
  })

  it.each([
    ['http://10.0.0.1/', 'EFORBIDDENURL'],
    ['http://[::ffff:127.0.0.1]:3000/', 'EFORBIDDENURL'],
    ['http://nowhere.invalid/', 'EUNREACHABLE'],
    ['file:///etc/passwd', 'EUNREACHABLE'],
    ['http://[broken', 'EUNREACHABLE'],
  ])('does not follow a redirect to %s', async (location, code) => {
    const site = await pageSite({ '/': redirectTo(location) })
    await expect(site.fetch()).rejects.toMatchObject({ code, data: { url: expect.any(String) } })
  })

  it('never reaches a private address that a page redirects to', async () => {
    const canary = await otherSite({ '/': 'reached' })
    const site = await pageSite({ '/': redirectTo(`${canary.url}/`) })
    await expect(site.fetch()).rejects.toMatchObject({ code: 'EFORBIDDENURL', status: 403 })
    expect(canary.requests).toEqual([])
  })

  it('sends the headers of the caller to the origin of the page only', async () => {
    const requests: unknown[] = []
    const recordAndRedirect =
      (location: string): Route =>
      (request, response) => {
        requests.push([request.headers['x-token'], request.headers['user-agent']])
        response.writeHead(302, { location }).end()
      }
    const other = await otherSite({})
    const site = await pageSite(
      { '/': recordAndRedirect('/second'), '/second': recordAndRedirect(`${other.url}/`), '/third': 'there' },
      [other],
    )
    other.routes['/'] = recordAndRedirect(`${site.url}/third`)
    await site.fetch('/', { headers: { 'x-token': 'mine', 'user-agent': 'me' } })
    expect(requests).toEqual([
      ['mine', 'me'],
      ['mine', 'me'],
      [undefined, expect.stringContaining('PagePreview')],
    ])
  })

  it('does not read the body of a target that is not HTML', async () => {
    let closed: Promise<unknown> | undefined
    const site = await pageSite({
      '/': (_, response) => {
        closed = once(response, 'close')
        response.writeHead(200, { 'content-type': 'video/mp4' })
        response.write('endless')
      },
    })
    expect(await site.fetch()).toMatchObject({ html: undefined, contentType: 'video/mp4' })
    await closed
  })

  it('recognises HTML without a content type by its first characters', async () => {
    const site = await pageSite({ '/': send(' <!doctype html><title>x'), '/text': send('plain') })
    expect((await site.fetch()).contentType).toBe('text/html')
    expect((await site.fetch('/text')).html).toBeUndefined()
  })
})

describe('decoding', () => {
  it.each([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
    ['gzip, br', (text: string) => brotliCompressSync(gzipSync(text))],
    ['identity', (text: string) => Buffer.from(text)],
  ])('decompresses %s', async (encoding, compress) => {
    const site = await pageSite({ '/': send(compress('<p>tea ☕'), { ...HTML, 'content-encoding': encoding }) })
    expect((await site.fetch()).html).toBe('<p>tea ☕')
  })

  const cyrillic = Buffer.from([0xcf, 0xf0, 0xe8, 0xe2, 0xe5, 0xf2])
  it.each([
    ['the header', 'text/html; charset="windows-1251"', cyrillic, 'Привет'],
    ['the meta tag', 'text/html', Buffer.concat([Buffer.from('<meta charset=windows-1251>'), cyrillic]), 'Привет'],
    [
      'the older meta tag',
      'text/html',
      Buffer.concat([Buffer.from('<meta http-equiv="content-type" content="text/html; charset=cp1251">'), cyrillic]),
      'Привет',
    ],
    [
      'the header before the meta tag',
      'text/html; charset=utf-8',
      Buffer.from('<meta charset=koi8-r>Привет'),
      'Привет',
    ],
    ['the byte order mark before all', 'text/html; charset=koi8-r', Buffer.from('\uFEFFПривет'), 'Привет'],
    ['a UTF-16 mark', 'text/html', Buffer.from('\uFEFFПривет', 'utf16le'), 'Привет'],
    ['the bytes themselves, UTF-8', 'text/html', Buffer.from('Привет'), 'Привет'],
    ['the bytes themselves, Western', 'text/html', Buffer.from([0x63, 0x61, 0x66, 0xe9, 0x80]), 'café€'],
    ['the next source if a charset is unknown', 'text/html; charset=klingon', Buffer.from('Привет'), 'Привет'],
    ['Shift_JIS', 'text/html; charset=shift_jis', Buffer.from([0x93, 0xfa, 0x96, 0x7b]), '日本'],
  ])('takes the charset from %s', async (_, contentType, bytes, text) => {
    const site = await pageSite({ '/': send(bytes, { 'content-type': contentType }) })
    expect((await site.fetch()).html).toContain(text)
  })

  it('has the start of a page over 8 MB, with a warning', async () => {
    const start = '<title>Tides</title>'
    const site = await pageSite({
      '/': send(start + 'x'.repeat(8_000_000), HTML),
      '/fits': send('x'.repeat(8_000_000), HTML),
    })
    const { html, warnings } = await site.fetch()
    expect(html).toMatch(/^<title>Tides<\/title>x/)
    expect(warnings).toEqual([expect.stringContaining('longer than 8 MB')])
    expect((await site.fetch('/fits')).statusCode).toBe(200)
  })

  it.each([0, 1, 2])(
    'has the first 4 MB of a longer page, without a character that is cut at byte %i of it',
    async (cut) => {
      const start = `<title>Größe</title>${'x'.repeat(cut)}`
      const site = await pageSite({ '/': send(start + '€'.repeat(2_000_000), { 'content-type': 'text/html' }) })
      const { html } = await site.fetch()
      expect(html).toMatch(/^<title>Größe<\/title>x*€+$/)
      expect(html!.length).toBeGreaterThan(1_300_000)
    },
  )

  it('stops reading a small body that decompresses to a large one', async () => {
    const bomb = gzipSync(Buffer.alloc(200_000_000))
    const site = await pageSite({ '/': send(bomb, { ...HTML, 'content-encoding': 'gzip' }) })
    const before = process.memoryUsage.rss()
    expect((await site.fetch()).html!.length).toBeLessThanOrEqual(4_000_000)
    expect(process.memoryUsage.rss() - before).toBeLessThan(100_000_000)
  })

  it.each([
    ['gzip', 'not gzip at all', 'its body is not gzip, although its content-encoding says so'],
    ['br', 'not brotli at all', 'its compressed body is damaged'],
    ['compress', 'LZW', 'its content-encoding is not supported'],
    ['gzip, gzip, gzip, gzip', 'packed', 'its content-encoding is not supported'],
  ])('says what is wrong with a body encoded as %s', async (encoding, body, reason) => {
    const site = await pageSite({ '/': send(body, { ...HTML, 'content-encoding': encoding }) })
    await expect(site.fetch()).rejects.toMatchObject({ code: 'EUNREACHABLE', data: { url: reason } })
  })
})

describe('a page without a valid response', () => {
  it('is unreachable when the connection is refused, reset or interrupted, or the response is not HTTP', async () => {
    const site = await pageSite({
      '/reset': (request) => request.socket.resetAndDestroy(),
      '/short': (_, response) => {
        response.writeHead(200, { ...HTML, 'content-length': '100' })
        response.write('half', () => response.destroy())
      },
      '/babble': (request) => request.socket.end('hello\r\n\r\n'),
      '/huge': (_, response) => response.writeHead(200, { x: 'x'.repeat(270_000) }).end(),
    })
    for (const [path, url] of [
      ['/reset', 'it closed the connection before its response was complete'],
      ['/short', 'it closed the connection before its response was complete'],
      ['/babble', 'its response is not valid HTTP'],
      ['/huge', 'the headers of its response are too large'],
    ])
      await expect(site.fetch(path), path).rejects.toMatchObject({ code: 'EUNREACHABLE', status: 502, data: { url } })
    await site.close()
    await expect(site.fetch()).rejects.toMatchObject({
      code: 'EUNREACHABLE',
      message: `${site.host} could not be read: the connection was refused. Try again later, or request another URL.`,
      data: { url: 'the connection was refused' },
    })
  })

  it('is unreachable when the server does not support TLS', async () => {
    // Kept open, because a client that still sends when the server has closed reads that it was reset.
    const server = createServer((socket) =>
      socket.on('error', () => undefined).once('data', () => socket.write('HTTP/1.1 400 Bad Request\r\n\r\n')),
    )
    await once(server.listen(0, '127.0.0.1'), 'listening')
    onTestFinished(() => void server.close())
    const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
    const site = await pageSite({}, [{ host }])
    await expect(site.fetch(`https://${host}/`)).rejects.toMatchObject({
      code: 'EUNREACHABLE',
      data: { url: 'its TLS certificate or connection cannot be trusted' },
    })
  })

  it.each<[name: string, headers: Record<string, string>, first: Buffer]>([
    ['HTML', {}, Buffer.from('<html><link rel=stylesheet href=/style.css>')],
    ['gzip', { 'content-encoding': 'gzip' }, gzipSync('<title>Never ends</title>').subarray(0, 20)],
  ])('is given up when it sends less than 1 kB/s before its head has arrived: %s', async (_, headers, first) => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    onTestFinished(() => void vi.useRealTimers())
    const sent = vi.fn()
    const site = await pageSite({
      '/': (_request, response) => {
        response.writeHead(200, { ...HTML, ...headers })
        response.write(first, sent)
      },
    })
    const outcome = expect(site.fetch()).rejects.toMatchObject({
      code: 'ETIMEOUT',
      message: `${site.host} sends its response too slowly. Try again later.`,
    })
    await vi.waitFor(() => expect(vi.getTimerCount()).toBe(1))
    for (let second = 1; second <= 4; second++) await vi.advanceTimersByTimeAsync(1_000)
    await outcome
    expect(sent).toHaveBeenCalled()
  })

  it.each(['application/pdf', 'text/plain'])(
    'is shown by its name alone when it is a file that sends less than 1 kB/s: %s',
    async (contentType) => {
      vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
      onTestFinished(() => void vi.useRealTimers())
      const site = await pageSite({
        '/': (_, response) => void response.writeHead(200, { 'content-type': contentType }).write('%PDF-1.7'),
      })
      const page = site.fetch()
      await vi.waitFor(() => expect(vi.getTimerCount()).toBe(1))
      for (let second = 1; second <= 4; second++) await vi.advanceTimersByTimeAsync(1_000)
      const { file } = await page
      expect(file).toMatchObject({ bytes: undefined, problem: 'arrives too slowly', isTemporary: true })
    },
  )

  it('is read to its end when it sends 1 kB/s, or nothing for two seconds', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    onTestFinished(() => void vi.useRealTimers())
    const responses: ServerResponse[] = []
    const site = await pageSite({
      '/': (_, response) => {
        response.writeHead(200, HTML).write('<title>Slow</title>')
        responses.push(response)
      },
    })
    const page = site.fetch()
    await vi.waitFor(() => expect(vi.getTimerCount()).toBe(1))
    for (let second = 1; second <= 8; second++) {
      if (second % 2) await new Promise((resolve) => responses[0]!.write(' '.repeat(3_000), resolve))
      // Until the bytes have arrived.
      for (let turn = 0; turn < 50; turn++) await setImmediate()
      await vi.advanceTimersByTimeAsync(1_000)
    }
    responses[0]!.end()
    expect((await page).html).toHaveLength(19 + 4 * 3_000)
    expect(vi.getTimerCount()).toBe(0)
  })

  it('times out after ten seconds even if it keeps sending', { timeout: 5_000 }, async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const responses: ServerResponse[] = []
    const site = await pageSite({
      '/': (_, response) => {
        response.writeHead(200, HTML).write('<title>')
        responses.push(response)
      },
    })
    const outcome = expect(site.fetch()).rejects.toMatchObject({ code: 'ETIMEOUT', status: 504 })
    await vi.waitUntil(() => responses.length)
    await vi.advanceTimersByTimeAsync(6_000)
    await new Promise((resolve) => responses[0]?.write('still ', resolve))
    for (let turn = 0; turn < 20; turn++) await setImmediate()
    await vi.advanceTimersByTimeAsync(4_000)
    await outcome
  })

  it('times out when nothing arrives for ten seconds', { timeout: 5_000 }, async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const onRequest = vi.fn()
    const site = await pageSite({ '/': () => onRequest() })
    const outcome = expect(site.fetch()).rejects.toMatchObject({ code: 'ETIMEOUT', status: 504 })
    await vi.waitUntil(() => onRequest.mock.calls.length)
    await vi.advanceTimersByTimeAsync(10_000)
    await outcome
  })

  it('rejects with the reason of an aborted signal, and leaves no request open', async () => {
    for (const reason of [
      new PageError('ETIMEOUT', 'The whole request took too long.'),
      new Error('client disconnected'),
    ]) {
      const controller = new AbortController()
      let closed: Promise<unknown> | undefined
      const site = await pageSite({
        '/': (_, response) => {
          closed = once(response, 'close')
          controller.abort(reason)
        },
      })
      await expect(site.fetch('/', { signal: controller.signal })).rejects.toBe(reason)
      await closed
      await expect(site.fetch('/', { signal: controller.signal })).rejects.toBe(reason)
    }
  })
})
