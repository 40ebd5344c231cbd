import { EventEmitter, once } from 'node:events'
import { request as sendRequest } from 'node:http'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { redirectTo } from '../../local-site.js'
import { closedPort, proxyFor, site, tcpServer, through } from './egress-proxy-client.js'

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
    const closed = await closedPort()
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
