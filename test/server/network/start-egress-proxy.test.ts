import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { describe, expect, it } from 'vitest'
import { createGuard, startEgressProxy } from '../../../src/server/network/index.js'
import { proxyFor, rawExchange, site, tcpServer, through, tunnel } from './egress-proxy-client.js'

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
