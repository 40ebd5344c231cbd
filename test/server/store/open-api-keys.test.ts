// Covers API keys that are apart from the cache, or in a Redis that is full.
import { Redis } from 'ioredis'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { createService, openKeys } from '../../../src/server/index.js'
import { localSite, type LocalSite } from '../../local-site.js'
import { hasRedis, startRedis, type TestRedis } from '../../shared/start-redis.js'
import { temporaryDir } from './temporary-dir.js'

describe.skipIf(!hasRedis)('API keys apart from the Redis of the cache', () => {
  let cache: TestRedis
  let durable: TestRedis
  let site: LocalSite

  beforeAll(async () => {
    ;[cache, durable] = await Promise.all([startRedis(), startRedis()])
    site = await localSite({ '/': '<title>Page</title>' })
  })
  afterAll(async () => {
    await Promise.all([cache.close(), durable.close(), site.close()])
  })

  async function start(redis: string, keys: string | undefined, dataDir?: string) {
    const events: unknown[] = []
    const warn = (event: object) => void events.push({ ...event })
    const log = { debug: warn, info: warn, warn, error: warn }
    const service = createService({ redis, keys, dataDir, allowTargets: [site.host], log })
    onTestFinished(() => service.close())
    await service.ready()
    const statusWith = async (key: string, clientKey = 'x-api-key') => {
      const request = new Request(`http://previews.test/?url=${site.url}/`, { headers: { [clientKey]: key } })
      return (await service.fetch(request, { plan: 'pro' })).status
    }
    return { statusWith, events }
  }
  const create = async (keys: string) => {
    const opened = await openKeys({ keys })
    const { key } = await opened.create('Shop')
    await opened.close()
    return key
  }
  async function run(url: string, command: (redis: Redis) => Promise<unknown>) {
    const redis = new Redis(url)
    await command(redis)
    redis.disconnect()
  }

  it.each(['their own Redis', 'a folder', 'the data folder'])('in %s survive FLUSHALL of the cache', async (where) => {
    const dataDir = await temporaryDir()
    const locations = { 'their own Redis': durable.freshUrl(), 'a folder': join(await temporaryDir(), 'keys') }
    const keys = locations[where as keyof typeof locations] ?? dataDir
    const url = cache.freshUrl()
    const { statusWith, events } = await start(url, keys, dataDir)
    const key = await create(keys)
    expect(await statusWith(key)).toBe(200)
    await run(url, (redis) => redis.flushall())
    expect(await statusWith(key)).toBe(200)
    expect(await statusWith(`${key}x`)).toBe(403)
    expect(events).not.toContainEqual(expect.objectContaining({ event: 'keys-in-cache' }))
    if (where === 'a folder') expect(statSync(join(keys, 'signing-secret')).mode & 0o777).toBe(0o600)
  })

  it('are read without the cache, and refused with EBUSY without theirs', async () => {
    const keys = durable.freshUrl()
    const { statusWith, events } = await start(cache.freshUrl(), keys)
    const key = await create(keys)
    await cache.kill()
    try {
      expect(await statusWith(key)).toBe(200)
    } finally {
      await cache.restart()
    }
    await durable.kill()
    try {
      expect(await statusWith(key)).toBe(503)
      expect(events).toContainEqual(expect.objectContaining({ event: 'keys-unreachable' }))
    } finally {
      await durable.restart()
    }
    await expect.poll(() => events).toContainEqual(expect.objectContaining({ event: 'keys-recovered' }))
  })

  it('are warned of where they are in the Redis of the cache', async () => {
    const { events } = await start(cache.freshUrl(), undefined)
    expect(events).toContainEqual(expect.objectContaining({ event: 'keys-in-cache' }))
  })
})

it.skipIf(!hasRedis)('revokes and lists keys in a Redis that is full', async () => {
  const redis = await startRedis()
  onTestFinished(() => redis.close())
  const url = redis.freshUrl()
  const keys = await openKeys({ redis: url })
  const { key, id } = await keys.create('Leaked')
  const { id: other } = await keys.create('Other')
  await keys.close()
  const inspector = new Redis(url)
  await inspector.config('SET', 'maxmemory', '1')
  inspector.disconnect()
  const full = await openKeys({ redis: url })
  onTestFinished(() => full.close())
  expect(await full.revoke(key)).toMatchObject({ id, revokedAt: expect.any(Date) })
  expect((await full.list()).map((info) => info.id)).toEqual([other])
  await expect(full.create('New')).rejects.toThrow('OOM')
})
