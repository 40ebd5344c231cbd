import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createDailyLimit } from '../../../src/server/budget/daily-limit.js'
import { createService, type Service, type ServiceOptions } from '../../../src/server/index.js'
import { localSite, type LocalSite } from '../../local-site.js'
import { temporaryDir } from '../store/temporary-dir.js'

const NOON = Date.parse('2026-01-31T12:00:00Z')
const MIDNIGHT = Date.parse('2026-02-01T00:00:00Z')

let site: LocalSite

beforeAll(async () => {
  site = await localSite({ '/': '<title>Light</title>' })
})
afterAll(() => site.close())

/** Requests one of many pages on the free host, from a client address and optionally through proxies. */
const requestPage = (service: Service, page: number, client: string, forwardedFor?: string) =>
  service.fetch(
    new Request(`http://previews.test/?url=${encodeURIComponent(`${site.url}/?${page}`)}`, {
      headers: forwardedFor ? { 'x-forwarded-for': forwardedFor } : {},
    }),
    { peerAddress: client },
  )

const statusOf = async (...request: Parameters<typeof requestPage>) => (await requestPage(...request)).status

function serviceOf(options: ServiceOptions) {
  return createService({ allowTargets: [site.host], clock: () => NOON, ...options })
}

it('allows 250 uncached requests per client, then only cached ones, over a restart and until midnight UTC', async () => {
  const dataDir = await temporaryDir()
  let now = NOON
  const first = serviceOf({ dataDir, clock: () => now })
  const responses = await Promise.all(Array.from({ length: 260 }, (_, page) => requestPage(first, page, '203.0.113.7')))
  const allowed = responses.flatMap(({ status }, page) => (status === 200 ? [page] : []))
  expect(allowed).toHaveLength(250)
  const cachedPage = allowed[0]!

  const refused = await requestPage(first, 1_000, '203.0.113.7')
  expect(refused.status).toBe(429)
  expect(Object.fromEntries(refused.headers)).toMatchObject({
    'retry-after': String((MIDNIGHT - NOON) / 1_000),
    'x-rate-limit-limit': '250',
    'x-rate-limit-remaining': '0',
    'x-rate-limit-reset': String(MIDNIGHT / 1_000),
    'ratelimit-policy': '"daily";q=250;w=86400',
    ratelimit: `"daily";r=0;t=${(MIDNIGHT - NOON) / 1_000}`,
    'x-pricing-plan': 'free',
    'cache-control': 'no-store',
    'access-control-allow-origin': '*',
  })
  expect(await refused.json()).toMatchObject({ status: 'fail', code: 'ERATE', message: expect.stringMatching(/\.$/) })

  const cached = await requestPage(first, cachedPage, '203.0.113.7')
  expect([cached.status, cached.headers.get('x-cache-status')]).toEqual([200, 'HIT'])
  expect(await statusOf(first, 2_000, '203.0.113.8')).toBe(200)
  await first.close()

  const second = serviceOf({ dataDir, clock: () => now })
  expect(await statusOf(second, 1_000, '203.0.113.7')).toBe(429)
  expect(await statusOf(second, cachedPage, '203.0.113.7')).toBe(200)
  expect((await requestPage(second, 3_000, '203.0.113.8')).headers.get('x-rate-limit-remaining')).toBe('248')
  now = MIDNIGHT
  expect((await requestPage(second, 1_000, '203.0.113.7')).headers.get('x-rate-limit-remaining')).toBe('249')
  await second.close()
})

it('counts a request with force and a cache miss, but neither a cache hit nor an invalid query', async () => {
  const service = serviceOf({})
  const remaining = async (parameters: string) =>
    (await service.fetch(new Request(`http://previews.test/?url=${site.url}/${parameters}`))).headers.get(
      'x-rate-limit-remaining',
    )
  expect(await remaining('')).toBe('249')
  expect(await remaining('')).toBe('249')
  expect(await remaining('&force')).toBe('248')
  expect(await remaining('&ttl=1s')).toBe('248')
  await service.close()
})

it('counts simultaneous requests for the same page once', async () => {
  const service = serviceOf({})
  await Promise.all(Array.from({ length: 20 }, () => requestPage(service, 1, '203.0.113.7')))
  expect((await requestPage(service, 1, '203.0.113.7')).headers.get('x-rate-limit-remaining')).toBe('249')
  await service.close()
})

it('serves clients with quota left that joined the request of a client without any', async () => {
  const service = serviceOf({ freeDailyLimit: 1 })
  await requestPage(service, 1, '203.0.113.7')
  const statuses = await Promise.all([
    statusOf(service, 2, '203.0.113.7'),
    statusOf(service, 2, '203.0.113.8'),
    statusOf(service, 2, '203.0.113.9'),
  ])
  expect(statuses).toEqual([429, 200, 200])
  await service.close()
})

it.each([
  ['an IPv4 address', '203.0.113.7', '203.0.113.8'],
  ['an IPv4 address inside IPv6', '::ffff:203.0.113.7', '203.0.113.8', '203.0.113.7'],
  ['the /64 of an IPv6 address', '2001:db8:1:2::1', '2001:db8:1:3::1', '2001:db8:1:2:ffff:ffff:ffff:ffff'],
])('counts %s as one client', async (_, client, another, same = client) => {
  const service = serviceOf({ freeDailyLimit: 1 })
  expect(await statusOf(service, 1, client)).toBe(200)
  expect(await statusOf(service, 2, same)).toBe(429)
  expect(await statusOf(service, 2, another)).toBe(200)
  await service.close()
})

