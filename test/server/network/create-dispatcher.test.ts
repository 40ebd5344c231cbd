import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { request } from 'undici'
import { createDispatcher, createGuard } from '../../../src/server/network/index.js'
import type { GuardOptions } from '../../../src/server/network/guard.js'
import { localSite, redirectTo, type Route } from '../../local-site.js'
import { certificate } from './test-certificate.js'

const loopback = async () => ['127.0.0.1']

async function startSite(routes: Record<string, Route>) {
  const site = await localSite(routes)
  onTestFinished(() => site.close())
  return site
}

function dispatcherFor(options: GuardOptions) {
  const dispatcher = createDispatcher(createGuard(options))
  onTestFinished(() => dispatcher.destroy())
  return dispatcher
}

describe('the dispatcher', () => {
  it('fetches from an allowed target', async () => {
    const { url, host } = await startSite({ '/': 'page' })
    const { body } = await request(url, { dispatcher: dispatcherFor({ allowTargets: [host] }) })
    expect(await body.text()).toBe('page')
  })

  it('never connects to a private address, however it is written', async () => {
    const canary = await startSite({ '/': 'reached' })
    const { port } = new URL(canary.url)
    const dispatcher = dispatcherFor({})
    for (const host of ['127.0.0.1', 'localhost', '2130706433', '[::ffff:127.0.0.1]', '[::1]', '0']) {
      const response = request(`http://${host}:${port}/`, { dispatcher })
      await expect(response, host).rejects.toMatchObject({ code: 'EFORBIDDENURL' })
    }
    expect(canary.requests).toEqual([])
  })

  it('refuses a redirect to a private address', async () => {
    const canary = await startSite({ '/': 'reached' })
    const { url, host } = await startSite({ '/': redirectTo(`${canary.url}/`) })
    const dispatcher = dispatcherFor({ allowTargets: [host] })
    const { headers, body } = await request(url, { dispatcher })
    await body.dump()
    await expect(request(String(headers.location), { dispatcher })).rejects.toMatchObject({ code: 'EFORBIDDENURL' })
    expect(canary.requests).toEqual([])
  })

  it('connects to the checked address, also when the name resolves differently each time', async () => {
    const canary = await startSite({ '/': 'reached' })
    const { port } = new URL(canary.url)
    const addresses = ['192.0.2.1', '127.0.0.1']
    const resolve = vi.fn(async () => [addresses.shift() ?? '127.0.0.1'])
    const dispatcher = dispatcherFor({ resolve })
    for (let count = 0; count < 2; count++)
      await expect(request(`http://rebinding.test:${port}/`, { dispatcher })).rejects.toMatchObject({
        code: 'EINVALURL',
      })
    expect(resolve).toHaveBeenCalledTimes(2)
    expect(canary.requests).toEqual([])
  })

  it('resolves once per connection, and connects to that address', async () => {
    const { host, requests } = await startSite({ '/': 'page' })
    const port = host.split(':')[1]
    const resolve = vi.fn(loopback)
    const dispatcher = dispatcherFor({ allowTargets: [`pinned.test:${port}`], resolve })
    const { body } = await request(`http://pinned.test:${port}/`, { dispatcher })
    expect(await body.text()).toBe('page')
    expect(resolve).toHaveBeenCalledTimes(1)
    expect(requests).toEqual(['GET /'])
  })

  it('connects to the address of the check that the request has passed, without another look-up', async () => {
    const { host, requests } = await startSite({ '/': 'page' })
    const url = `http://pinned.test:${host.split(':')[1]}/`
    const addresses = ['127.0.0.1']
    const resolve = vi.fn(async () => [addresses.shift() ?? '192.0.2.1'])
    const guard = createGuard({ allowTargets: [new URL(url).host], resolve })
    const dispatcher = createDispatcher(guard)
    onTestFinished(() => dispatcher.destroy())
    await guard.forPage().check(url)
    await (await request(url, { dispatcher })).body.dump()
    expect(requests).toEqual(['GET /'])
    expect(resolve).toHaveBeenCalledTimes(1)
  })

  it('sends the host name for TLS, offers HTTP/1.1 only, and rejects a self-signed certificate', async () => {
    const hellos: { servername: string; protocols: string[] }[] = []
    const server = createTlsServer({
      ...certificate,
      ALPNCallback: (hello) => {
        hellos.push(hello)
        return hello.protocols[0]
      },
    })
    server.on('tlsClientError', (_, socket) => socket.destroy())
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    onTestFinished(() => void server.close())
    const { port } = server.address() as AddressInfo
    const dispatcher = dispatcherFor({ allowTargets: [`pinned.test:${port}`], resolve: loopback })
    await expect(request(`https://pinned.test:${port}/`, { dispatcher })).rejects.toMatchObject({
      code: 'DEPTH_ZERO_SELF_SIGNED_CERT',
    })
    expect(hellos).toEqual([{ servername: 'pinned.test', protocols: ['http/1.1'] }])
  })
})
