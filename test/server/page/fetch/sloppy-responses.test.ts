// Covers fetching responses that are not what HTTP says, and that browsers show all the same.
import type { Socket } from 'node:net'
import * as zlib from 'node:zlib'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { pageSite, send } from '../page-site.js'

const { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } = zlib
/** Node 22 has it from 22.15 on. */
const zstdCompressSync = 'zstdCompressSync' in zlib ? zlib.zstdCompressSync : undefined

const PAGE = `<!doctype html><html><head><title>Tides</title></head><body>${'<p>The gauge was read at dawn.'.repeat(50)}</body></html>`
const HTML = { 'content-type': 'text/html; charset=utf-8' }

/** A site that sends each text as it is, and then closes the connection. */
const rawSite = (responses: Record<string, string | Buffer>) =>
  pageSite(
    Object.fromEntries(
      Object.entries(responses).map(([path, text]) => [
        path,
        ({ socket }: { socket: Socket }) => void socket.end(Buffer.from(text as string, 'latin1')),
      ]),
    ),
  )

describe('a compressed body', () => {
  const gzip = gzipSync(PAGE)
  const withName = Buffer.concat([
    gzip.subarray(0, 3),
    Buffer.from([8]),
    gzip.subarray(4, 10),
    Buffer.from('a.html\0'),
    gzip.subarray(10),
  ])
  const wrongSum = Buffer.from(gzip)
  wrongSum[gzip.length - 6]! ^= 0xff
  it.each<readonly [name: string, encoding: string, body: Buffer | string]>([
    ['deflate without its zlib header', 'deflate', deflateRawSync(PAGE)],
    ['deflate with its zlib header', 'deflate', deflateSync(PAGE)],
    ['gzip that is called deflate', 'deflate', gzip],
    ['gzip with the name of a file', 'gzip', withName],
    ['gzip with a wrong checksum', 'gzip', wrongSum],
    ['gzip without its checksum', 'gzip', gzip.subarray(0, -8)],
    ['gzip with bytes after its end', 'gzip', Buffer.concat([gzip, Buffer.from('\0\0garbage')])],
    [
      'gzip with the start of another one after its end',
      'gzip',
      Buffer.concat([gzip, Buffer.from([0x1f, 0x8b, 8, 0])]),
    ],
    ['gzip in capitals, with a parameter', 'GZIP;q=1', gzip],
    ['gzip in quotes', '"gzip"', gzip],
    ['x-gzip', 'x-gzip', gzip],
    ['identity and gzip', 'identity, gzip', gzip],
    ['gzip in gzip', 'gzip, gzip', gzipSync(gzip)],
    ['deflate in gzip', 'deflate, gzip', gzipSync(deflateRawSync(PAGE))],
    ...(zstdCompressSync ? [['zstd', 'zstd', zstdCompressSync(PAGE)] as const] : []),
    ['a charset as the encoding', 'utf-8', PAGE],
    ['none', 'none', PAGE],
    ['binary', 'binary', PAGE],
    ['an unknown name beside gzip', 'gzip, utf-8', PAGE],
    ['an empty name', '', PAGE],
  ])('is read: %s', async (_, encoding, body) => {
    const site = await pageSite({ '/': send(body, { ...HTML, 'content-encoding': encoding }) })
    expect(await site.fetch()).toMatchObject({ html: PAGE, warnings: [], isCutOff: false })
  })

  it.each<readonly [encoding: string, body: Buffer]>([
    ['gzip', gzip],
    ['deflate', deflateSync(PAGE)],
    ['deflate', deflateRawSync(PAGE)],
    ['br', brotliCompressSync(PAGE + 'and so on, '.repeat(200) + String(Math.PI).repeat(30))],
    ...(zstdCompressSync
      ? [['zstd', Buffer.concat([zstdCompressSync(PAGE), zstdCompressSync('<!-- more -->')])] as const]
      : []),
  ])('that is cut off is read as far as it goes: %s', async (encoding, body) => {
    const site = await pageSite({ '/': send(body.subarray(0, -5), { ...HTML, 'content-encoding': encoding }) })
    expect((await site.fetch()).html).toContain('<title>Tides</title>')
  })

  it('is read as far as it goes when the connection is reset', async () => {
    const site = await pageSite({
      '/': ({ socket }, response) => {
        response.writeHead(200, { ...HTML, 'content-encoding': 'gzip', 'content-length': 9_999 })
        response.write(gzip.subarray(0, -8), () => setImmediate(() => socket.resetAndDestroy()))
      },
    })
    expect(await site.fetch()).toMatchObject({ html: PAGE, isCutOff: false })
  })
})

const head = 'HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n'
const size = Buffer.byteLength(PAGE)
const chunk = (text: string, end = '\r\n') => `${Buffer.byteLength(text).toString(16)}${end}${text}${end}`

