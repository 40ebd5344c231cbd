import { EventEmitter, once } from 'node:events'
import { request as sendRequest } from 'node:http'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { captureLimits, createCaptureBudget } from '../../../src/server/budget/index.js'
import { redirectTo } from '../../local-site.js'
import { findClosedPort, startProxy, startSite, startTcpServer, getThrough } from './egress-proxy-client.js'

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
