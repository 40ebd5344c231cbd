// Covers many clients of one real service and its Chromium: who waits for whom, and who pays for it.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { localSite, type LocalSite } from '../local-site.js'
import { startService, type StartedService } from '../shared/start-service.js'

const FLOOD = 48
const HANGING = 20
const CROWD = 20
const SLOW_MS = 2_000

let service: StartedService
/** Of one site each, because half of the captures may be of one while others wait. */
let sites: LocalSite[]
let stopHanging: () => void

beforeAll(async () => {
  sites = await Promise.all(
    Array.from({ length: 3 }, () =>
      localSite({
        '/': '<title>Page</title><body>Page',
        '/slow': (_, response) =>
          void setTimeout(() => response.setHeader('content-type', 'text/html').end('<title>Slow</title>'), SLOW_MS),
        '/never': (_, response) => void (stopHanging = chain(stopHanging, () => response.end())),
      }),
    ),
  )
  const targets = sites.map(({ host }) => `--allow-target=${host}`)
  service = await startService(...targets, '--trust-proxy=1', '--free-daily-limit=1000')
  await capture('192.0.2.99', `${sites[0]!.url}/?warm`)
}, 60_000)
afterAll(async () => {
  stopHanging?.()
  await service.stop()
  await Promise.all(sites.map((site) => site.close()))
})

const chain = (first: (() => void) | undefined, second: () => void) => () => {
  first?.()
  second()
}

async function capture(client: string, url: string, signal?: AbortSignal, parameters: Record<string, string> = {}) {
  const startedAt = performance.now()
  const query = new URLSearchParams({ url, screenshot: 'true', meta: 'false', ...parameters })
  const response = await fetch(`${service.free}/?${query}`, {
    headers: { 'x-forwarded-for': client },
    ...(signal && { signal }),
  })
  const { code } = (await response.json()) as { code?: string }
  const remaining = Number(response.headers.get('x-rate-limit-remaining'))
  return { status: response.status, code, ms: performance.now() - startedAt, remaining, headers: response.headers }
}

it('lets one page of a client pass a flood of another client', async () => {
  const alone = await Promise.all([1, 2, 3].map(async (n) => capture('192.0.2.1', `${sites[1]!.url}/?alone${n}`)))
  const aloneMs = Math.max(...alone.map(({ ms }) => ms))
  const flood = Array.from({ length: FLOOD }, (_, n) => capture('192.0.2.2', `${sites[n % 2]!.url}/?flood${n}`))
  const other = await capture('192.0.2.3', `${sites[2]!.url}/?other`)
  const flooded = await Promise.all(flood)
  const lastMs = Math.max(...flooded.map(({ ms }) => ms))
  console.log(
    `alone ${aloneMs.toFixed(0)} ms, beside a flood ${other.ms.toFixed(0)} ms, end of the flood ${lastMs.toFixed(0)} ms`,
  )
  expect(other.status).toBe(200)
  // It waits for one running capture, not for the flood.
  expect(other.ms).toBeLessThan(lastMs / 2)
  expect(new Set(flooded.map(({ status }) => status))).toContain(200)
})

it('makes room for other hosts while pages of one host never end', async () => {
  const alone = await capture('192.0.2.4', `${sites[1]!.url}/?before`)
  const abort = new AbortController()
  const hanging = Array.from({ length: HANGING }, (_, n) =>
    capture(`192.0.2.${10 + n}`, `${sites[0]!.url}/never?${n}`, abort.signal).catch(() => undefined),
  )
  await expect.poll(() => sites[0]!.requests.some((request) => request.includes('/never'))).toBe(true)
  const other = await capture('192.0.2.4', `${sites[1]!.url}/?beside`)
  console.log(`beside pages that never end ${other.ms.toFixed(0)} ms, alone ${alone.ms.toFixed(0)} ms`)
  expect(other.status).toBe(200)
  // Captures end their waits after 8 seconds if others wait.
  expect(other.ms).toBeLessThan(14_000 + alone.ms)
  abort.abort()
  await Promise.all(hanging)
})

it('serves as many of many requests as it has time for, and tells the others when to retry', async () => {
  const pages = Array.from({ length: CROWD }, (_, n) => `${sites[n % 3]!.url}/slow?${n}`)
  const responses = await Promise.all(
    pages.map(async (url, n) => ({ url, ...(await capture(`198.51.100.${n}`, url, undefined, { timeout: '8s' })) })),
  )
  const served = responses.filter(({ status }) => status === 200)
  const refused = responses.filter(({ code }) => code === 'EBUSY')
  // They had their turn when most of their time had passed in the queue.
  const late = responses.filter(({ code }) => code === 'EBRWSRTIMEOUT')
  const times = refused.map(({ ms }) => ms).toSorted((one, other) => one - other)
  const spread = `the first after ${times[0]?.toFixed(0)} ms, half of them after ${times[times.length >> 1]?.toFixed(0)} ms`
  console.log(`${served.length} served, ${late.length} too late, ${refused.length} refused: ${spread}`)
  expect(served.length + refused.length + late.length).toBe(CROWD)
  expect(served.length).toBeGreaterThanOrEqual(2)
  expect(refused.length).toBeGreaterThan(CROWD / 4)
  for (const { headers, remaining, status } of refused) {
    expect([status, remaining]).toEqual([503, 1_000])
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
  }
  // Not remembered as a failure of the page.
  expect(await capture('198.51.100.200', refused[0]!.url)).toMatchObject({ status: 200 })
})

it('refunds a request that found the queue of the browser full, and does not cache the failure', async () => {
  const target = `--allow-target=${sites[0]!.host}`
  const busy = await startService(target, '--concurrency=1', '--max-queue=0', '--free-daily-limit=10')
  const request = (path: string, signal?: AbortSignal) => {
    const query = new URLSearchParams({ url: sites[0]!.url + path, screenshot: 'true', meta: 'false' })
    return fetch(`${busy.free}/?${query}`, signal ? { signal } : {})
  }
  const abort = new AbortController()
  const running = request('/never?busy', abort.signal).catch(() => undefined)
  await expect.poll(() => sites[0]!.requests.some((line) => line.includes('?busy'))).toBe(true)
  const refused = await request('/?refused')
  expect([refused.status, refused.headers.get('x-rate-limit-remaining')]).toEqual([503, '9'])
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  abort.abort()
  await running
  await expect.poll(async () => (await request('/?refused')).status, { timeout: 10_000 }).toBe(200)
  await busy.stop()
})