describe('a body with a wrong length', () => {
  it.each([
    ['less than announced', `${head}Content-Length: ${size + 500}\r\n\r\n${PAGE}`],
    ['without its last chunk', `${head}Transfer-Encoding: chunked\r\n\r\n${chunk(PAGE)}`],
    ['with an invalid last chunk', `${head}Transfer-Encoding: chunked\r\n\r\n${chunk(PAGE)}zz\r\n`],
    [
      'with a length beside its chunks',
      `${head}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n${chunk(PAGE)}0\r\n\r\n`,
    ],
    [
      'with chunks beside its length',
      `${head}Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n${chunk(PAGE)}0\r\n\r\n`,
    ],
    [
      'with spaces after the size of a chunk',
      `${head}Transfer-Encoding: chunked\r\n\r\n${size.toString(16)}  \r\n${PAGE}\r\n0\r\n\r\n`,
    ],
    ['with bare line feeds around its chunks', `${head}Transfer-Encoding: chunked\r\n\r\n${chunk(PAGE, '\n')}0\n\n`],
    ['with the same length twice', `${head}Content-Length: ${size}\r\nContent-Length: ${size}\r\n\r\n${PAGE}`],
    ['with a list of lengths', `${head}Content-Length: ${size}, ${size}\r\n\r\n${PAGE}`],
    ['with two lengths', `${head}Content-Length: ${size}\r\nContent-Length: 5\r\n\r\n${PAGE}`],
    ['with a length that is no number', `${head}Content-Length: unknown\r\n\r\n${PAGE}`],
    ['with an empty length', `${head}Content-Length:\r\n\r\n${PAGE}`],
    ['with a negative length', `${head}Content-Length: -1\r\n\r\n${PAGE}`],
  ])('is read: %s', async (_, response) => {
    const site = await rawSite({ '/': response })
    expect(await site.fetch()).toMatchObject({ html: PAGE, isCutOff: false, warnings: [] })
  })

  it('is as long as it announces, if more follows', async () => {
    const site = await rawSite({ '/': `${head}Content-Length: ${size}\r\n\r\n${PAGE}<script>track()</script>` })
    expect((await site.fetch()).html).toBe(PAGE)
  })

  it('is read up to where the connection ended, with a warning', async () => {
    const start = PAGE.slice(0, 400)
    const site = await rawSite({ '/': `${head}Content-Length: ${size}\r\n\r\n${start}` })
    expect(await site.fetch()).toMatchObject({
      html: start,
      isCutOff: true,
      warnings: ['The page was not received completely; its metadata is from the first 400 B of it.'],
    })
  })

  it('does not lose its charset when a character is cut in half', async () => {
    const bytes = Buffer.from(`<title>Größe</title>${'€'.repeat(20)}`).subarray(0, -1)
    const site = await rawSite({
      '/': Buffer.concat([
        Buffer.from('HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 900\r\n\r\n'),
        bytes,
      ]),
    })
    expect((await site.fetch()).html).toBe(`<title>Größe</title>${'€'.repeat(19)}`)
  })
})

