import { once } from 'node:events'
import { Agent, get, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { localSite, type LocalSite } from '../local-site.js'
import { startService, type StartedService } from '../shared/start-service.js'

let site: LocalSite
let releaseSlowPage: () => void
let service: StartedService
let agent: Agent

beforeEach(async () => {
  site = await localSite({
    '/': '<title>Page</title>',
    '/slow': (_, response) => {
      releaseSlowPage = () => response.setHeader('content-type', 'text/html').end('<title>Slow</title>')
    },
  })
  service = await startService(`--allow-target=${site.host}`, '--drain-delay=1')
  agent = new Agent({ keepAlive: true, maxSockets: 1 })
})
afterEach(async () => {
  agent.destroy()
  await service.stop()
  await site.close()
})

/** Sends a request on the agent's one connection. */
async function request(path: string): Promise<IncomingMessage & { body: string }> {
  const [response] = (await once(get(`${service.free}${path}`, { agent }), 'response')) as [IncomingMessage]
  return Object.assign(response, { body: await text(response) })
}

const preview = (path: string) => `/?${new URLSearchParams({ url: site.url + path })}`

describe('a service that is stopped', () => {
  it('says so first, serves what comes during the drain delay, and closes each connection behind its response', async () => {
    await request(preview('/'))
    const before = await request(preview('/'))
    expect([before.statusCode, before.headers.connection]).toEqual([200, 'keep-alive'])

    const stopped = service.stop()
    const cached = await request(preview('/'))
    expect([cached.statusCode, cached.headers['x-cache-status'], cached.headers.connection]).toEqual([
      200,
      'HIT',
      'close',
    ])
    const added = await request(preview('/?new'))
    expect([added.statusCode, added.headers.connection]).toEqual([200, 'close'])
    const ready = await request('/readyz')
    expect([ready.statusCode, JSON.parse(ready.body)]).toMatchObject([503, { status: 'shutting down' }])
    await stopped
    await expect(fetch(`${service.free}/healthz`)).rejects.toThrow('fetch failed')
  })

  it('finishes the running requests, and ends with the last of them', async () => {
    const slow = request(preview('/slow'))
    await expect.poll(() => site.requests).toContain('GET /slow')
    const stopped = service.stop()
    await expect.poll(() => fetch(`${service.free}/healthz`).catch(() => 'refused')).toBe('refused')
    releaseSlowPage()
    expect((await slow).statusCode).toBe(200)
    await stopped
  })
})

describe('the URL of the pro host', () => {
  it.each([
    ['127.0.0.1', 'pro.test', 'http://pro.test:PORT'],
    ['127.0.0.1', 'pro.test:8080', 'http://pro.test:8080'],
    ['127.0.0.1', '[::1]', 'http://[::1]:PORT'],
    ['::1', 'pro.test', 'http://pro.test:PORT'],
    ['::1', 'pro.test:8080', 'http://pro.test:8080'],
    ['::1', '[2001:db8::1]', 'http://[2001:db8::1]:PORT'],
  ])('with --host %s and --pro-host %s is %s', async (host, proHost, expected) => {
    const started = await startService(`--host=${host}`, `--pro-host=${proHost}`, '--drain-delay=0')
    try {
      expect(started.pro).toBe(expected.replace('PORT', new URL(started.free).port))
    } finally {
      await started.stop()
    }
  })
})
