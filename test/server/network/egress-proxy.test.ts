import { EventEmitter, once } from 'node:events'
import { get, request as sendRequest, type IncomingHttpHeaders } from 'node:http'
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { connect as connectTls, createServer as createTlsServer } from 'node:tls'
import { afterEach, describe, expect, it, vi } from 'vitest'
import {
  createGuard,
  startEgressProxy,
  type EgressProxy,
  type GuardOptions,
} from '../../../src/server/network/index.js'
import { localSite, redirectTo, type LocalSite, type Route } from '../../local-site.js'
import { certificate } from './certificate.js'

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close()
})

async function site(routes: Record<string, Route>): Promise<LocalSite> {
  const site = await localSite(routes)
  closing.push(() => site.close())
  return site
}

async function proxyFor(options: GuardOptions): Promise<EgressProxy> {
  const proxy = await startEgressProxy(createGuard(options))
  closing.push(() => proxy.close())
  return proxy
}

/** A server that speaks something else than HTTP, and its sockets. */
async function tcpServer(onConnection: (socket: Socket) => void, server: Server = createServer()): Promise<number> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => socket.destroy())
  })
  server.on('connection', onConnection)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  closing.push(() => {
    for (const socket of sockets) socket.destroy()
    return new Promise((resolve) => server.close(resolve))
  })
  return (server.address() as AddressInfo).port
}

const unresolved = () => Promise.reject(new Error('ENOTFOUND'))

interface Answer {
  statusCode: number
  headers: IncomingHttpHeaders
  body: string
}

function through(proxy: EgressProxy, url: string, headers: Record<string, string> = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(proxy.url)
    const sent = get({ hostname, port, path: url, headers: { host: new URL(url).host, ...headers } }, (response) => {
      text(response).then(
        (body) => resolve({ statusCode: response.statusCode ?? 0, headers: response.headers, body }),
        reject,
      )
    })
    sent.on('error', reject)
  })
}

function tunnel(
  proxy: EgressProxy,
  authority: string,
): Promise<{ statusCode: number; socket: Socket; refused: unknown }> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(proxy.url)
    const sent = sendRequest({ hostname, port, method: 'CONNECT', path: authority })
    sent.on('connect', (response, socket: Socket) => {
      socket.on('error', () => socket.destroy())
      closing.push(() => socket.destroy())
      resolve({ statusCode: response.statusCode ?? 0, socket, refused: response.headers['x-page-preview-refused'] })
    })
    sent.on('error', reject)
    sent.end()
  })
}

async function rawExchange(proxy: EgressProxy, bytes: string | Buffer): Promise<string> {
  const socket = connect({ port: Number(new URL(proxy.url).port), host: '127.0.0.1' })
  socket.on('error', () => socket.destroy())
  closing.push(() => socket.destroy())
  socket.write(bytes)
  const chunks: Buffer[] = []
  socket.on('data', (chunk) => chunks.push(chunk))
  await once(socket, 'close')
  return Buffer.concat(chunks).toString()
}

