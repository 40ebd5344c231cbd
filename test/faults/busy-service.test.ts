// Covers cached results of the built service: beside many new captures, and until the end of a service that is stopped.
import { once } from 'node:events'
import { Agent, get, type IncomingMessage } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { localSite, type LocalSite } from '../local-site.js'
import { startInstance, type Instance } from './start-instance.js'

const CAPTURES = 200
const CLIENTS = 20
const HITS = 100
const HIT_INTERVAL_MS = 40
/** About 20 ms on an idle machine. */
const MAX_P95_MS = 250
const DRAIN_DELAY_S = 1
/** The drain delay, the end of the browser, and a margin; a service that waits for its connections takes 30 s. */
const MAX_STOP_MS = 15_000

let sites: LocalSite[]
let service: Instance
beforeAll(async () => {
  sites = await Promise.all([1, 2].map(() => localSite({ '/': '<title>Page</title><body>Page' })))
})
afterAll(() => Promise.all(sites.map((site) => site.close())))
beforeEach(async () => {
  const targets = sites.map(({ host }) => `--allow-target=${host}`)
  service = await startInstance({ flags: [...targets, '--trust-proxy=1', `--drain-delay=${DRAIN_DELAY_S}`] })
  await (await service.get(cached())).arrayBuffer()
})

const cached = () => ({ url: `${sites[0]!.url}/?cached`, screenshot: 'true', embed: 'screenshot.url' })

it(`serves cached images at once beside ${CAPTURES} new captures`, async () => {
  const end = new AbortController()
  const captures = Array.from({ length: CAPTURES }, async (_, index) => {
    const headers = { 'x-forwarded-for': `192.0.2.${index % CLIENTS}` }
    const query = { url: `${sites[index % 2]!.url}/?${index}`, screenshot: 'true', meta: 'false' }
    await service.get(query, { headers, signal: end.signal }).catch(() => undefined)
  })
  const times: number[] = []
  for (let index = 0; index < HITS; index++) {
    const startedAt = performance.now()
    const response = await service.get(cached())
    await response.arrayBuffer()
    expect([response.status, response.headers.get('x-cache-status')]).toEqual([200, 'HIT'])
    times.push(performance.now() - startedAt)
    await delay(HIT_INTERVAL_MS)
  }
  end.abort()
  await Promise.all(captures)
  await service.stop()
  const p95 = times.toSorted((one, other) => one - other)[Math.floor(0.95 * HITS)]!
  console.log(`95 % of cached images within ${p95.toFixed(0)} ms`)
  expect(p95).toBeLessThan(MAX_P95_MS)
})

it('ends soon although a connection is busy, and serves cached results on it until then', async () => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const url = `${service.url}/?${new URLSearchParams(cached())}`
  const request = async () => {
    const [response] = (await once(get(url, { agent }), 'response')) as [IncomingMessage]
    await once(response.resume(), 'end')
    return [response.statusCode, response.headers['x-cache-status'], response.headers.connection]
  }
  expect(await request()).toEqual([200, 'HIT', 'keep-alive'])
  const startedAt = performance.now()
  const stopped = service.stop()
  const responses: unknown[][] = []
  const error: unknown = await (async () => {
    for (;;) responses.push(await request())
  })().catch((reason: unknown) => reason)
  // A connection that is not accepted yet when the port is closed is reset.
  expect(error).toMatchObject({ code: expect.stringMatching(/^ECONN(REFUSED|RESET)$/) })
  // Those that were sent before the signal arrived.
  const draining = responses.slice(responses.findIndex(([, , connection]) => connection === 'close'))
  expect(draining.length).toBeGreaterThan(5)
  expect(draining).toEqual(draining.map(() => [200, 'HIT', 'close']))
  await stopped
  expect(performance.now() - startedAt).toBeLessThan(MAX_STOP_MS)
  agent.destroy()
})
