// Covers what a store does with cache entries that it cannot read; both stores decode them with `cache-entry.ts`.
import SQLite from 'better-sqlite3'
import { Redis } from 'ioredis'
import { pack } from 'msgpackr'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { dataFiles, digest, openStore, type CacheEntry } from '../../../src/server/store/index.js'
import { openLocalStore } from '../../../src/server/store/local/open-local-store.js'
import { isSlowRun } from '../../shared/slow-cases.js'
import { hasRedis, startRedis, type TestRedis } from '../../shared/start-redis.js'
import { findLeftovers, noLeftovers } from './local/find-leftovers.js'
import { temporaryDir } from './temporary-dir.js'

const createEntry = (body: unknown): CacheEntry => ({
  createdAt: Date.now(),
  expiresAt: Date.now() + 86_400_000,
  images: [],
  body,
})

/** From the bytes of an intact entry. */
const damages: Record<string, (intact: Buffer) => Buffer> = {
  'is empty': () => Buffer.alloc(0),
  'is garbage': () => Buffer.from('this is no entry'),
  'is cut in half': (intact) => intact.subarray(0, intact.length / 2),
  'lacks its last byte': (intact) => intact.subarray(0, -1),
  'has a flipped bit in its body': (intact) => flipBit(intact, intact.length - 8),
  'has a flipped bit at its start': (intact) => flipBit(intact, 0),
  'has no schema version': () => pack(createEntry('new')),
  'is null': () => pack(null),
  'is a number': () => Buffer.from([7]),
}
const PLAIN = ['is garbage', 'has a flipped bit in its body', 'has no schema version']
const cases = Object.entries(damages).filter(([name]) => isSlowRun || PLAIN.includes(name))

const flipBit = (bytes: Buffer, offset: number) => {
  const flipped = Buffer.from(bytes)
  flipped[offset]! ^= 1
  return flipped
}

describe.each(cases)('an entry that %s', (_, damage) => {
  it('is a miss in a local store, and is overwritten and evicted like others', async () => {
    const dataDir = await temporaryDir()
    const options = { dataDir, maxBytes: 10_000_000, reserveBytes: 0 }
    const store = await openLocalStore(options)
    const image = await store.images.writeImage(Buffer.from('image'), 'png')
    for (const key of ['page', 'other'])
      await store.entries.writeEntry(key, { ...createEntry('intact body'), images: [image] })
    await store.close()
    replaceRows(dataDir, damage)

    const reopened = await openLocalStore(options)
    expect(await reopened.entries.readEntry('page')).toBeUndefined()
    await reopened.entries.writeEntry('page', createEntry('new'))
    expect(await reopened.entries.readEntry('page')).toMatchObject({ body: 'new' })
    await reopened.close()
    expect(await findLeftovers(dataDir)).toEqual(noLeftovers)
  })
})

function replaceRows(dataDir: string, damage: (intact: Buffer) => Buffer) {
  const cache = new SQLite(dataFiles(dataDir).database)
  for (const id of ['page', 'other'].map(digest)) {
    const intact = cache.prepare<[string], Buffer>('SELECT packed FROM entry WHERE id = ?').pluck().get(id)!
    cache.prepare('UPDATE entry SET packed = ? WHERE id = ?').run(damage(intact), id)
  }
  cache.close()
}

describe.skipIf(!hasRedis)('in Redis', () => {
  let redis: TestRedis
  beforeAll(async () => {
    redis = await startRedis()
  })
  afterAll(() => redis.close())

  it.each(cases)('an entry that %s is a miss, and is overwritten', async (_, damage) => {
    const url = redis.freshUrl()
    const inspector = new Redis(url)
    const errors: unknown[] = []
    const store = await openStore({
      dataDir: await temporaryDir(),
      redis: url,
      redisPrefix: 'page-preview',
      s3: undefined,
      maxBytes: 10_000_000,
      clock: Date.now,
      onEvent: () => undefined,
      onError: (error) => errors.push(error),
    })
    onTestFinished(async () => {
      inspector.disconnect()
      await store.close()
    })
    await store.entries.writeEntry('page', createEntry('intact body'))
    const id = `page-preview:entry:${digest('page')}`
    await inspector.set(id, damage((await inspector.getBuffer(id))!))
    expect(await store.entries.readEntry('page')).toBeUndefined()
    await store.entries.writeEntry('page', createEntry('new'))
    expect(await store.entries.readEntry('page')).toMatchObject({ body: 'new' })
    await inspector.del(id)
    await inspector.rpush(id, 'a list')
    // Redis rejects the command, so the copy in memory serves.
    expect(await store.entries.readEntry('page')).toMatchObject({ body: 'new' })
    await store.entries.writeEntry('page', createEntry('newer'))
    expect(await inspector.type(id)).toBe('string')
  })
})
