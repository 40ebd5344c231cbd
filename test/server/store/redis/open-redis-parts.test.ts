import { Redis } from 'ioredis'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { isPageError } from '../../../../src/query/index.js'
import {
  openApiKeys,
  openStore,
  subjectOfUrl,
  type CacheEntry,
  type Store,
} from '../../../../src/server/store/index.js'
import type { StoreEvent } from '../../../../src/server/store/open-store.js'
import { hasRedis, startRedis, type TestRedis } from '../../../shared/start-redis.js'
import { temporaryDir } from '../temporary-dir.js'

const DAY = 86_400_000
const CLIENT = '192.0.2.1'
const TODAY = '2026-01-01'
const PAGE = subjectOfUrl('https://www.example.com/')
const signal = new AbortController().signal

const createEntry = (body: unknown): CacheEntry => ({
  createdAt: Date.now(),
  expiresAt: Date.now() + DAY,
  images: [],
  body,
})
const isBusy = async (call: Promise<unknown>) => {
  const error = await call.then(
    () => undefined,
    (error: unknown) => error,
  )
  return isPageError(error) && error.code === 'EBUSY'
}

describe.skipIf(!hasRedis)('a store in Redis', () => {
  let redis: TestRedis
  let url: string
  let inspector: Redis
  let events: StoreEvent['event'][]
  let dataDir: string
  let store: Store
  let other: Store

  beforeAll(async () => {
    redis = await startRedis()
  })
  afterAll(() => redis.close())
  beforeEach(async () => {
    url = redis.freshUrl()
    inspector = new Redis(url, { retryStrategy: () => 20 }).on('error', () => undefined)
    events = []
    dataDir = await temporaryDir()
    store = await open(url, dataDir)
    other = await open()
  })
  afterEach(async () => {
    vi.useRealTimers()
    inspector.disconnect()
    await Promise.all([store.close(), other.close()])
  })

  const open = async (address = url, folder?: string, ownEvents = events) =>
    openStore({
      dataDir: folder ?? (await temporaryDir()),
      redis: address,
      redisPrefix: 'page-preview',
      s3: undefined,
      maxBytes: 10_000_000,
      clock: Date.now,
      onEvent: ({ event }) => ownEvents.push(event),
      onError: (error) => {
        throw error
      },
    })

  it('shares entries, counters and keys with other instances on the same Redis', async () => {
    await store.entries.writeEntry('page', createEntry('written there'))
    expect((await other.entries.readEntry('page'))?.body).toBe('written there')
    const sums = await Promise.all(
      Array.from({ length: 20 }, (_, index) => (index % 2 ? store : other).counters.countRequest(CLIENT, TODAY)),
    )
    expect(sums.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, index) => index + 1))
    await store.apiKeys.writeKey({ id: 'k', name: 'n', verificationHash: 'h', createdAt: 1 })
    await other.apiKeys.writeKey({ ...(await other.apiKeys.readKey('k'))!, revokedAt: 2 })
    expect(await store.apiKeys.readKey('k')).toMatchObject({ revokedAt: 2 })
  })

  it('opens while a Redis that did not respond is reached again', async () => {
    redis.pause()
    onTestFinished(() => redis.resume())
    const ownEvents: StoreEvent['event'][] = []
    const opening = open(url, undefined, ownEvents)
    await expect.poll(() => ownEvents, { timeout: 10_000 }).toContain('redis-unreachable')
    redis.resume()
    const opened = await opening
    onTestFinished(() => opened.close())
    await expect.poll(() => ownEvents).toContain('redis-recovered')
    await opened.entries.writeEntry('page', createEntry('written'))
  })

  it('sets an expiry on every Redis key but the API keys', async () => {
    const image = await store.images.writeImage(Buffer.from('image bytes'), 'png')
    await store.entries.writeEntry('page', { ...createEntry('page'), images: [image], subjects: [PAGE] })
    await store.purges.purge({ host: 'other.example' })
    await store.counters.countRequest(CLIENT, TODAY)
    await store.apiKeys.writeKey({ id: 'k', name: 'n', verificationHash: 'h', createdAt: 1 })
    await store.locks.withLock(
      'page',
      async () => {
        const expiring = (await inspector.keys('*')).filter((key) => key !== 'page-preview:keys')
        expect(new Set(expiring.map((key) => key.split(':')[1]))).toEqual(
          new Set(['entry', 'index', 'purges', 'count', 'lock', 'ready']),
        )
        for (const key of expiring) expect(await inspector.pttl(key), key).toBeGreaterThan(0)
      },
      { signal },
    )
  })

  it('extends the life of an entry and its images, unless the entry was replaced since', async () => {
    const image = await store.images.writeImage(Buffer.from('image bytes'), 'png')
    const entry = { ...createEntry('page'), images: [image], subjects: [PAGE] }
    await store.entries.writeEntry('page', entry)
    await other.entries.extendEntry('page', {
      ...entry,
      createdAt: entry.createdAt - 1,
      expiresAt: entry.createdAt + 9 * DAY,
    })
    expect(await store.entries.readEntry('page')).toEqual(entry)
    const life = { createdAt: entry.createdAt, expiresAt: entry.createdAt + 3 * DAY, images: [image] }
    await other.entries.extendEntry('page', life)
    expect(await store.entries.readEntry('page')).toEqual({ ...entry, ...life })
    const keys = (await inspector.keys('*')).filter((key) => /:(entry|index):/.test(key))
    expect(keys).toHaveLength(5)
    for (const key of keys) expect(await inspector.pttl(key), key).toBeGreaterThan(2.9 * DAY)
    expect(await store.images.readImage(image)).toHaveLength(11)
  })

  it.each<[string, (page: number) => { key: string; url: string }]>([
    ['pages of a host', (page) => ({ key: `page ${page}`, url: `https://www.example.com/${page}` })],
    ['pages of subdomains', (page) => ({ key: `page ${page}`, url: `https://${page}.example.com/` })],
    ['results of a page', (page) => ({ key: `page ${page}`, url: 'https://www.example.com/' })],
    ['images of a page', () => ({ key: 'page', url: 'https://www.example.com/' })],
  ])('forgets %s that have expired, although there are always others', async (_, pageOf) => {
    const write = async (page: number, lifeMs: number) => {
      const image = await store.images.writeImage(Buffer.from(`image ${page}`), 'png')
      const { key, url } = pageOf(page)
      const entry = { ...createEntry('page'), expiresAt: Date.now() + lifeMs, images: [image] }
      await store.entries.writeEntry(key, { ...entry, subjects: [subjectOfUrl(url)] })
    }
    const indexed = async () => {
      const sets = await inspector.keys('page-preview:index:*')
      return (await Promise.all(sets.map((set) => inspector.zcard(set)))).reduce((sum, count) => sum + count, 0)
    }
    for (let page = 0; page < 20; page++) await write(page, 100)
    await write(100, DAY)
    await vi.waitFor(async () => {
      await write(100, DAY)
      // The entry below its image, the entry and the image below the page, and the page below its hosts.
      expect(await indexed()).toBeLessThanOrEqual(5)
    })
    const { key } = pageOf(100)
    expect(await other.entries.readEntry(key)).toBeDefined()
    await store.purges.purge({ host: 'example.com' })
    expect(await other.entries.readEntry(key)).toBeUndefined()
  })

  it('keeps an entry in the index whose life was extended', async () => {
    const entry = { ...createEntry('page'), expiresAt: Date.now() + 200, subjects: [PAGE] }
    await store.entries.writeEntry('page', entry)
    await other.entries.extendEntry('page', { ...entry, expiresAt: Date.now() + DAY })
    const scores = async () => {
      const [set = ''] = await inspector.keys(`page-preview:index:subject:${PAGE}`)
      return inspector.zrange(set, 0, '-1', 'WITHSCORES')
    }
    expect(Number((await scores())[1])).toBeGreaterThan(Date.now() + DAY / 2)
    expect(await other.purges.purge({ host: 'example.com' })).toEqual({ entries: 1, images: 0 })
  })

  it.each(['replaced', 'deleted'])('has no copy of an entry that is %s while its life is extended', async (change) => {
    const entry = createEntry('old')
    await store.entries.writeEntry('page', entry)
    await other.entries.readEntry('page')
    const replacing = vi.spyOn(Redis.prototype, 'eval').mockImplementationOnce(async function (
      this: Redis,
      ...args: (string | Buffer | number)[]
    ) {
      if (change === 'replaced') await store.entries.writeEntry('page', createEntry('new'))
      else await inspector.flushall()
      return this.call('eval', ...args)
    })
    onTestFinished(() => replacing.mockRestore())
    await other.entries.extendEntry('page', { ...entry, expiresAt: entry.createdAt + 3 * DAY })
    expect(replacing).toHaveBeenCalled()
    await redis.kill()
    try {
      expect(await other.entries.readEntry('page')).toBeUndefined()
    } finally {
      await redis.restart()
    }
  })

  it('waits for the purges of others, instead of asking for them', async () => {
    await vi.waitFor(async () => {
      const clients = String(await inspector.client('LIST')).split('\n')
      // Both stores.
      expect(clients.filter((client) => client.includes('cmd=xread'))).toHaveLength(2)
    })
    const purged = new Promise((resolve) => other.purges.onPurge(resolve))
    await store.purges.purge({ host: 'a.example' })
    expect(await purged).toEqual([{ host: 'a.example' }])
  })

  it('notices a purge that was logged again after Redis has lost everything', async () => {
    await store.purges.purge({ host: 'a.example' })
    await inspector.flushall()
    const purged = new Promise((resolve) => other.purges.onPurge((purges) => 'host' in purges[0]! && resolve(purges)))
    await vi.waitFor(() => expect(other.purges.lastPurge()).toBeGreaterThan(0))
    await store.purges.purge({ host: 'b.example' })
    await vi.waitFor(async () => expect(await purged).toBeDefined())
  })

  it('finds what is purged without looking at other pages', async () => {
    const write = (key: string, url: string) =>
      store.entries.writeEntry(key, { ...createEntry(key), subjects: [subjectOfUrl(url)] })
    for (let page = 0; page < 200; page++) await write(`other ${page}`, `https://other.example/${page}`)
    await write('page', 'https://a.example/')
    await inspector.config('RESETSTAT')
    expect(await other.purges.purge({ page: subjectOfUrl('https://a.example/') })).toEqual({ entries: 1, images: 0 })
    const [, commands] = /total_commands_processed:(\d+)/.exec(await inspector.info('stats'))!
    expect(Number(commands)).toBeLessThan(60)
    expect(await other.entries.readEntry('page')).toBeUndefined()
    expect(await other.entries.readEntry('other 7')).toBeDefined()
  })

  describe('has a lock per key that', () => {
    /** Starts work with the lock, which ends when `finish` is called. */
    function startWork(store: Store, options = { signal }) {
      let hasStarted = false
      let finish = () => {}
      const finished = new Promise<void>((resolve) => (finish = resolve))
      const done = store.locks.withLock('page', () => ((hasStarted = true), finished), options)
      return { done, finish: () => finish(), hasStarted: () => hasStarted }
    }
    const lockKey = async () => (await inspector.keys('page-preview:lock:*'))[0]!

    it('passes to the next instance when the work is done or has failed', async () => {
      const first = startWork(store)
      await expect.poll(first.hasStarted).toBe(true)
      const second = startWork(other)
      await other.locks.withLock('another page', async () => undefined, { signal })
      expect(second.hasStarted()).toBe(false)
      first.finish()
      await expect.poll(second.hasStarted).toBe(true)
      second.finish()
      await Promise.all([first.done, second.done])
      await expect(store.locks.withLock('page', () => Promise.reject(new Error('failed')), { signal })).rejects.toThrow(
        'failed',
      )
      await other.locks.withLock('page', async () => undefined, { signal })
    })

    it('a waiting instance can give up by its signal', async () => {
      const first = startWork(store)
      await expect.poll(first.hasStarted).toBe(true)
      const controller = new AbortController()
      const second = startWork(other, { signal: controller.signal })
      controller.abort(new Error('aborted'))
      await expect(second.done).rejects.toThrow('aborted')
      expect(second.hasStarted()).toBe(false)
      first.finish()
      await first.done
    })

    it('is extended while the work runs', async () => {
      vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
      const first = startWork(store)
      await vi.waitFor(() => expect(first.hasStarted()).toBe(true))
      const key = await lockKey()
      await inspector.pexpire(key, 500)
      vi.advanceTimersByTime(2_000)
      await vi.waitFor(async () => expect(await inspector.pttl(key)).toBeGreaterThan(1_000))
      first.finish()
      await first.done
      expect(await inspector.exists(key)).toBe(0)
    })

    it('expires after a crash, and is not released by an instance that has lost it', async () => {
      const crashed = startWork(store)
      await expect.poll(crashed.hasStarted).toBe(true)
      await inspector.pexpire(await lockKey(), 10)
      const second = startWork(other)
      await expect.poll(second.hasStarted).toBe(true)
      crashed.finish()
      await crashed.done
      expect(await inspector.exists(await lockKey())).toBe(1)
      second.finish()
      await second.done
    })
  })

  describe.each(['killed', 'unresponsive'] as const)('whose Redis is %s', (how) => {
    const stop = async () => (how === 'killed' ? redis.kill() : redis.pause())
    const restart = async () => (how === 'killed' ? redis.restart() : redis.resume())

    it('goes on alone without long waits, and reports it', async () => {
      await store.entries.writeEntry('page', createEntry('cached'))
      await store.counters.countRequest(CLIENT, TODAY)
      await store.apiKeys.writeKey({ id: 'k', name: 'n', verificationHash: 'h', createdAt: 1 })
      await stop()
      const startedAt = performance.now()
      try {
        expect((await store.entries.readEntry('page'))?.body).toBe('cached')
        expect(await store.entries.readEntry('unknown')).toBeUndefined()
        await store.entries.writeEntry('new', createEntry('written alone'))
        expect((await store.entries.readEntry('new'))?.body).toBe('written alone')
        expect(await store.counters.countRequest(CLIENT, TODAY)).toBe(2)
        expect(await store.counters.countRequest(CLIENT, TODAY)).toBe(3)
        expect(await store.counters.readCount(CLIENT, TODAY)).toBe(3)
        expect(await store.locks.withLock('page', async () => 'worked', { signal })).toBe('worked')
        expect(await isBusy(store.apiKeys.readKey('k'))).toBe(true)
        expect(await isBusy(store.apiKeys.writeKey({ id: 'k', name: 'n', verificationHash: 'h', createdAt: 1 }))).toBe(
          true,
        )
        expect(store.health.dependencies()).toEqual({ redis: 'unreachable' })
        expect(await store.health.isReady()).toBe(true)
        expect(performance.now() - startedAt).toBeLessThan(2_500)
        await expect.poll(() => events).toContain('redis-unreachable')
      } finally {
        await restart()
      }
      await expect.poll(() => store.health.dependencies(), { timeout: 5_000 }).toEqual({ redis: 'ok' })
      expect(events).toContain('redis-recovered')
      // What was counted meanwhile is added; what was in Redis before is lost with a crash.
      await expect.poll(() => inspector.get(`page-preview:count:${TODAY}:${CLIENT}`)).toBe(how === 'killed' ? '2' : '3')
    })
  })

  it('deletes an entry whose image is lost, also while Redis is unreachable', async () => {
    const image = await store.images.writeImage(Buffer.from('image bytes'), 'png')
    await store.entries.writeEntry('page', { ...createEntry('page'), images: [image] })
    await redis.kill()
    expect(await store.entries.readEntry('page')).toBeDefined()
    rmSync(join(dataDir, 'images', image.slice(0, 2), image))
    expect(await store.images.readImage(image)).toBeUndefined()
    expect(await store.entries.readEntry('page')).toBeUndefined()
    await redis.restart()
  })

  it('fails to open keys without Redis, with a message that names it', async () => {
    const url = 'redis://somebody:se%20cret@127.0.0.1:1/2'
    await expect(openApiKeys(url, { option: '--redis', redisPrefix: 'page-preview' })).rejects.toThrow(
      /^Redis at redis:\/\/127\.0\.0\.1:1\/2 cannot be used \(connect ECONNREFUSED 127\.0\.0\.1:1\)\. .+--redis\.$/,
    )
  })

  it('reports a rejected login without the password', async () => {
    await inspector.config('SET', 'requirepass', 'right')
    try {
      const opening = open(url.replace('//', '//:wrong@'))
      await expect(opening).rejects.toThrow(/^Redis at redis:\/\/127\.0\.0\.1:\d+\/\d+ cannot be used \(WRONGPASS/)
      await expect(opening).rejects.not.toThrow('wrong@')
      const authenticated = await open(url.replace('//', '//:right@'))
      await authenticated.close()
    } finally {
      await inspector.config('SET', 'requirepass', '')
    }
  })
})