describe('sloppy headers', () => {
  it.each([
    ['bare line feeds', `HTTP/1.1 200 OK\nContent-Type: text/html\nX-A: b\n\n${PAGE}`],
    ['a line without a colon', `${head}garbage\r\nX-A: b\r\n\r\n${PAGE}`],
    ['a name with spaces', `${head}X Powered By: us\r\nX-A: b\r\n\r\n${PAGE}`],
    ['a space before the colon', `${head}X-A : b\r\n\r\n${PAGE}`],
    ['an empty name', `${head}: nothing\r\nX-A: b\r\n\r\n${PAGE}`],
    ['a name that is not ASCII', `${head}X-\xe9: c\r\nX-A: b\r\n\r\n${PAGE}`],
    ['control characters', `${head}X-A: \x01b\x7f\r\n\r\n${PAGE}`],
    ['a zero byte', `${head}X-A: b\0\r\n\r\n${PAGE}`],
    ['a bare carriage return', `${head}X-C: c\rX-D: d\r\nX-A: b\r\n\r\n${PAGE}`],
    ['a folded line', `${head}X-A:\r\n  b\r\n\r\n${PAGE}`],
    ['a status line without a reason', `HTTP/1.1 200\r\nContent-Type: text/html\r\nX-A: b\r\n\r\n${PAGE}`],
    ['HTTP/1.0', `HTTP/1.0 200 OK\r\nContent-Type: text/html\r\nX-A: b\r\n\r\n${PAGE}`],
    ['an unknown version', `HTTP/2 200 OK\r\nContent-Type: text/html\r\nX-A: b\r\n\r\n${PAGE}`],
    ['a lower-case version', `http/1.1 200 ok\r\nContent-Type: text/html\r\nX-A: b\r\n\r\n${PAGE}`],
    ['an empty line before it', `\r\n${head}X-A: b\r\n\r\n${PAGE}`],
    ['100 Continue', `HTTP/1.1 100 Continue\r\n\r\n${head}X-A: b\r\n\r\n${PAGE}`],
    ['103 Early Hints', `HTTP/1.1 103 Early Hints\r\nLink: </a>; rel=preload\r\n\r\n${head}X-A: b\r\n\r\n${PAGE}`],
    ['an upgrade that is offered', `${head}Upgrade: h2c\r\nConnection: Upgrade\r\nX-A: b\r\n\r\n${PAGE}`],
  ])('are read: %s', async (_, response) => {
    const site = await rawSite({ '/': response })
    const page = await site.fetch()
    expect(page).toMatchObject({ statusCode: 200, html: PAGE, contentType: 'text/html' })
    expect(page.headers['x-a']).toBe('b')
  })

  it('are read up to 256 kB, of which the result has 64 kB', async () => {
    const site = await pageSite({
      '/': send(PAGE, { ...HTML, 'content-security-policy': 'x'.repeat(200_000), 'x-after': 'kept' }),
    })
    const { html, headers } = await site.fetch()
    expect(html).toBe(PAGE)
    expect(headers).toMatchObject({ 'x-after': 'kept' })
    expect(headers).not.toHaveProperty('content-security-policy')
  })

  it('may redirect, with cookies, and the request is the same', async () => {
    const requests: unknown[] = []
    const site = await pageSite({
      '/': ({ socket }) => void socket.end('HTTP/1.1 302 Found\nSet-Cookie: a=1\nBad Header: x\nLocation: /next\n\n'),
      '/next': ({ headers }, response) => {
        requests.push(headers)
        response.writeHead(200, HTML).end(PAGE)
      },
    })
    expect(await site.fetch()).toMatchObject({ url: `${site.url}/next`, redirects: [{ statusCode: 302 }] })
    expect(requests).toMatchObject([{ cookie: 'a=1', 'user-agent': expect.stringContaining('bot') }])
    expect(site.requests).toEqual(['GET /', 'GET /', 'GET /next'])
  })

  it.each([
    ['nothing', ''],
    ['no status', 'HTTP/1.1 OK\r\n\r\n'],
    ['text', `<html>${PAGE}`],
    ['half a header', 'HTTP/1.1 200 OK\r\nContent-Ty'],
    ['another protocol', 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: h2c\r\nConnection: Upgrade\r\n\r\n'],
    ['a line without end', `HTTP/1.1 200 OK\n${'x'.repeat(300_000)}`],
  ])('that no browser understands fail: %s', async (_, response) => {
    const site = await rawSite({ '/': response })
    await expect(site.fetch()).rejects.toMatchObject({ code: 'EUNREACHABLE' })
  })
})

describe('a response that stays open', () => {
  it.each([
    ['after its end', PAGE, 2, false],
    ['after its end and a comment', `${PAGE}\n<!-- Performance optimized by W3 Total Cache -->`, 2, false],
    ['before its end', PAGE.slice(0, 300), 4, true],
  ])('is read as far as it goes: %s', async (_, text, seconds, isCutOff) => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    onTestFinished(() => void vi.useRealTimers())
    const site = await pageSite({
      '/': (_request, response) => void response.writeHead(200, HTML).write(text),
    })
    const page = site.fetch()
    await vi.waitFor(() => expect(vi.getTimerCount()).toBe(1))
    for (let second = 1; second <= seconds; second++) await vi.advanceTimersByTimeAsync(1_000)
    expect(await page).toMatchObject({ html: text, isCutOff })
    expect(vi.getTimerCount()).toBe(0)
  })

  it('is read as far as it goes when the time is up, even if it keeps sending', { timeout: 5_000 }, async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const received = vi.fn()
    const site = await pageSite({
      '/': (_, response) => void response.writeHead(200, HTML).write(PAGE.slice(0, 300), received),
    })
    const page = site.fetch()
    await vi.waitFor(() => expect(received).toHaveBeenCalled())
    await new Promise((resolve) => setImmediate(resolve))
    await vi.advanceTimersByTimeAsync(9_600)
    expect(await page).toMatchObject({ html: PAGE.slice(0, 300), isCutOff: true })
  })
})

describe('the type of a page', () => {
  it.each([
    ['text/html charset=utf-8'],
    ['text/html, text/html; charset=utf-8'],
    ['"text/html"; charset=utf-8'],
    ['TEXT/HTML;;charset=utf-8'],
    ['application/json, text/html; charset=utf-8'],
    ['html'],
    ['*/*'],
    ['unknown/unknown'],
    [''],
  ])('is HTML: %s', async (contentType) => {
    const site = await pageSite({ '/': send(PAGE, { 'content-type': contentType }) })
    expect(await site.fetch()).toMatchObject({ contentType: 'text/html', html: PAGE })
  })

  it.each([
    ['text/plain', PAGE, 'text/plain'],
    ['application/pdf', PAGE, 'application/pdf'],
    ['*/*', '{"title":"<html>"}', ''],
    ['', '%PDF-1.7', 'application/pdf'],
    ['', 'MZ', ''],
  ])('is what it says, or what it begins with: %s', async (type, body, contentType) => {
    const site = await pageSite({ '/': send(body, { 'content-type': type }) })
    expect(await site.fetch()).toMatchObject({ contentType, html: undefined })
  })
})
