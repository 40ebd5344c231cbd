import { Redis } from 'ioredis'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import type { ImageName } from '../../../../src/server/store/index.js'
import { connectRedis, parseRedisUrl } from '../../../../src/server/store/redis/redis-connection.js'
import { createRedisUploadLeases } from '../../../../src/server/store/redis/redis-leases.js'
import { hasRedis, startRedis, type TestRedis } from '../../../shared/start-redis.js'

const image: ImageName = `${'a'.repeat(64)}.png`
const uploaded: ImageName = `${'b'.repeat(64)}.png`
const key = `page-preview:upload:${image}`

describe.skipIf(!hasRedis)('the lease of an image that waits for its upload', () => {
  let redis: TestRedis
  beforeAll(async () => {
    redis = await startRedis()
  })
  afterAll(() => redis.close())

  async function open(url: string, pending: ReadonlySet<ImageName>) {
    const errors: unknown[] = []
    const events = { onDisconnect: () => undefined, onReconnect: () => undefined }
    const connection = await connectRedis(parseRedisUrl(url), {
      option: '--redis',
      keyPrefix: 'page-preview',
      ...events,
    })
    const leases = createRedisUploadLeases(connection, {
      pending: () => pending,
      onError: (error) => void errors.push(error),
    })
    onTestFinished(() => {
      leases.close()
      connection.close()
    })
    return { ...leases, errors }
  }

  it('tells other instances that the image comes later, and says nothing about images that are in the bucket', async () => {
    const url = redis.freshUrl()
    const pending = new Set<ImageName>()
    const [here, there] = [await open(url, pending), await open(url, new Set())]
    await there.assertNotPending(image)
    pending.add(image)
    await here.announce([image, uploaded])
    await expect(there.assertNotPending(image)).rejects.toMatchObject({ code: 'EBUSY', retryAfterMs: 2_000 })
    await there.assertNotPending(uploaded)
  })

  it('is held from the start for images of an earlier run, is renewed, and ends a minute after the instance', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    onTestFinished(() => void vi.useRealTimers())
    const url = redis.freshUrl()
    const inspector = new Redis(url)
    onTestFinished(() => inspector.disconnect())
    const here = await open(url, new Set([image]))
    await expect.poll(() => inspector.pttl(key)).toBeGreaterThan(55_000)
    await inspector.pexpire(key, 5_000)
    vi.advanceTimersByTime(20_000)
    await expect.poll(() => inspector.pttl(key)).toBeGreaterThan(55_000)
    here.close()
    await inspector.pexpire(key, 5_000)
    vi.advanceTimersByTime(60_000)
    expect(await inspector.pttl(key)).toBeLessThanOrEqual(5_000)
  })

  it('is missing while Redis is unreachable, which fails nothing', async () => {
    const url = redis.freshUrl()
    const here = await open(url, new Set([image]))
    await redis.kill()
    await here.announce([image])
    await here.assertNotPending(image)
    expect(here.errors).not.toEqual([])
    await redis.restart()
  })
})
