import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { describe, expect, it } from 'vitest'
import { captureLimits, createCaptureBudget } from '../../../src/server/budget/index.js'
import { createGuard, startEgressProxy } from '../../../src/server/network/index.js'
import { startProxy, sendRaw, startSite, startTcpServer, getThrough, openTunnelThrough } from './egress-proxy-client.js'

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

describe('an egress proxy with credentials', () => {
  const credentials = { username: 'page-preview', password: 'of this page' }
  const authorization = (text: string) => ({ 'proxy-authorization': `Basic ${Buffer.from(text).toString('base64')}` })
  const right = authorization('page-preview:of this page')

  async function startProtected() {
    const site = await startSite({ '/': ({ headers }, response) => void response.end(JSON.stringify(headers)) })
    const budget = createCaptureBudget({ ...captureLimits, requests: 2, bytes: 100_000 })
    return {
      ...site,
      proxy: await startProxy({ allowTargets: [site.host] }, budget, { host: '127.0.0.2', credentials }),
    }
  }

  it.each([
    ['no credentials', {}],
    ['a wrong password', authorization('page-preview:of another page')],
    ['an empty password', authorization('page-preview:')],
    ['another scheme', { 'proxy-authorization': 'Bearer of this page' }],
    ['the credentials of the target', { authorization: right['proxy-authorization'] }],
  ])('forwards nothing with %s', async (_, headers) => {
    const { proxy, url, host, requests } = await startProtected()
    for (let count = 0; count < 4; count++) {
      const { statusCode, headers: response, body } = await getThrough(proxy, `${url}/`, headers)
      expect([statusCode, response['proxy-authenticate']]).toEqual([407, 'Basic realm="page-preview"'])
      expect(body).not.toContain('of this page')
      expect((await openTunnelThrough(proxy, host, headers)).statusCode).toBe(407)
    }
    expect(requests).toEqual([])
    // Whoever has no credentials uses up no budget either.
    expect((await getThrough(proxy, `${url}/`, right)).statusCode).toBe(200)
  })

  it('forwards requests and tunnels with them, and keeps them from the target', async () => {
    const { proxy, url, host } = await startProtected()
    expect(proxy.url).toMatch(/^http:\/\/127\.0\.0\.2:\d+$/)
    const { statusCode, body } = await getThrough(proxy, `${url}/`, right)
    expect([statusCode, JSON.parse(body)]).toEqual([200, expect.not.objectContaining({ 'proxy-authorization': right })])
    expect(body).not.toMatch(/proxy-auth/)
    expect((await openTunnelThrough(proxy, host, right)).statusCode).toBe(200)
  })
})
