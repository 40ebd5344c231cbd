import { EventEmitter, once } from 'node:events'
import { request as sendRequest } from 'node:http'
import { connect, createServer, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { connect as connectTls, createServer as createTlsServer } from 'node:tls'
import { describe, expect, it, vi } from 'vitest'
import { captureLimits, createCaptureBudget } from '../../../src/server/budget/index.js'
import { createGuard } from '../../../src/server/network/index.js'
import { startEgressProxy } from '../../../src/server/network/egress-proxy.js'
import { redirectTo } from '../../local-site.js'
import {
  findClosedPort,
  getThrough,
  openTunnelThrough,
  resolveNothing,
  sendRaw,
  startProxy,
  startSite,
  startTcpServer,
} from './egress-proxy-client.js'
import { certificate } from './test-certificate.js'

describe('the egress proxy', () => {
  it('rejects a request that is not for a proxy', async () => {
    const proxy = await startProxy({ allowTargets: ['127.0.0.1'] })
    expect((await fetch(`${proxy.url}/`)).status).toBe(400)
    expect(await sendRaw(proxy, 'GET https://example.com/ HTTP/1.1\r\nHost: x\r\n\r\n')).toMatch(/^HTTP\/1.1 400/)
  })

  it.each([
    ['garbage', '\u0000\u0001nonsense\r\n\r\n'],
    ['TLS', Buffer.from('16030100a5010000a10303', 'hex')],
    ['an endless header', `GET http://example.com/ HTTP/1.1\r\nx: ${'a'.repeat(100_000)}`],
    [
      'contradicting lengths',
      'POST http://example.com/ HTTP/1.1\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n\r\n',
    ],
  ])('closes the connection after %s and goes on serving', async (_, bytes) => {
    const { url, host } = await startSite({ '/': 'page' })
    const proxy = await startProxy({ allowTargets: [host] })
    expect(await sendRaw(proxy, bytes)).toMatch(/^(HTTP\/1.1 400|$)/)
    expect((await getThrough(proxy, `${url}/`)).body).toBe('page')
  })

  it('closes each connection unread once the budget is exhausted', async () => {
    const { url, host } = await startSite({ '/': 'page' })
    const budget = createCaptureBudget({ ...captureLimits, requests: 1, bytes: 1_000 })
    const proxy = await startProxy({ allowTargets: [host] }, budget)
    expect((await getThrough(proxy, `${url}/`)).body).toBe('page')
    await expect(getThrough(proxy, `${url}/`)).rejects.toThrow(/hang up|reset/i)
    expect(await sendRaw(proxy, 'garbage\r\n\r\n')).toBe('')
  })

  it('closes every connection when it is closed', async () => {
    const upstreams: Socket[] = []
    const port = await startTcpServer((socket) => upstreams.push(socket.resume()))
    const proxy = await startEgressProxy(createGuard({ allowTargets: [`127.0.0.1:${port}`] }))
    const { socket: tunnelled } = await openTunnelThrough(proxy, `127.0.0.1:${port}`)
    const stalled = getThrough(proxy, `http://127.0.0.1:${port}/`)
    const idle = connect(Number(new URL(proxy.url).port), '127.0.0.1')
    idle.on('error', () => {})
    await once(idle, 'connect')
    await expect.poll(() => upstreams.length).toBe(2)

    const ended = [tunnelled, idle, ...upstreams].map((socket) => once(socket, 'close'))
    const failed = expect(stalled).rejects.toThrow(/hang up|reset/i)
    await proxy.close()
    await Promise.all([...ended, failed])
    await expect(fetch(proxy.url)).rejects.toThrow('fetch failed')
  })
})

it.each([
  ['switches protocols', 'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: foo\r\n\r\n'],
  ['closes without a response', ''],
  ['closes within the headers', 'HTTP/1.1 200 OK\r\nContent-Le'],
  ['sends no HTTP', 'SSH-2.0-OpenSSH_9.6\r\n'],
  ['switches protocols after a hint', 'HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 101 x\r\nUpgrade: h2c\r\n\r\n'],
])('responds with 502 at once when a target %s', async (_, bytes) => {
  const port = await startTcpServer((socket) => socket.once('data', () => socket.end(bytes)))
  const proxy = await startProxy({ allowTargets: [`127.0.0.1:${port}`] })
  const startedAt = performance.now()
  const { statusCode, headers } = await getThrough(proxy, `http://127.0.0.1:${port}/`)
  expect([statusCode, headers['x-page-preview-refused']]).toEqual([502, 'EUNREACHABLE'])
  expect(performance.now() - startedAt).toBeLessThan(2_000)
})

it.each(['O\x01K', '\x07', 'O\x7fK', 'O\tK', '\x1b[31mOK', 'O\xe9K', ''])(
  'forwards a response whose reason is %j',
  async (reason) => {
    const bytes = Buffer.from(`HTTP/1.1 200 ${reason}\r\nContent-Length: 4\r\n\r\npage`, 'latin1')
    const port = await startTcpServer((socket) => socket.once('data', () => socket.end(bytes)))
    const proxy = await startProxy({ allowTargets: [`127.0.0.1:${port}`] })
    expect(await getThrough(proxy, `http://127.0.0.1:${port}/`)).toMatchObject({ statusCode: 200, body: 'page' })
  },
)

it.each([1, 15, 18, 40, 60, 250])('forwards response headers of %i kB', async (kilobytes) => {
  const policy = Array.from({ length: kilobytes }, (_, n) => `x-${n}: ${'a'.repeat(990)}\r\n`).join('')
  const bytes = `HTTP/1.1 200 OK\r\n${policy}Connection: close\r\n\r\npage`
  const port = await startTcpServer((socket) => socket.once('data', () => socket.end(bytes)))
  const proxy = await startProxy({ allowTargets: [`127.0.0.1:${port}`] })
  const { statusCode, headers, body } = await getThrough(proxy, `http://127.0.0.1:${port}/`)
  expect([statusCode, headers[`x-${kilobytes - 1}`]?.length, body]).toEqual([200, 990, 'page'])
})

it('responds with 502 to response headers that are longer', async () => {
  const port = await startTcpServer((socket) => socket.end(`HTTP/1.1 200 OK\r\nx: ${'a'.repeat(270_000)}\r\n\r\n`))
  const proxy = await startProxy({ allowTargets: [`127.0.0.1:${port}`] })
  expect(await getThrough(proxy, `http://127.0.0.1:${port}/`)).toMatchObject({ statusCode: 502 })
})

describe('plain http through the proxy', () => {
  it('returns the body, the status and all headers of the target', async () => {
    const { url, host } = await startSite({
      '/page': (_, response) =>
        response.writeHead(418, { 'set-cookie': ['a=1', 'b=2'], 'x-page-preview-refused': 'forged' }).end('tea'),
    })
    const proxy = await startProxy({ allowTargets: [host] })
    const response = await getThrough(proxy, `${url}/page`)
    expect(response).toMatchObject({ statusCode: 418, body: 'tea', headers: { 'set-cookie': ['a=1', 'b=2'] } })
    expect(response.headers).not.toHaveProperty('x-page-preview-refused')
  })

  it('forwards only end-to-end headers, and the host of the URL', async () => {
    const { url, host } = await startSite({ '/': (request, response) => response.end(JSON.stringify(request.headers)) })
    const proxy = await startProxy({ allowTargets: [host] })
    const { body } = await getThrough(proxy, `${url}/`, {
      host: 'other.example',
      accept: 'text/html',
      connection: 'x-private',
      'x-private': '1',
      'keep-alive': '5',
      'proxy-connection': 'keep-alive',
      'proxy-authorization': 'Basic eDp5',
      te: 'trailers',
    })
    expect(JSON.parse(body)).toEqual({ host, accept: 'text/html', connection: 'close' })
  })

  it.each(['POST', 'DELETE'])('forwards the chunked body of a %s', async (method) => {
    const { url, host } = await startSite({
      '/': (request, response) => void text(request).then((body) => response.end(`${request.method} ${body}`)),
    })
    const proxy = await startProxy({ allowTargets: [host] })
    const { hostname, port } = new URL(proxy.url)
    const sent = sendRequest({ hostname, port, method, path: `${url}/`, headers: { 'transfer-encoding': 'chunked' } })
    sent.write('one ')
    sent.end('two')
    const [response] = await once(sent, 'response')
    expect(await text(response)).toBe(`${method} one two`)
  })

  it.each([
    ['body', { body: 'x'.repeat(20_000), headers: {} }],
    ['headers', { body: '', headers: { 'x-sent': 'x'.repeat(11_000) } }],
  ])('counts the bytes of the %s that a page sends', async (_, { body, headers }) => {
    const { url, host } = await startSite({ '/': (request, response) => void text(request).then(() => response.end()) })
    const budget = createCaptureBudget({ ...captureLimits, bytes: 10_000 })
    const proxy = await startProxy({ allowTargets: [host] }, budget)
    const { hostname, port } = new URL(proxy.url)
    const sent = sendRequest({ hostname, port, method: 'POST', path: `${url}/`, headers })
    // The proxy closes the connection of a page that is over its budget.
    sent.on('error', () => undefined)
    sent.on('response', (response) => response.resume())
    sent.end(body)
    await new Promise((resolve) => sent.once('close', resolve))
    expect(budget.exhausted.aborted).toBe(true)
  })

  it('never connects to a private address, however it is written', async () => {
    const canary = await startSite({ '/': 'reached' })
    const proxy = await startProxy({})
    const { port } = new URL(canary.url)
    for (const host of ['127.0.0.1', 'localhost', '2130706433', '0x7f.1', '[::ffff:127.0.0.1]', '0']) {
      const response = await getThrough(proxy, `http://${host}:${port}/`)
      expect(response, host).toMatchObject({ statusCode: 403, headers: { 'x-page-preview-refused': 'EFORBIDDENURL' } })
    }
    expect(canary.requests).toEqual([])
  })

  it('checks each hop of a redirect, because each is a separate request', async () => {
    const canary = await startSite({ '/': 'reached' })
    const { url, host } = await startSite({ '/': redirectTo(`${canary.url}/`) })
    const proxy = await startProxy({ allowTargets: [host] })
    const { statusCode, headers } = await getThrough(proxy, `${url}/`)
    expect(statusCode).toBe(302)
    expect((await getThrough(proxy, headers.location ?? '')).statusCode).toBe(403)
    expect(canary.requests).toEqual([])
  })

  it('connects to the checked address without resolving the name again', async () => {
    const { host, requests } = await startSite({ '/': 'reached' })
    const port = host.split(':')[1]
    const resolved: string[] = []
    const resolve = async (hostname: string) => {
      resolved.push(hostname)
      return ['127.0.0.1']
    }
    const proxy = await startProxy({ allowTargets: [`pinned.test:${port}`], resolve })
    expect((await getThrough(proxy, `http://pinned.test:${port}/`)).body).toBe('reached')
    expect([resolved, requests]).toEqual([['pinned.test'], ['GET /']])
  })

  it('responds with 502 when the target refuses or resets the connection, or does not use HTTP', async () => {
    const resets = await startTcpServer((socket) => socket.once('data', () => socket.resetAndDestroy()))
    const garbled = await startTcpServer((socket) => socket.once('data', () => socket.end('hello\r\n\r\n')))
    const closed = await findClosedPort()
    const proxy = await startProxy({ allowTargets: [resets, garbled, closed].map((port) => `127.0.0.1:${port}`) })
    for (const port of [resets, garbled, closed])
      expect((await getThrough(proxy, `http://127.0.0.1:${port}/`)).statusCode).toBe(502)
  })

  it('aborts the response when the target aborts it', async () => {
    const { url, host } = await startSite({
      '/': (_, response) => {
        response.writeHead(200, { 'content-length': '100' }).write('half')
        setImmediate(() => response.destroy())
      },
    })
    const proxy = await startProxy({ allowTargets: [host] })
    await expect(getThrough(proxy, `${url}/`)).rejects.toThrow(/aborted|hang up|reset/i)
  })

  it('aborts the request to the target when the browser disconnects', async () => {
    const events = new EventEmitter()
    const [requested, aborted] = [once(events, 'requested'), once(events, 'aborted')]
    const { url, host } = await startSite({
      '/': (_, response) => {
        response.on('close', () => events.emit('aborted'))
        events.emit('requested')
      },
    })
    const proxy = await startProxy({ allowTargets: [host] })
    const socket = connect(Number(new URL(proxy.url).port), '127.0.0.1')
    socket.write(`GET ${url}/ HTTP/1.1\r\nHost: ${host}\r\n\r\n`)
    await requested
    socket.destroy()
    await aborted
  })
})

describe('a tunnel through the proxy', () => {
  it('passes TLS through unchanged', async () => {
    const server = createTlsServer(certificate, (socket) => socket.end('secret'))
    server.on('tlsClientError', () => {})
    const port = await startTcpServer(() => {}, server)
    const proxy = await startProxy({ allowTargets: [`127.0.0.1:${port}`] })
    const { socket } = await openTunnelThrough(proxy, `127.0.0.1:${port}`)
    const secure = connectTls({ socket, ca: certificate.cert, checkServerIdentity: () => undefined })
    expect(await text(secure)).toBe('secret')
  })

  it('passes a WebSocket through', async () => {
    const { host } = await startSite({})
    const port = await startTcpServer((socket) =>
      socket.once('data', () => {
        socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n')
        socket.on('data', (frame) => socket.write(frame))
      }),
    )
    const proxy = await startProxy({ allowTargets: [host, `127.0.0.1:${port}`] })
    const { socket } = await openTunnelThrough(proxy, `127.0.0.1:${port}`)
    socket.write('GET / HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n')
    expect(String((await once(socket, 'data'))[0])).toMatch(/^HTTP\/1.1 101/)
    socket.write(Buffer.from([0x81, 0x02, 0x68, 0x69]))
    expect((await once(socket, 'data'))[0]).toEqual(Buffer.from([0x81, 0x02, 0x68, 0x69]))
  })

  it('passes on what one side sends after the other has ended its half', async () => {
    const server = createServer({ allowHalfOpen: true })
    const port = await startTcpServer((socket) => {
      socket.resume().on('end', () => socket.end('late reply'))
    }, server)
    const proxy = await startProxy({ allowTargets: [`127.0.0.1:${port}`] })
    const { socket } = await openTunnelThrough(proxy, `127.0.0.1:${port}`)
    socket.end('hello')
    expect(await text(socket)).toBe('late reply')
  })

  it('connects to the checked address of a name that only the guard can resolve', async () => {
    const port = await startTcpServer((socket) => socket.once('data', () => socket.end('reached')))
    const resolve = vi.fn(async () => ['127.0.0.1'])
    const proxy = await startProxy({ allowTargets: [`pinned.test:${port}`], resolve })
    const { socket } = await openTunnelThrough(proxy, `pinned.test:${port}`)
    socket.write('anyone?')
    expect(await text(socket)).toBe('reached')
    expect(resolve).toHaveBeenCalledTimes(1)
  })

  it('never connects to a private address', async () => {
    const canary = await startSite({ '/': 'reached' })
    const proxy = await startProxy({})
    const { port } = new URL(canary.url)
    for (const host of ['127.0.0.1', 'localhost', '[::ffff:127.0.0.1]', '0x7f000001'])
      expect(await openTunnelThrough(proxy, `${host}:${port}`)).toMatchObject({
        statusCode: 403,
        refused: 'EFORBIDDENURL',
      })
    expect(canary.requests).toEqual([])
  })

  it.each(['', 'nonsense', 'host', 'host:port', 'user@host:443', '/path:80', 'http://example.com:80'])(
    'responds with 400 to "%s"',
    async (authority) => {
      const proxy = await startProxy({})
      expect(await sendRaw(proxy, `CONNECT ${authority} HTTP/1.1\r\nHost: x\r\n\r\n`)).toMatch(/^HTTP\/1.1 400/)
    },
  )

  it('responds with 502 when the target refuses the connection or its name does not resolve', async () => {
    const closed = await findClosedPort()
    const proxy = await startProxy({ allowTargets: [`127.0.0.1:${closed}`], resolve: resolveNothing })
    expect(await openTunnelThrough(proxy, `127.0.0.1:${closed}`)).toMatchObject({
      statusCode: 502,
      refused: 'EUNREACHABLE',
    })
    expect(await openTunnelThrough(proxy, 'nowhere.invalid:443')).toMatchObject({
      statusCode: 502,
      refused: 'EINVALURL',
    })
  })

  it('survives a reset by either side, also while the tunnel is being opened', async () => {
    const sockets: Socket[] = []
    const port = await startTcpServer((socket) => sockets.push(socket))
    const proxy = await startProxy({ allowTargets: [`127.0.0.1:${port}`] })
    const first = await openTunnelThrough(proxy, `127.0.0.1:${port}`)
    sockets[0]?.resetAndDestroy()
    await once(first.socket, 'close')
    const second = await openTunnelThrough(proxy, `127.0.0.1:${port}`)
    const upstream = sockets[1]
    second.socket.resetAndDestroy()
    if (upstream && !upstream.destroyed) await once(upstream, 'close')
    for (let count = 0; count < 20; count++) {
      const socket = connect(Number(new URL(proxy.url).port), '127.0.0.1')
      socket.on('error', () => {})
      socket.write(`CONNECT 127.0.0.1:${port} HTTP/1.1\r\nHost: x\r\n\r\n`)
      await once(socket, 'connect')
      socket.resetAndDestroy()
    }
    expect((await openTunnelThrough(proxy, `127.0.0.1:${port}`)).statusCode).toBe(200)
  })
})

const page = '<title>Tides</title>'
it.each([
  ['bare line feeds', `HTTP/1.1 200 OK\nContent-Type: text/html\n\n${page}`],
  ['a line without a colon', `HTTP/1.1 200 OK\r\ngarbage\r\nContent-Type: text/html\r\n\r\n${page}`],
  ['control characters', `HTTP/1.1 200 OK\r\nX: a\x01b\r\nContent-Type: text/html\r\n\r\n${page}`],
  [
    'a wrong length beside its chunks',
    `HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n14\r\n${page}\r\n0\r\n\r\n`,
  ],
  [
    'its length twice',
    `HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 20\r\nContent-Length: 20\r\n\r\n${page}`,
  ],
])('forwards a response that is no valid HTTP: %s', async (_, bytes) => {
  const port = await startTcpServer((socket) => socket.once('data', () => socket.end(bytes)))
  const proxy = await startProxy({ allowTargets: [`127.0.0.1:${port}`] })
  expect(await getThrough(proxy, `http://127.0.0.1:${port}/`)).toMatchObject({
    statusCode: 200,
    headers: { 'content-type': 'text/html' },
    body: page,
  })
})