it('ignores x-forwarded-for without a trusted proxy', async () => {
  const service = serviceOf({ freeDailyLimit: 1 })
  expect(await statusOf(service, 1, '203.0.113.7', '198.51.100.1')).toBe(200)
  expect(await statusOf(service, 2, '203.0.113.7', '198.51.100.2')).toBe(429)
  await service.close()
})

it('uses the last address that its trusted proxy appended to x-forwarded-for', async () => {
  const service = serviceOf({ freeDailyLimit: 1, trustProxy: 1 })
  expect(await statusOf(service, 1, '10.0.0.1', '198.51.100.1')).toBe(200)
  expect(await statusOf(service, 2, '10.0.0.1', '198.51.100.2')).toBe(200)
  expect(await statusOf(service, 3, '10.0.0.1', '6.6.6.6, 198.51.100.2')).toBe(429)
  expect(await statusOf(service, 3, '10.0.0.1', '2001:db8::1')).toBe(200)
  expect(await statusOf(service, 4, '10.0.0.1', '2001:db8::2')).toBe(429)
  await service.close()
})

it.each([
  ['/56', 4, (subnet: number) => `2001:db8:1:${subnet.toString(16)}::1`, '2001:db8:1:f00::1'],
  ['/48', 16, (subnet: number) => `2001:db8:1:${(subnet * 256).toString(16)}::1`, '2001:db8:2::1'],
])('allows a %s network %i times the limit of one client', async (_, factor, addressOf, another) => {
  const service = serviceOf({ freeDailyLimit: 1 })
  for (let subnet = 0; subnet < factor; subnet++) expect(await statusOf(service, subnet, addressOf(subnet))).toBe(200)
  const refused = await requestPage(service, factor, addressOf(factor))
  expect([refused.status, refused.headers.get('x-rate-limit-remaining')]).toEqual([429, '0'])
  expect(await statusOf(service, factor, another)).toBe(200)
  await service.close()
})

it('revalidates a fifth of the limit beside it, then uses the limit itself, and then serves stale results', async () => {
  let now = NOON
  const service = serviceOf({ freeDailyLimit: 5, clock: () => now })
  const request = async () =>
    (await service.fetch(new Request(`http://previews.test/?url=${site.url}/&staleTtl=0&ttl=1d`))).headers
  const remainingAfter = async (minutes: number) => {
    now = NOON + minutes * 60_000
    const timestamp = (await request()).get('x-timestamp')
    if (minutes < 6) await expect.poll(async () => (await request()).get('x-timestamp')).not.toBe(timestamp)
    return (await request()).get('x-rate-limit-remaining')
  }
  expect((await request()).get('x-rate-limit-remaining')).toBe('4')
  const remaining = []
  for (let minute = 1; minute <= 6; minute++) remaining.push(await remainingAfter(minute))
  expect(remaining).toEqual(['4', '3', '2', '1', '0', '0'])
  expect((await request()).get('x-cache-status')).toBe('STALE')
  await service.close()
})

/** Counts in memory, and takes a turn for each call, as a store does. */
function countersInMemory() {
  const counts = new Map<string, number>()
  const countRequest = async (client: string, _day: string, count = 1) => {
    await nextTurn()
    const sum = (counts.get(client) ?? 0) + count
    counts.set(client, sum)
    return sum
  }
  const readCount = async (client: string) => {
    await nextTurn()
    return counts.get(client) ?? 0
  }
  return { counts, countRequest, readCount }
}

it.each([
  ['/64', '2001:db8:1:2::/64', 10],
  ['IPv4 address', '203.0.113.7', 10],
])('counts no refused work of a burst: a %s', async (_, network, limit) => {
  const counters = countersInMemory()
  const dailyLimit = createDailyLimit(counters, { limit, clock: () => NOON })
  const burst = Array.from({ length: 50 }, () => dailyLimit.consume(network, 'page').then(() => true, isRefused))
  expect((await Promise.all(burst)).filter(Boolean)).toHaveLength(limit)
  for (const [name, count] of counters.counts) expect(count, name).toBe(limit)
})

it('leaves the quota of a wider network to its other clients after a burst', async () => {
  const counters = countersInMemory()
  const dailyLimit = createDailyLimit(counters, { limit: 10, clock: () => NOON })
  const consume = (subnet: number) =>
    dailyLimit.consume(`2001:db8:1:${subnet.toString(16)}::/64`, 'page').then(() => true, isRefused)
  await Promise.all(Array.from({ length: 100 }, () => consume(1)))
  const others = [2, 3, 4].flatMap((subnet) => Array.from({ length: 10 }, () => subnet))
  for (const subnet of others) expect(await consume(subnet)).toBe(true)
  expect(await consume(5)).toBe(false)
})

it('counts no refused work in the free share of revalidations, so that a refund gives it back', async () => {
  const dailyLimit = createDailyLimit(countersInMemory(), { limit: 10, clock: () => NOON })
  const burst = Array.from({ length: 30 }, () =>
    dailyLimit.consume('203.0.113.7', 'revalidation').catch(() => undefined),
  )
  const refunds = (await Promise.all(burst)).filter((refund) => refund !== undefined)
  expect(refunds).toHaveLength(12)
  for (const refund of refunds) await refund()
  const again = Array.from({ length: 30 }, () =>
    dailyLimit.consume('203.0.113.7', 'revalidation').then(() => true, isRefused),
  )
  expect((await Promise.all(again)).filter(Boolean)).toHaveLength(12)
})

function isRefused(error: unknown): false {
  expect(error).toMatchObject({ code: 'ERATE' })
  return false
}
