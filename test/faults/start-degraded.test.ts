// Covers the start of the service while Redis or the bucket is away.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createService, openKeys, type Service } from '../../src/server/index.js'
import { localSite, type LocalSite } from '../local-site.js'
import { startBucket, type TestBucket } from '../shared/start-bucket.js'
import { startRedis, type TestRedis } from '../shared/start-redis.js'

describe('a service that starts without its remote stores', () => {
  let site: LocalSite
  let redis: TestRedis
  let bucket: TestBucket
  beforeAll(async () => {
    ;[redis, bucket] = await Promise.all([startRedis(), startBucket()])
    site = await localSite({ '/': '<!doctype html><title>Page</title><body style="background:teal">' })
  })
  afterAll(async () => {
    await Promise.all([redis.close(), bucket.close(), site.close()])
  })

  const ready = async (service: Service) => {
    const response = await service.fetch(new Request('http://previews.test/readyz'))
    const { dependencies } = (await response.json()) as { dependencies: Record<string, string> }
    return { status: response.status, ...dependencies }
  }
  const get = async (service: Service, query: Record<string, string>) => {
    const url = `http://previews.test/?${new URLSearchParams({ url: `${site.url}/`, ...query })}`
    const { status, headers } = await service.fetch(new Request(url))
    return [status, headers.get('x-cache-status')]
  }

  it('says so, serves what it can, and goes on with them when they are there', async () => {
    const [redisUrl, s3] = [redis.freshUrl(), bucket.freshUrl()]
    await Promise.all([redis.kill(), bucket.stop()])
    const options = { redis: redisUrl, s3, allowTargets: [site.host] }
    const [one, two] = [createService(options), createService(options)]
    try {
      await Promise.all([one.ready(), two.ready()])
      expect(await ready(one)).toEqual({ status: 200, redis: 'unreachable', bucket: 'unreachable' })
      expect(await get(one, {})).toEqual([200, 'MISS'])
      expect(await get(one, { filter: 'title' })).toEqual([200, 'HIT'])
      await expect(openKeys({ redis: redisUrl })).rejects.toThrow(/^Redis at \S+ cannot be used/)
    } finally {
      await Promise.all([redis.restart(), bucket.restart()])
    }
    for (const service of [one, two])
      await expect.poll(() => ready(service), { timeout: 12_000 }).toEqual({ status: 200, redis: 'ok', bucket: 'ok' })
    expect(await get(one, { screenshot: 'true' })).toEqual([200, 'MISS'])
    expect(await get(two, { screenshot: 'true' })).toEqual([200, 'HIT'])
    await Promise.all([one.close(), two.close()])
  })

  it('starts soon although Redis does not respond', async () => {
    const url = redis.freshUrl()
    redis.pause()
    const startedAt = performance.now()
    const service = createService({ redis: url })
    try {
      await service.ready()
      expect(performance.now() - startedAt).toBeLessThan(10_000)
      expect(await ready(service)).toEqual({ status: 200, redis: 'unreachable' })
    } finally {
      redis.resume()
    }
    await expect.poll(() => ready(service), { timeout: 12_000 }).toEqual({ status: 200, redis: 'ok' })
    await service.close()
  })

  it('refuses to start with a rejected login and with wrong credentials', async () => {
    const rejected = createService({ redis: redis.freshUrl().replace('//', '//somebody:wrong@') })
    await expect(rejected.ready()).rejects.toThrow(/^Redis at \S+ cannot be used \(WRONGPASS/)
    const wrong = createService({ s3: bucket.freshUrl().replace(':S3RVER@', ':wrong@') })
    await expect(wrong.ready()).rejects.toThrow(/^The bucket .+ cannot be used \(PUT failed with 403/)
    await Promise.all([rejected.close(), wrong.close()])
  })
})
