import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createService, openKeys, type Service } from '../../src/server/index.js'
import type { PageResponse } from '../../src/query/index.js'
import { localSite, type LocalSite } from '../local-site.js'
import { startBucket, type TestBucket } from '../shared/start-bucket.js'
import { hasRedis, startRedis, type TestRedis } from '../shared/start-redis.js'

const NOON = Date.parse('2026-01-31T12:00:00Z')
/** Nobody waits longer for what does not need the browser, whatever is out of reach. */
const IN_TIME_MS = 2_500

const page = (colour: string) => `<!doctype html><title>${colour}</title><body style="background:${colour}">`

describe.skipIf(!hasRedis)('two instances on one Redis and one bucket', () => {
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

  const ask = (
    service: Service,
    path: string,
    { client = '203.0.113.1', key = '', ...words }: Record<string, string> = {},
  ) =>
    service.fetch(
      new Request(`http://previews.test/?${new URLSearchParams({ url: `${site.url}${path}`, ...words })}`, {
        headers: key ? { 'x-api-key': key } : {},
      }),
      { clientAddress: client, plan: key ? 'pro' : 'free' },
    )
  const picture = { screenshot: 'true', embed: 'screenshot.url' }
  const ready = async (service: Service) => {
    const response = await service.fetch(new Request('http://previews.test/readyz'))
    return { status: response.status, store: ((await response.json()) as { store: boolean }).store }
  }
  async function inTime<Result>(work: () => Promise<Result>): Promise<Result> {
    const startedAt = performance.now()
    const result = await work()
    expect(performance.now() - startedAt).toBeLessThan(IN_TIME_MS)
    return result
  }

  it('take one picture for 50 that ask both for it at the same time', async () => {
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) => ask(index % 2 ? one : two, '/red', picture)),
    )
    expect(answers.map(({ status }) => status)).toEqual(Array(50).fill(200))
    expect(new Set(answers.map(({ headers }) => headers.get('etag'))).size).toBe(1)
    expect(one.captures() + two.captures()).toBe(1)
    expect((await ask(one, '/red')).headers.get('x-rate-limit-remaining')).toBe('18')
  })

  it('give what the other has made, with its picture', async () => {
    const made = await ask(one, '/green', { screenshot: 'true' })
    expect(made.headers.get('x-cache-status')).toBe('MISS')
    const { data } = (await made.json()) as PageResponse

    const kept = await ask(two, '/green', { screenshot: 'true' })
    expect(kept.headers.get('x-cache-status')).toBe('HIT')
    expect(((await kept.json()) as PageResponse).data).toEqual(data)
    const file = await two.fetch(new Request(data.screenshot!.url))
    expect([file.status, (await file.arrayBuffer()).byteLength]).toEqual([200, data.screenshot!.size])
    const embedded = await ask(two, '/green', picture)
    expect([embedded.status, embedded.headers.get('x-cache-status')]).toEqual([200, 'HIT'])
  })

  it('make anew once what is forced, and both give the new one', async () => {
    await ask(one, '/blue', picture)
    const before = one.captures() + two.captures()
    const forced = await ask(two, '/blue', { ...picture, force: 'true' })
    expect(forced.headers.get('x-cache-status')).toBe('BYPASS')
    expect(one.captures() + two.captures()).toBe(before + 1)
  })

  it('renew a stale picture once, and both give the new one', async () => {
    const aging = { ...picture, staleTtl: '1m' }
    const first = await ask(one, '/blue', aging)
    const before = one.captures() + two.captures()
    now += 120_000
    const stale = await Promise.all([ask(one, '/blue', aging), ask(two, '/blue', aging)])
    expect(stale.map(({ headers }) => headers.get('x-cache-status'))).toEqual(['STALE', 'STALE'])
    for (const service of [one, two])
      await expect.poll(async () => (await ask(service, '/blue', aging)).headers.get('x-cache-status')).toBe('HIT')
    expect(first.headers.get('x-timestamp')).not.toBe((await ask(two, '/blue', aging)).headers.get('x-timestamp'))
    expect(one.captures() + two.captures()).toBe(before + 1)
  })

  it('count the daily limit together', async () => {
    const client = '203.0.113.77'
    const statuses = await Promise.all(
      Array.from(
        { length: 30 },
        async (_, index) => (await ask(index % 2 ? one : two, `/red?${index}`, { client })).status,
      ),
    )
    expect(statuses.filter((status) => status === 200)).toHaveLength(20)
    expect(statuses.filter((status) => status === 429)).toHaveLength(10)
    expect((await ask(one, '/red?more', { client })).headers.get('x-rate-limit-remaining')).toBe('0')
  })

  it('let a key in and refuse it together', async () => {
    const keys = await openKeys({ redis: url })
    const { key, id } = await keys.create('Shop')
    expect((await ask(one, '/red', { key })).status).toBe(200)
    expect((await ask(two, '/red', { key })).status).toBe(200)
    await keys.revoke(id)
    expect((await ask(one, '/red', { key })).status).toBe(403)
    expect((await ask(two, '/red', { key })).status).toBe(403)
    await keys.close()
  })

  it.each(['killed', 'silent'])('go on alone while Redis is %s, and together when it is back', async (how) => {
    const keys = await openKeys({ redis: url })
    const { key } = await keys.create('Shop')
    await keys.close()
    await ask(one, '/red', { meta: 'true' })
    await (how === 'killed' ? redis.kill() : redis.pause())
    try {
      const kept = await inTime(() => ask(one, '/red', { filter: 'title' }))
      expect([kept.status, kept.headers.get('x-cache-status')]).toEqual([200, 'HIT'])
      const made = await inTime(() => ask(one, `/teal?${how}`))
      expect([made.status, made.headers.get('x-cache-status')]).toEqual([200, 'MISS'])
      const refused = await inTime(() => ask(one, '/red', { key }))
      expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '2'])
      expect(await inTime(() => ready(one))).toEqual({ status: 503, store: false })
      expect(await inTime(() => ready(two))).toEqual({ status: 503, store: false })
    } finally {
      await (how === 'killed' ? redis.restart() : redis.resume())
    }
    await expect.poll(async () => (await ready(one)).store && (await ready(two)).store, { timeout: 5_000 }).toBe(true)
    await ask(one, `/teal?again-${how}`)
    expect((await ask(two, `/teal?again-${how}`)).headers.get('x-cache-status')).toBe('HIT')
  })

  it('give what they have while the bucket is out of reach, and say what they cannot', async () => {
    await ask(one, '/green', { screenshot: 'true', force: 'true' })
    await bucket.stop()
    try {
      const kept = await inTime(() => ask(one, '/green', { ...picture, filter: 'screenshot' }))
      expect([kept.status, kept.headers.get('x-cache-status')]).toEqual([200, 'HIT'])
      expect((await inTime(() => ask(one, '/navy'))).status).toBe(200)
      const refused = await ask(one, '/navy', picture)
      expect([refused.status, ((await refused.json()) as { code: string }).code]).toEqual([503, 'EBUSY'])
      expect(await inTime(() => ready(one))).toEqual({ status: 503, store: false })
    } finally {
      await bucket.restart()
    }
    expect((await ready(one)).store).toBe(true)
    expect((await ask(one, '/navy', picture)).status).toBe(200)
  })
})
