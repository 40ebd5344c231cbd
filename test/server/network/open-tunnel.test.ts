import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { connect as connectTls, createServer as createTlsServer } from 'node:tls'
import { describe, expect, it, vi } from 'vitest'
import { certificate } from './test-certificate.js'
import {
  findClosedPort,
  startProxy,
  sendRaw,
  startSite,
  startTcpServer,
  openTunnelThrough,
  resolveNothing,
} from './egress-proxy-client.js'

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
