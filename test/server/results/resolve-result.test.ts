import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { PageResponse } from '../../../src/query/index.js'
import { createService, type Service } from '../../../src/server/index.js'
import { localSite, type LocalSite } from '../../local-site.js'
import { hasRedis, startRedis, type TestRedis } from '../../shared/start-redis.js'

const MINUTE = 60_000
const CLIENT = '203.0.113.1'

let site: LocalSite
let redis: TestRedis | undefined
let version = 0

beforeAll(async () => {
  site = await localSite({
    '/': (_, response) =>
      void response.writeHead(200, { 'content-type': 'text/html' }).end(`<title>Version ${++version}</title>`),
  })
  redis = hasRedis ? await startRedis() : undefined
})
afterAll(async () => {
  await Promise.all([site.close(), redis?.close()])
})

const urlOf = (parameters: Record<string, string>) =>
  `http://previews.test/?${new URLSearchParams({ url: `${site.url}/`, ping: 'false', ...parameters })}`

async function requestPage(service: Service, parameters: Record<string, string> = {}) {
  const response = await service.fetch(new Request(urlOf(parameters)), { peerAddress: CLIENT })
  const { data } = (await response.json()) as PageResponse
  const { headers } = response
  return { title: data.title, cache: headers.get('x-cache-status'), timestamp: Number(headers.get('x-timestamp')) }
}

describe.skipIf(!hasRedis)('with the clock of another instance ten minutes ahead', () => {
  it('force gives and stores the new result, with a newer timestamp', async () => {
    const options = { redis: redis!.freshUrl(), allowTargets: [site.host] }
    const ahead = createService({ ...options, clock: () => Date.now() + 10 * MINUTE })
    const behind = createService(options)
    try {
      const first = await requestPage(ahead)
      const forced = await requestPage(behind, { force: 'true' })
      expect(forced).toMatchObject({ cache: 'BYPASS', title: `Version ${version}` })
      expect(forced.title).not.toBe(first.title)
      expect(forced.timestamp).toBeGreaterThan(first.timestamp)
      expect(await requestPage(ahead)).toEqual({ ...forced, cache: 'HIT' })
      const together = await Promise.all([1, 2, 3].map(() => requestPage(behind, { force: 'true' })))
      expect(new Set(together.map(({ title }) => title))).toEqual(new Set([`Version ${version}`]))
    } finally {
      await Promise.all([ahead.close(), behind.close()])
    }
  })
})

it('reads a page again that seems to come from the future, once a clock that was ahead is right', async () => {
  let now = Date.now() + 30 * 24 * 60 * MINUTE
  const service = createService({ allowTargets: [site.host], clock: () => now })
  try {
    const { title } = await requestPage(service)
    now = Date.now()
    const right = await requestPage(service, { filter: 'title' })
    expect(right).toMatchObject({ cache: 'MISS', title: `Version ${version}` })
    expect(right.title).not.toBe(title)
    expect(right.timestamp).toBe(now)
    expect(await requestPage(service)).toEqual({ ...right, cache: 'HIT' })
  } finally {
    await service.close()
  }
})

describe('the in-memory response of an instance', () => {
  const inMemory = (service: Service, parameters: Record<string, string> = {}) =>
    service.cachedResponse({
      method: 'GET',
      url: urlOf(parameters),
      ifNoneMatch: undefined,
      forwardedFor: undefined,
      plan: 'free',
      peerAddress: CLIENT,
    })

  it('is gone at once after force', async () => {
    const service = createService({ allowTargets: [site.host] })
    await requestPage(service)
    await requestPage(service, { filter: 'title' })
    expect([inMemory(service), inMemory(service, { filter: 'title' })]).not.toContain(undefined)
    const forced = await requestPage(service, { force: 'true' })
    expect([inMemory(service), inMemory(service, { filter: 'title' })]).toEqual([undefined, undefined])
    expect(await requestPage(service)).toEqual({ ...forced, cache: 'HIT' })
    expect(String(inMemory(service)?.body)).toContain(forced.title)
    await service.close()
  })

  it('is gone at once after a revalidation', async () => {
    let now = Date.now()
    const service = createService({ allowTargets: [site.host], clock: () => now })
    const { title } = await requestPage(service)
    now += 2 * MINUTE
    expect(await requestPage(service)).toMatchObject({ cache: 'HIT', title })
    expect(inMemory(service)).toBeDefined()
    const before = version
    expect(await requestPage(service, { staleTtl: '1m' })).toMatchObject({ cache: 'STALE', title })
    await expect.poll(() => version).toBe(before + 1)
    await expect.poll(() => inMemory(service), { interval: 5, timeout: 500 }).toBeUndefined()
    expect(await requestPage(service)).toMatchObject({ cache: 'HIT', title: `Version ${version}` })
    await service.close()
  })
})
