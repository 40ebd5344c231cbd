import { Redis } from 'ioredis'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { isPageError } from '../../../../src/query/index.js'
import { openStore, type CacheEntry, type Store, type StoreEvent } from '../../../../src/server/store/index.js'
import { hasRedis, startRedis, type TestRedis } from '../../../shared/start-redis.js'
import { temporaryDir } from '../temporary-dir.js'

const DAY = 86_400_000
const CLIENT = '192.0.2.1'
const TODAY = '2026-01-01'
const signal = new AbortController().signal

const answer = (body: unknown): CacheEntry => ({ createdAt: Date.now(), expiresAt: Date.now() + DAY, images: [], body })
const busy = async (asking: Promise<unknown>) => {
  const error = await asking.then(
    () => undefined,
    (error: unknown) => error,
  )
  return isPageError(error) && error.code === 'EBUSY'
}

describe.skipIf(!hasRedis)('a store in Redis', () => {
  let redis: TestRedis
  let url: string
  let look: Redis
  let news: StoreEvent['event'][]
  let dataDir: string
  let store: Store
  let other: Store

  beforeAll(async () => {
    redis = await startRedis()
  })
  afterAll(() => redis.close())
  beforeEach(async () => {
    url = redis.freshUrl()
    look = new Redis(url, { retryStrategy: () => 20 }).on('error', () => undefined)
    news = []
    dataDir = await temporaryDir()
    store = await open(url, dataDir)
    other = await open()
  })
  afterEach(async () => {
    vi.useRealTimers()
    look.disconnect()
    await Promise.all([store.close(), other.close()])
  })

  const open = async (address = url, folder?: string) =>
    openStore({
      dataDir: folder ?? (await temporaryDir()),
      redis: address,
      s3: undefined,
      maxBytes: 10_000_000,
      clock: Date.now,
      onEvent: ({ event }) => news.push(event),
      onError: (error) => {
        throw error
      },
    })

  it('shares answers, counts and keys with every other on the same Redis', async () => {
    await store.writeEntry('page', answer('made there'))
    expect((await other.readEntry('page'))?.body).toBe('made there')
    const sums = await Promise.all(
      Array.from({ length: 20 }, (_, index) => (index % 2 ? store : other).countRequest(CLIENT, TODAY)),
    )
    expect(sums.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, index) => index + 1))
    await store.writeKey({ id: 'k', name: 'n', secretHash: 'h', createdAt: 1 })
    await other.writeKey({ ...(await other.readKey('k'))!, revokedAt: 2 })
    expect(await store.readKey('k')).toMatchObject({ revokedAt: 2 })
  })

  it('lets every row but the keys expire', async () => {
    const image = await store.writeImage(Buffer.from('a picture'), 'png')
    await store.writeEntry('page', { ...answer('page'), images: [image] })
    await store.countRequest(CLIENT, TODAY)
    await store.writeKey({ id: 'k', name: 'n', secretHash: 'h', createdAt: 1 })
    await store.withLock(
      'page',
      async () => {
        const rows = (await look.keys('*')).filter((row) => row !== 'page-preview:keys')
        expect(new Set(rows.map((row) => row.split(':')[1]))).toEqual(
          new Set(['entry', 'count', 'references', 'lock', 'ready']),
        )
        for (const row of rows) expect(await look.pttl(row), row).toBeGreaterThan(0)
      },
      { signal },
    )
  })

  describe('lets one at a time work for a key', () => {
    /** Work that says when it has begun, and ends when it is told to. */
    function piece(of: Store, options = { signal }) {
      let hasBegun = false
      let finish = () => {}
      const end = new Promise<void>((resolve) => (finish = resolve))
      const done = of.withLock('page', () => ((hasBegun = true), end), options)
      return { done, finish: () => finish(), hasBegun: () => hasBegun }
    }
    const lockRow = async () => (await look.keys('page-preview:lock:*'))[0]!

    it('and the next as soon as that is done, also when it failed', async () => {
      const first = piece(store)
      await expect.poll(first.hasBegun).toBe(true)
      const second = piece(other)
      await other.withLock('another page', async () => undefined, { signal })
      expect(second.hasBegun()).toBe(false)
      first.finish()
      await expect.poll(second.hasBegun).toBe(true)
      second.finish()
      await Promise.all([first.done, second.done])
      await expect(store.withLock('page', () => Promise.reject(new Error('made')), { signal })).rejects.toThrow('made')
      await other.withLock('page', async () => undefined, { signal })
    })

    it('while the others wait no longer than they want', async () => {
      const first = piece(store)
      await expect.poll(first.hasBegun).toBe(true)
      const leaving = new AbortController()
      const second = piece(other, { signal: leaving.signal })
      leaving.abort(new Error('gone'))
      await expect(second.done).rejects.toThrow('gone')
      expect(second.hasBegun()).toBe(false)
      first.finish()
      await first.done
    })

    it('for as long as it lives', async () => {
      vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
      const first = piece(store)
      await vi.waitFor(() => expect(first.hasBegun()).toBe(true))
      const row = await lockRow()
      await look.pexpire(row, 1_000)
      vi.advanceTimersByTime(2_000)
      await vi.waitFor(async () => expect(await look.pttl(row)).toBeGreaterThan(3_000))
      first.finish()
      await first.done
      expect(await look.exists(row)).toBe(0)
    })

    it('and passes over one that crashed; that one takes nothing away when it comes back', async () => {
      const crashed = piece(store)
      await expect.poll(crashed.hasBegun).toBe(true)
      await look.pexpire(await lockRow(), 10)
      const second = piece(other)
      await expect.poll(second.hasBegun).toBe(true)
      crashed.finish()
      await crashed.done
      expect(await look.exists(await lockRow())).toBe(1)
      second.finish()
      await second.done
    })
  })

  describe.each(['killed', 'silent'] as const)('whose Redis is %s', (how) => {
    const end = async () => (how === 'killed' ? redis.kill() : redis.pause())
    const bringBack = async () => (how === 'killed' ? redis.restart() : redis.resume())

    it('goes on alone, in time, and says so', async () => {
      await store.writeEntry('page', answer('kept'))
      await store.countRequest(CLIENT, TODAY)
      await store.writeKey({ id: 'k', name: 'n', secretHash: 'h', createdAt: 1 })
      await end()
      const startedAt = performance.now()
      try {
        expect((await store.readEntry('page'))?.body).toBe('kept')
        expect(await store.readEntry('unknown')).toBeUndefined()
        await store.writeEntry('new', answer('made alone'))
        expect((await store.readEntry('new'))?.body).toBe('made alone')
        expect(await store.countRequest(CLIENT, TODAY)).toBe(2)
        expect(await store.countRequest(CLIENT, TODAY)).toBe(3)
        expect(await store.readCount(CLIENT, TODAY)).toBe(3)
        expect(await store.withLock('page', async () => 'worked', { signal })).toBe('worked')
        expect(await busy(store.readKey('k'))).toBe(true)
        expect(await busy(store.writeKey({ id: 'k', name: 'n', secretHash: 'h', createdAt: 1 }))).toBe(true)
        expect(await store.isReady()).toBe(false)
        expect(performance.now() - startedAt).toBeLessThan(2_500)
        await expect.poll(() => news).toContain('redis-unreachable')
      } finally {
        await bringBack()
      }
      await expect.poll(() => store.isReady(), { timeout: 5_000 }).toBe(true)
      expect(news).toContain('redis-recovered')
      // What was counted meanwhile counts; a crash took the rest away.
      await expect.poll(() => look.get(`page-preview:count:${TODAY}:${CLIENT}`)).toBe(how === 'killed' ? '2' : '3')
    })
  })

  it('forgets an answer whose image is lost also while its Redis is', async () => {
    const image = await store.writeImage(Buffer.from('a picture'), 'png')
    await store.writeEntry('page', { ...answer('page'), images: [image] })
    await redis.kill()
    expect(await store.readEntry('page')).toBeDefined()
    rmSync(join(dataDir, 'images', image.slice(0, 2), image))
    expect(await store.readImage(image)).toBeUndefined()
    expect(await store.readEntry('page')).toBeUndefined()
    await redis.restart()
  })

  it('does not open without its Redis, and says which', async () => {
    await redis.kill()
    await expect(open('redis://somebody:se%20cret@127.0.0.1:1/2')).rejects.toThrow(
      /^Redis at redis:\/\/127\.0\.0\.1:1\/2 cannot be used \(connect ECONNREFUSED 127\.0\.0\.1:1\); .+--redis\.$/,
    )
    await redis.restart()
  })

  it('says that it is not let in, and no password', async () => {
    await look.config('SET', 'requirepass', 'right')
    try {
      const opening = open(url.replace('//', '//:wrong@'))
      await expect(opening).rejects.toThrow(/^Redis at redis:\/\/127\.0\.0\.1:\d+\/\d+ cannot be used \(WRONGPASS/)
      await expect(opening).rejects.not.toThrow('wrong@')
      const admitted = await open(url.replace('//', '//:right@'))
      await admitted.close()
    } finally {
      await look.config('SET', 'requirepass', '')
    }
  })
})
