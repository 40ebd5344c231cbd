// Covers several instances of the service that share one Redis and one bucket.
import { Redis } from 'ioredis'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createService, openKeys, type Service } from '../../src/server/index.js'
import type { PageResponse } from '../../src/query/index.js'
import { localSite, type LocalSite } from '../local-site.js'
import { startBucket, type TestBucket } from '../shared/start-bucket.js'
import { startService, type StartedService } from '../shared/start-service.js'
import { startRedis, type TestRedis } from '../shared/start-redis.js'

const NOON = Date.parse('2026-01-31T12:00:00Z')
/** For responses that need no browser, also while Redis or the bucket is unreachable; a client that tries again takes longer. */
const MAX_RESPONSE_MS = 5_000

const page = (colour: string) => `<!doctype html><title>${colour}</title><body style="background:${colour}">`

describe('two instances on one Redis and one bucket', () => {
  let site: LocalSite
  let redis: TestRedis
  let bucket: TestBucket
  let url: string
  let one: Service
  let two: Service
  let now = NOON

  beforeAll(async () => {
    ;[redis, bucket] = await Promise.all([startRedis(), startBucket()])
    const colours = ['red', 'green', 'blue', 'teal', 'navy']
    site = await localSite(Object.fromEntries(colours.map((colour) => [`/${colour}`, page(colour)])))
    url = redis.freshUrl()
    const options = {
      redis: url,
      s3: bucket.freshUrl(),
      allowTargets: [site.host],
      clock: () => now,
      freeDailyLimit: 20,
    }
    one = createService(options)
    two = createService(options)
    await Promise.all([one.ready(), two.ready()])
  })
  afterAll(async () => {
    await Promise.all([one.close(), two.close()])
    await Promise.all([redis.close(), bucket.close(), site.close()])
  })

  const requestPage = (
    service: Service,
    path: string,
    { client = '203.0.113.1', key = '', ...parameters }: Record<string, string> = {},
  ) =>
    service.fetch(
      new Request(`http://previews.test/?${new URLSearchParams({ url: `${site.url}${path}`, ...parameters })}`, {
        headers: key ? { 'x-api-key': key } : {},
      }),
      { peerAddress: client, plan: key ? 'pro' : 'free' },
    )
  const embed = { screenshot: 'true', embed: 'screenshot.url' }
  const ready = async (service: Service): Promise<Partial<Record<'redis' | 'bucket', string>> & { status: number }> => {
    const response = await service.fetch(new Request('http://previews.test/readyz'))
    const { dependencies } = (await response.json()) as { dependencies: Record<string, string> }
    return { status: response.status, ...dependencies }
  }
  const metric = async (service: Service, name: string) => {
    const text = await (await service.fetch(new Request('http://previews.test/metrics'))).text()
    return new RegExp(`^${name} (.+)$`, 'm').exec(text)?.[1]
  }
  async function inTime<Result>(work: () => Promise<Result>): Promise<Result> {
    const startedAt = performance.now()
    const result = await work()
    expect(performance.now() - startedAt).toBeLessThan(MAX_RESPONSE_MS)
    return result
  }

  it('capture once for 50 simultaneous requests to both', async () => {
    const responses = await Promise.all(
      Array.from({ length: 50 }, (_, index) => requestPage(index % 2 ? one : two, '/red', embed)),
    )
    expect(responses.map(({ status }) => status)).toEqual(Array(50).fill(200))
    expect(new Set(responses.map(({ headers }) => headers.get('etag'))).size).toBe(1)
    expect(one.captures() + two.captures()).toBe(1)
    expect((await requestPage(one, '/red')).headers.get('x-rate-limit-remaining')).toBe('18')
  })

  it('serve results and screenshots of each other', async () => {
    const produced = await requestPage(one, '/green', { screenshot: 'true' })
    expect(produced.headers.get('x-cache-status')).toBe('MISS')
    const { data } = (await produced.json()) as PageResponse

    const cached = await requestPage(two, '/green', { screenshot: 'true' })
    expect(cached.headers.get('x-cache-status')).toBe('HIT')
    expect(((await cached.json()) as PageResponse).data).toEqual(data)
    const file = await two.fetch(new Request(data.screenshot!.url))
    expect([file.status, (await file.arrayBuffer()).byteLength]).toEqual([200, data.screenshot!.size])
    const embedded = await requestPage(two, '/green', embed)
    expect([embedded.status, embedded.headers.get('x-cache-status')]).toEqual([200, 'HIT'])
  })

  it('capture once for a forced request', async () => {
    await requestPage(one, '/blue', embed)
    const before = one.captures() + two.captures()
    const forced = await requestPage(two, '/blue', { ...embed, force: 'true' })
    expect(forced.headers.get('x-cache-status')).toBe('BYPASS')
    expect(one.captures() + two.captures()).toBe(before + 1)
  })

  it('revalidate a stale screenshot once, and both serve the new one', async () => {
    const aging = { ...embed, staleTtl: '1m' }
    const first = await requestPage(one, '/blue', aging)
    const before = one.captures() + two.captures()
    now += 120_000
    const stale = await Promise.all([requestPage(one, '/blue', aging), requestPage(two, '/blue', aging)])
    expect(stale.map(({ headers }) => headers.get('x-cache-status'))).toEqual(['STALE', 'STALE'])
    for (const service of [one, two])
      await expect
        .poll(async () => (await requestPage(service, '/blue', aging)).headers.get('x-cache-status'))
        .toBe('HIT')
    expect(first.headers.get('x-timestamp')).not.toBe(
      (await requestPage(two, '/blue', aging)).headers.get('x-timestamp'),
    )
    expect(one.captures() + two.captures()).toBe(before + 1)
  })

  it('revalidate a page once a minute together, also when the revalidation fails', async () => {
    let requests = 0
    site.routes['/flaky'] = (_, response) => {
      const isFirst = ++requests === 1
      response.writeHead(isFirst ? 200 : 503, { 'content-type': 'text/html' }).end('<title>Flaky</title>')
    }
    const parameters = { staleTtl: '0', ping: 'false' }
    expect((await requestPage(one, '/flaky', parameters)).headers.get('x-cache-status')).toBe('MISS')
    await requestPage(one, '/flaky', parameters)
    await expect.poll(() => requests).toBe(2)
    for (const service of [two, one, two]) {
      const response = await requestPage(service, '/flaky', parameters)
      expect(response.headers.get('x-cache-status')).toBe('STALE')
      await response.arrayBuffer()
    }
    // A revalidation would have started before the page of a later request is read.
    await requestPage(two, '/red?after-the-revalidation', { ping: 'false' })
    expect(requests).toBe(2)
  })

  it('are asked for their state 100 times, and check Redis and the bucket once', async () => {
    const before = bucket.requests()
    const states = await Promise.all(Array.from({ length: 100 }, () => ready(one)))
    expect(states.filter(({ status, redis }) => status !== 200 || redis !== 'ok')).toEqual([])
    expect(bucket.requests() - before).toBeLessThanOrEqual(1)
  })

  it('share the counts of the daily limit', async () => {
    const client = '203.0.113.77'
    const statuses = await Promise.all(
      Array.from(
        { length: 30 },
        async (_, index) => (await requestPage(index % 2 ? one : two, `/red?${index}`, { client })).status,
      ),
    )
    expect(statuses.filter((status) => status === 200)).toHaveLength(20)
    expect(statuses.filter((status) => status === 429)).toHaveLength(10)
    expect((await requestPage(one, '/red?more', { client })).headers.get('x-rate-limit-remaining')).toBe('0')
  })

  it('accept and reject a key together', async () => {
    const keys = await openKeys({ redis: url })
    const { key, id } = await keys.create('Shop')
    expect((await requestPage(one, '/red', { key })).status).toBe(200)
    expect((await requestPage(two, '/red', { key })).status).toBe(200)
    await keys.revoke(id)
    expect((await requestPage(one, '/red', { key })).status).toBe(403)
    expect((await requestPage(two, '/red', { key })).status).toBe(403)
    await keys.close()
  })

  it.each(['killed', 'silent'])('work alone while Redis is %s, and together when it is back', async (how) => {
    const keys = await openKeys({ redis: url })
    const { key } = await keys.create('Shop')
    await keys.close()
    await requestPage(one, '/red', { meta: 'true' })
    await (how === 'killed' ? redis.kill() : redis.pause())
    try {
      const cached = await inTime(() => requestPage(one, '/red', { filter: 'title' }))
      expect([cached.status, cached.headers.get('x-cache-status')]).toEqual([200, 'HIT'])
      const produced = await inTime(() => requestPage(one, `/teal?${how}`))
      expect([produced.status, produced.headers.get('x-cache-status')]).toEqual([200, 'MISS'])
      const rejected = await inTime(() => requestPage(one, '/red', { key }))
      expect([rejected.status, rejected.headers.get('retry-after')]).toEqual([503, '2'])
      expect(await inTime(() => ready(one))).toEqual({ status: 200, redis: 'unreachable', bucket: 'ok' })
      expect(await metric(one, 'page_preview_redis_up')).toBe('0')
    } finally {
      await (how === 'killed' ? redis.restart() : redis.resume())
    }
    for (const service of [one, two])
      await expect.poll(() => ready(service), { timeout: 10_000 }).toEqual({ status: 200, redis: 'ok', bucket: 'ok' })
    expect(await metric(one, 'page_preview_redis_up')).toBe('1')
    await requestPage(one, `/teal?again-${how}`)
    expect((await requestPage(two, `/teal?again-${how}`)).headers.get('x-cache-status')).toBe('HIT')
  })

  it('serve what they have and capture while the bucket is unreachable, and fail with EBUSY where they need it', async () => {
    await requestPage(one, '/green', { screenshot: 'true', force: 'true' })
    await bucket.stop()
    try {
      const cached = await inTime(() => requestPage(one, '/green', { ...embed, filter: 'screenshot' }))
      expect([cached.status, cached.headers.get('x-cache-status')]).toEqual([200, 'HIT'])
      expect((await inTime(() => requestPage(one, '/navy'))).status).toBe(200)
      expect((await requestPage(one, '/navy', embed)).status).toBe(200)
      const rejected = await requestPage(two, '/navy', embed)
      expect([rejected.status, ((await rejected.json()) as { code: string }).code]).toEqual([503, 'EBUSY'])
      expect(await inTime(() => ready(one))).toEqual({ status: 200, redis: 'ok', bucket: 'unreachable' })
      expect(await metric(one, 'page_preview_bucket_up')).toBe('0')
    } finally {
      await bucket.restart()
    }
    await expect
      .poll(async () => (await requestPage(two, '/navy', embed)).status, { interval: 500, timeout: 10_000 })
      .toBe(200)
    await expect.poll(() => ready(one), { timeout: 10_000 }).toEqual({ status: 200, redis: 'ok', bucket: 'ok' })
    expect(await metric(one, 'page_preview_bucket_up')).toBe('1')
  })
})