describe('plain http through the proxy', () => {
  it('brings the page, its status and all its headers', async () => {
    const { url, host } = await site({
      '/page': (_, response) =>
        response.writeHead(418, { 'set-cookie': ['a=1', 'b=2'], 'x-page-preview-refused': 'forged' }).end('tea'),
    })
    const proxy = await proxyFor({ allowTargets: [host] })
    const answer = await through(proxy, `${url}/page`)
    expect(answer).toMatchObject({ statusCode: 418, body: 'tea', headers: { 'set-cookie': ['a=1', 'b=2'] } })
    expect(answer.headers).not.toHaveProperty('x-page-preview-refused')
  })

  it('forwards end-to-end headers only, and the host of the address', async () => {
    const { url, host } = await site({ '/': (request, response) => response.end(JSON.stringify(request.headers)) })
    const proxy = await proxyFor({ allowTargets: [host] })
    const { body } = await through(proxy, `${url}/`, {
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
    const { url, host } = await site({
      '/': (request, response) => void text(request).then((body) => response.end(`${request.method} ${body}`)),
    })
    const proxy = await proxyFor({ allowTargets: [host] })
    const { hostname, port } = new URL(proxy.url)
    const sent = sendRequest({ hostname, port, method, path: `${url}/`, headers: { 'transfer-encoding': 'chunked' } })
    sent.write('one ')
    sent.end('two')
    const [response] = await once(sent, 'response')
    expect(await text(response)).toBe(`${method} one two`)
  })

  it('never reaches a private address, whatever its spelling', async () => {
    const canary = await site({ '/': 'reached' })
    const proxy = await proxyFor({})
    const { port } = new URL(canary.url)
    for (const host of ['127.0.0.1', 'localhost', '2130706433', '0x7f.1', '[::ffff:127.0.0.1]', '0']) {
      const answer = await through(proxy, `http://${host}:${port}/`)
      expect(answer, host).toMatchObject({ statusCode: 403, headers: { 'x-page-preview-refused': 'EFORBIDDENURL' } })
    }
    expect(canary.requests).toEqual([])
  })

  it('checks each hop of a redirect, as each is a request of its own', async () => {
    const canary = await site({ '/': 'reached' })
    const { url, host } = await site({ '/': redirectTo(`${canary.url}/`) })
    const proxy = await proxyFor({ allowTargets: [host] })
    const { statusCode, headers } = await through(proxy, `${url}/`)
    expect(statusCode).toBe(302)
    expect((await through(proxy, headers.location ?? '')).statusCode).toBe(403)
    expect(canary.requests).toEqual([])
  })

  it('dials the address that was checked, and not what the name resolves to later', async () => {
    const { host, requests } = await site({ '/': 'reached' })
    const port = host.split(':')[1]
    const resolved: string[] = []
    const resolve = async () => {
      resolved.push('asked')
      return [{ address: '127.0.0.1', family: 4 }]
    }
    const proxy = await proxyFor({ allowTargets: [`pinned.test:${port}`], resolve })
    expect((await through(proxy, `http://pinned.test:${port}/`)).body).toBe('reached')
    expect([resolved, requests]).toEqual([['asked'], ['GET /']])
  })

  it('answers 502 when the target refuses, resets or does not speak HTTP', async () => {
    const resets = await tcpServer((socket) => socket.once('data', () => socket.resetAndDestroy()))
    const babbles = await tcpServer((socket) => socket.once('data', () => socket.end('hello\r\n\r\n')))
    const closed = await tcpServer(() => {})
    await closing.pop()?.()
    const proxy = await proxyFor({ allowTargets: [resets, babbles, closed].map((port) => `127.0.0.1:${port}`) })
    for (const port of [resets, babbles, closed])
      expect((await through(proxy, `http://127.0.0.1:${port}/`)).statusCode).toBe(502)
  })

  it('cuts the answer when the target cuts it', async () => {
    const { url, host } = await site({
      '/': (_, response) => {
        response.writeHead(200, { 'content-length': '100' }).write('half')
        setImmediate(() => response.destroy())
      },
    })
    const proxy = await proxyFor({ allowTargets: [host] })
    await expect(through(proxy, `${url}/`)).rejects.toThrow(/aborted|hang up|reset/i)
  })

  it('stops asking the target when the browser has gone', async () => {
    const events = new EventEmitter()
    const [asked, gone] = [once(events, 'asked'), once(events, 'gone')]
    const { url, host } = await site({
      '/': (_, response) => {
        response.on('close', () => events.emit('gone'))
        events.emit('asked')
      },
    })
    const proxy = await proxyFor({ allowTargets: [host] })
    const socket = connect(Number(new URL(proxy.url).port), '127.0.0.1')
    socket.write(`GET ${url}/ HTTP/1.1\r\nHost: ${host}\r\n\r\n`)
    await asked
    socket.destroy()
    await gone
  })
})

describe('a tunnel through the proxy', () => {
  it('carries TLS to the page untouched', async () => {
    const server = createTlsServer(certificate, (socket) => socket.end('secret'))
    server.on('tlsClientError', () => {})
    const port = await tcpServer(() => {}, server)
    const proxy = await proxyFor({ allowTargets: [`127.0.0.1:${port}`] })
    const { socket } = await tunnel(proxy, `127.0.0.1:${port}`)
    const secure = connectTls({ socket, ca: certificate.cert, checkServerIdentity: () => undefined })
    expect(await text(secure)).toBe('secret')
  })

  it('carries a WebSocket', async () => {
    const { host } = await site({})
    const port = await tcpServer((socket) =>
      socket.once('data', () => {
        socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n')
        socket.on('data', (frame) => socket.write(frame))
      }),
    )
    const proxy = await proxyFor({ allowTargets: [host, `127.0.0.1:${port}`] })
    const { socket } = await tunnel(proxy, `127.0.0.1:${port}`)
    socket.write('GET / HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n')
    expect(String((await once(socket, 'data'))[0])).toMatch(/^HTTP\/1.1 101/)
    socket.write(Buffer.from([0x81, 0x02, 0x68, 0x69]))
    expect((await once(socket, 'data'))[0]).toEqual(Buffer.from([0x81, 0x02, 0x68, 0x69]))
  })

  it('carries what one side still says after the other has ended', async () => {
    const server = createServer({ allowHalfOpen: true })
    const port = await tcpServer((socket) => {
      socket.resume().on('end', () => socket.end('heard you'))
    }, server)
    const proxy = await proxyFor({ allowTargets: [`127.0.0.1:${port}`] })
    const { socket } = await tunnel(proxy, `127.0.0.1:${port}`)
    socket.end('hello')
    expect(await text(socket)).toBe('heard you')
  })

  it('dials the address that was checked, by a name that only the guard can resolve', async () => {
    const port = await tcpServer((socket) => socket.once('data', () => socket.end('reached')))
    const resolve = vi.fn(async () => [{ address: '127.0.0.1', family: 4 }])
    const proxy = await proxyFor({ allowTargets: [`pinned.test:${port}`], resolve })
    const { socket } = await tunnel(proxy, `pinned.test:${port}`)
    socket.write('anyone?')
    expect(await text(socket)).toBe('reached')
    expect(resolve).toHaveBeenCalledTimes(1)
  })

  it('never reaches a private address', async () => {
    const canary = await site({ '/': 'reached' })
    const proxy = await proxyFor({})
    const { port } = new URL(canary.url)
    for (const host of ['127.0.0.1', 'localhost', '[::ffff:127.0.0.1]', '0x7f000001'])
      expect(await tunnel(proxy, `${host}:${port}`)).toMatchObject({ statusCode: 403, refused: 'EFORBIDDENURL' })
    expect(canary.requests).toEqual([])
  })

  it.each(['', 'nonsense', 'host', 'host:port', 'user@host:443', '/path:80', 'http://example.com:80'])(
    'answers 400 to "%s"',
    async (authority) => {
      const proxy = await proxyFor({})
      expect(await rawExchange(proxy, `CONNECT ${authority} HTTP/1.1\r\nHost: x\r\n\r\n`)).toMatch(/^HTTP\/1.1 400/)
    },
  )

  it('answers 502 when the target refuses the connection or its name does not resolve', async () => {
    const closed = await tcpServer(() => {})
    await closing.pop()?.()
    const proxy = await proxyFor({ allowTargets: [`127.0.0.1:${closed}`], resolve: unresolved })
    expect(await tunnel(proxy, `127.0.0.1:${closed}`)).toMatchObject({ statusCode: 502, refused: undefined })
    expect(await tunnel(proxy, 'nowhere.invalid:443')).toMatchObject({ statusCode: 502, refused: 'EINVALURL' })
  })

  it('survives a reset on either side, also while it is still being opened', async () => {
    const sockets: Socket[] = []
    const port = await tcpServer((socket) => sockets.push(socket))
    const proxy = await proxyFor({ allowTargets: [`127.0.0.1:${port}`] })
    const first = await tunnel(proxy, `127.0.0.1:${port}`)
    sockets[0]?.resetAndDestroy()
    await once(first.socket, 'close')
    const second = await tunnel(proxy, `127.0.0.1:${port}`)
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
    expect((await tunnel(proxy, `127.0.0.1:${port}`)).statusCode).toBe(200)
  })
})

describe('the proxy itself', () => {
  it('answers no request that is not for a proxy', async () => {
    const proxy = await proxyFor({ allowTargets: ['127.0.0.1'] })
    expect((await fetch(`${proxy.url}/`)).status).toBe(400)
    expect(await rawExchange(proxy, 'GET https://example.com/ HTTP/1.1\r\nHost: x\r\n\r\n')).toMatch(/^HTTP\/1.1 400/)
  })

  it.each([
    ['garbage', '\u0000\u0001nonsense\r\n\r\n'],
    ['TLS', Buffer.from('16030100a5010000a10303', 'hex')],
    ['a header without end', `GET http://example.com/ HTTP/1.1\r\nx: ${'a'.repeat(100_000)}`],
    [
      'contradicting lengths',
      'POST http://example.com/ HTTP/1.1\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n\r\n',
    ],
  ])('hangs up on %s and goes on', async (_, bytes) => {
    const { url, host } = await site({ '/': 'page' })
    const proxy = await proxyFor({ allowTargets: [host] })
    expect(await rawExchange(proxy, bytes)).toMatch(/^(HTTP\/1.1 400|$)/)
    expect((await through(proxy, `${url}/`)).body).toBe('page')
  })

  it('leaves nothing open when it is closed', async () => {
    const upstreams: Socket[] = []
    const port = await tcpServer((socket) => upstreams.push(socket.resume()))
    const proxy = await startEgressProxy(createGuard({ allowTargets: [`127.0.0.1:${port}`] }))
    const { socket: tunnelled } = await tunnel(proxy, `127.0.0.1:${port}`)
    const stalled = through(proxy, `http://127.0.0.1:${port}/`)
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
