import { afterAll, beforeAll, expect, it } from 'vitest'
import { createService, type Service, type ServiceOptions } from '../../src/server/index.js'
import { localSite, type LocalSite } from '../local-site.js'
import { temporaryDir } from './store/temporary-dir.js'

const NOON = Date.parse('2026-01-31T12:00:00Z')
const MIDNIGHT = Date.parse('2026-02-01T00:00:00Z')

let site: LocalSite

beforeAll(async () => {
  site = await localSite({ '/': '<title>Light</title>' })
})
afterAll(() => site.close())

/** Asks the free host for the page with a number, as a client at an address, through proxies that say so. */
const ask = (service: Service, page: number, client: string, forwardedFor?: string) =>
  service.fetch(
    new Request(`http://previews.test/?url=${encodeURIComponent(`${site.url}/?${page}`)}`, {
      headers: forwardedFor ? { 'x-forwarded-for': forwardedFor } : {},
    }),
    { clientAddress: client },
  )

const statusOf = async (...asked: Parameters<typeof ask>) => (await ask(...asked)).status

function serviceOf(options: ServiceOptions) {
  return createService({ allowTargets: [site.host], clock: () => NOON, ...options })
}

it('lets 250 uncached requests of a client pass, then only what is kept, over a restart and until midnight', async () => {
  const dataDir = await temporaryDir()
  let now = NOON
  const first = serviceOf({ dataDir, clock: () => now })
  const many = await Promise.all(Array.from({ length: 260 }, (_, page) => ask(first, page, '203.0.113.7')))
  const passed = many.flatMap(({ status }, page) => (status === 200 ? [page] : []))
  expect(passed).toHaveLength(250)
  const kept = passed[0]!

  const refused = await ask(first, 1_000, '203.0.113.7')
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

  const again = await ask(first, kept, '203.0.113.7')
  expect([again.status, again.headers.get('x-cache-status')]).toEqual([200, 'HIT'])
  expect(await statusOf(first, 2_000, '203.0.113.8')).toBe(200)
  await first.close()

  const second = serviceOf({ dataDir, clock: () => now })
  expect(await statusOf(second, 1_000, '203.0.113.7')).toBe(429)
  expect(await statusOf(second, kept, '203.0.113.7')).toBe(200)
  expect((await ask(second, 3_000, '203.0.113.8')).headers.get('x-rate-limit-remaining')).toBe('248')
  now = MIDNIGHT
  expect((await ask(second, 1_000, '203.0.113.7')).headers.get('x-rate-limit-remaining')).toBe('249')
  await second.close()
})

it('counts what is renewed by force, and not what is kept or refused before it is made', async () => {
  const service = serviceOf({})
  const remaining = async (words: string) =>
    (await service.fetch(new Request(`http://previews.test/?url=${site.url}/${words}`))).headers.get(
      'x-rate-limit-remaining',
    )
  expect(await remaining('')).toBe('249')
  expect(await remaining('')).toBe('249')
  expect(await remaining('&force')).toBe('248')
  expect(await remaining('&ttl=1s')).toBe('248')
  await service.close()
})

it('counts once what many ask for at the same time', async () => {
  const service = serviceOf({})
  await Promise.all(Array.from({ length: 20 }, () => ask(service, 1, '203.0.113.7')))
  expect((await ask(service, 1, '203.0.113.7')).headers.get('x-rate-limit-remaining')).toBe('249')
  await service.close()
})

it('does not refuse whoever asks at the same time for what somebody without requests left asked for first', async () => {
  const service = serviceOf({ freeDailyLimit: 1 })
  await ask(service, 1, '203.0.113.7')
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
])('takes %s for a client', async (_, client, another, same = client) => {
  const service = serviceOf({ freeDailyLimit: 1 })
  expect(await statusOf(service, 1, client)).toBe(200)
  expect(await statusOf(service, 2, same)).toBe(429)
  expect(await statusOf(service, 2, another)).toBe(200)
  await service.close()
})

it('believes nobody who says that he asks for others', async () => {
  const service = serviceOf({ freeDailyLimit: 1 })
  expect(await statusOf(service, 1, '203.0.113.7', '198.51.100.1')).toBe(200)
  expect(await statusOf(service, 2, '203.0.113.7', '198.51.100.2')).toBe(429)
  await service.close()
})

it('believes its own proxy, and what that says last', async () => {
  const service = serviceOf({ freeDailyLimit: 1, trustProxy: 1 })
  expect(await statusOf(service, 1, '10.0.0.1', '198.51.100.1')).toBe(200)
  expect(await statusOf(service, 2, '10.0.0.1', '198.51.100.2')).toBe(200)
  expect(await statusOf(service, 3, '10.0.0.1', '6.6.6.6, 198.51.100.2')).toBe(429)
  expect(await statusOf(service, 3, '10.0.0.1', '2001:db8::1')).toBe(200)
  expect(await statusOf(service, 4, '10.0.0.1', '2001:db8::2')).toBe(429)
  await service.close()
})