describe('services with different prefixes on one Redis', () => {
  let site: LocalSite
  let redis: TestRedis
  let url: string
  const services: Record<string, StartedService> = {}
  beforeAll(async () => {
    redis = await startRedis()
    url = redis.freshUrl()
    site = await localSite({ '/': '<title>A page</title>' })
    for (const [name, prefix] of Object.entries({ staging: 'staging', live: 'live', twin: 'live' }))
      services[name] = await startService(
        `--redis=${url}`,
        `--redis-prefix=${prefix}`,
        `--allow-target=${site.host}`,
        '--free-daily-limit=2',
      )
  })
  afterAll(async () => {
    await Promise.all(Object.values(services).map((service) => service.stop()))
    await Promise.all([redis.close(), site.close()])
  })
  const get = (name: string, query: Record<string, string> = {}) =>
    fetch(`${services[name]!.free}/?${new URLSearchParams({ url: site.url, ...query })}`)

  it('share neither results nor counts nor keys, and those with one prefix share all of them', async () => {
    const cacheStatuses = []
    for (const name of ['staging', 'live', 'twin']) cacheStatuses.push((await get(name)).headers.get('x-cache-status'))
    expect(cacheStatuses).toEqual(['MISS', 'MISS', 'HIT'])

    expect((await get('live', { 'headers.x-a': '1' })).status).toBe(200)
    expect((await get('twin', { 'headers.x-a': '2' })).status).toBe(429)
    expect((await get('staging', { 'headers.x-a': '2' })).status).toBe(200)

    const keys = await openKeys({ redis: url, redisPrefix: 'live' })
    const { key } = await keys.create('Shop')
    await keys.close()
    const statuses = []
    for (const name of ['staging', 'live', 'twin']) {
      const init = { headers: { 'x-api-key': key } }
      statuses.push((await fetch(`${services[name]!.pro}/?url=${site.url}`, init)).status)
    }
    expect(statuses).toEqual([403, 200, 200])
  })

  it('begin each key with their own prefix', async () => {
    const inspector = new Redis(url)
    const names = await inspector.keys('*')
    inspector.disconnect()
    expect(names.length).toBeGreaterThan(5)
    expect(names.filter((name) => !/^(staging|live):/.test(name))).toEqual([])
  })
})
