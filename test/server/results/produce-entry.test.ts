import { Redis } from 'ioredis'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createService, type Service } from '../../../src/server/index.js'
import { localSite, type LocalSite } from '../../local-site.js'
import { hasRedis, startRedis, type TestRedis } from '../../shared/start-redis.js'

const MINUTE = 60_000
const DAY = 86_400_000

describe.skipIf(!hasRedis)('the life of a result in Redis', () => {
  let site: LocalSite
  let redis: TestRedis
  let inspector: Redis
  let service: Service

  beforeAll(async () => {
    redis = await startRedis()
    site = await localSite({
      '/': '<!doctype html><title>Page</title>',
      '/missing': (_, response) =>
        void response.writeHead(404, { 'content-type': 'text/html' }).end('<title>No</title>'),
    })
    const url = redis.freshUrl()
    inspector = new Redis(url)
    service = createService({ redis: url, allowTargets: [site.host] })
    await service.ready()
  })
  afterAll(async () => {
    await service.close()
    inspector.disconnect()
    await Promise.all([redis.close(), site.close()])
  })

  async function request(path: string, parameters: Record<string, string> = {}) {
    const query = new URLSearchParams({ url: `${site.url}${path}`, ping: 'false', ...parameters })
    const response = await service.fetch(new Request(`http://previews.test/?${query}`))
    expect(response.status).toBe(200)
    const [key] = await inspector.keys('page-preview:entry:*')
    return {
      cache: response.headers.get('x-cache-status'),
      ttlMs: Number(response.headers.get('x-cache-ttl')),
      lifeMs: await inspector.pttl(key!),
    }
  }
  const within = (lifeMs: number, expectedMs: number) => {
    expect(lifeMs).toBeGreaterThan(expectedMs - MINUTE)
    expect(lifeMs).toBeLessThanOrEqual(expectedMs)
  }

  it('is the longest ttl that a request has asked for, at least the default', async () => {
    const first = await request('/', { ttl: '1m' })
    expect(first).toMatchObject({ cache: 'MISS', ttlMs: MINUTE })
    within(first.lifeMs, DAY)
    const longer = await request('/', { ttl: '30d' })
    expect(longer).toMatchObject({ cache: 'HIT', ttlMs: 30 * DAY })
    within(longer.lifeMs, 30 * DAY)
    const shorter = await request('/', { ttl: '1h' })
    expect(shorter).toMatchObject({ cache: 'HIT', ttlMs: DAY / 24 })
    within(shorter.lifeMs, 30 * DAY)
  })

  it('stays that long when the result is replaced', async () => {
    const replaced = await request('/', { force: 'true' })
    expect(replaced).toMatchObject({ cache: 'BYPASS', ttlMs: DAY })
    within(replaced.lifeMs, 30 * DAY)
  })

  it('is ten minutes for a page that does not exist, whatever the ttl', async () => {
    await inspector.flushdb()
    expect((await request('/missing', { ttl: '30d' })).lifeMs).toBeLessThanOrEqual(10 * MINUTE)
    const hit = await request('/missing', { ttl: '31d' })
    expect(hit).toMatchObject({ cache: 'HIT', ttlMs: 10 * MINUTE })
    expect(hit.lifeMs).toBeLessThanOrEqual(10 * MINUTE)
  })
})
