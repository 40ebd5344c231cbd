import { createHash } from 'node:crypto'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  openStore,
  subjectOfImage,
  subjectOfUrl,
  type ApiKeyRecord,
  type ImageName,
  type Store,
} from '../../../src/server/store/index.js'
import { slowCases } from '../../shared/slow-cases.js'
import { startBucket, type TestBucket } from '../../shared/start-bucket.js'
import { hasRedis, startRedis, type TestRedis } from '../../shared/start-redis.js'
import { temporaryDir } from './temporary-dir.js'
import { createEntry } from './create-entry.js'

const MINUTE = 60_000

let redis: TestRedis | undefined
let bucket: TestBucket
beforeAll(async () => {
  bucket = await startBucket()
  if (hasRedis) redis = await startRedis()
})
afterAll(async () => {
  await bucket.close()
  await redis?.close()
})

describe.each([
  { name: 'on one machine', redis: false, s3: false },
  ...slowCases(
    { name: 'with a Redis and a bucket', redis: true, s3: true },
    { name: 'with a bucket', redis: false, s3: true },
    { name: 'with a Redis', redis: true, s3: false },
  ),
])('a store $name', (shared) => {
  if (shared.redis && !hasRedis) return it.skip('needs a Redis server, which is not installed')

  let store: Store
  let dataDir: string
  let now: number
  let allowed: string[]
  let open: () => Promise<Store>

  beforeEach(async () => {
    dataDir = await temporaryDir()
    now = Date.UTC(2026, 0, 1)
    allowed = []
    const urls = {
      redis: shared.redis ? redis!.freshUrl() : undefined,
      s3: shared.s3 ? bucket.freshUrl() : undefined,
    }
    const fail = (error: unknown) => {
      throw error
    }
    open = () =>
      openStore({
        dataDir,
        ...urls,
        redisPrefix: 'page-preview',
        maxBytes: 10_000_000,
        clock: () => now,
        isAllowed: (allowance) => allowed.includes(allowance),
        onEvent: fail,
        onError: fail,
      })
    store = await open()
  })
  afterEach(() => store.close())

  async function reopen() {
    await store.close()
    store = await open()
  }

  const writeImage = (letter: string, size = 1_000) => store.images.writeImage(Buffer.alloc(size, letter), 'jpg')
  const isCached = async (key: string) => (await store.entries.readEntry(key)) !== undefined

  describe('finds what is purged', () => {
    const write = (key: string, url: string, images: ImageName[] = []) =>
      store.entries.writeEntry(key, { ...createEntry(now, key, { images }), subjects: [subjectOfUrl(url)] })
    const left = async (...keys: string[]) => {
      const entries = await Promise.all(keys.map((key) => store.entries.readEntry(key)))
      return keys.filter((_, index) => entries[index])
    }

    it.each([
      [{ host: 'a.example' }, ['elsewhere', 'address', 'single']],
      [{ host: 'www.a.example' }, ['bare', 'elsewhere', 'address', 'single']],
      [{ host: 'example' }, ['address', 'single']],
      [{ host: '192.0.2.7' }, ['bare', 'www', 'elsewhere', 'single']],
      [{ host: 'intranet' }, ['bare', 'www', 'elsewhere', 'address']],
      [{ all: true as const }, []],
    ])('by %j', async (purge, expected) => {
      await write('bare', 'https://a.example/')
      await write('www', 'http://www.a.example:8080/x')
      await write('elsewhere', 'https://nota.example/')
      await write('address', 'http://192.0.2.7/')
      await write('single', 'http://intranet/')
      await store.purges.purge(purge)
      expect(await left('bare', 'www', 'elsewhere', 'address', 'single')).toEqual(expected)
    })

    it('among the images of replaced entries too, once', async () => {
      const images = [await writeImage('a'), await writeImage('b')]
      await write('page', 'https://a.example/', images.slice(0, 1))
      await write('page', 'https://a.example/', images.slice(1))
      const page = subjectOfUrl('https://a.example/')
      expect(await store.purges.purge({ page })).toEqual({ entries: 1, images: 2 })
      expect(await store.purges.purge({ page })).toEqual({ entries: 0, images: 0 })
    })

    it('and never what was captured since, although its image has the same bytes', async () => {
      const capture = async (key: string, url: string) =>
        store.entries.writeEntry(key, {
          ...createEntry(now, key, { images: [await writeImage('a')] }),
          subjects: [subjectOfUrl(url)],
          lastPurge: store.purges.lastPurge(),
        })
      await capture('page', 'https://a.example/')
      await capture('twin', 'https://b.example/')
      await store.purges.purge({ host: 'a.example' })
      await capture('page', 'https://a.example/')
      for (let start = 0; start < 2; start++) {
        await reopen()
        await store.purges.purge({ host: 'unrelated.example' })
        expect(await left('page')).toEqual(['page'])
        const [image] = (await store.entries.readEntry('page'))!.images
        expect(await store.images.readImage(image!)).toHaveLength(1_000)
      }
      await store.purges.purge({ host: 'a.example' })
      expect(await left('page')).toEqual([])
    })

    it('and the variants of an image with it, but those of what was captured since stay', async () => {
      const capture = async (): Promise<void> => {
        const original = await writeImage('a')
        const lastPurge = store.purges.lastPurge()
        const page = {
          ...createEntry(now, 'page', { images: [original] }),
          subjects: [subjectOfUrl('https://a.example/')],
        }
        await store.entries.writeEntry('page', { ...page, lastPurge })
        const variant = { ...createEntry(now, 'variant', { images: [await writeImage('b')] }) }
        await store.entries.writeEntry('variant', { ...variant, subjects: [subjectOfImage(original)], lastPurge })
      }
      await capture()
      expect(await store.purges.purge({ host: 'a.example' })).toEqual({ entries: 2, images: 2 })
      expect(await left('page', 'variant')).toEqual([])
      await capture()
      await reopen()
      await store.purges.purge({ host: 'unrelated.example' })
      expect(await left('page', 'variant')).toEqual(['page', 'variant'])
    })
  })

  describe('has cache entries that', () => {
    it('are read as they were written, also after a restart', async () => {
      const body = { title: 'Ä 🙂', none: null, nested: { list: [1, 2.5, true] }, bytes: Uint8Array.of(1, 2, 3) }
      const images = [await writeImage('a')]
      const written = createEntry(now, body, { images })
      await store.entries.writeEntry('https://example.com/', written)
      expect(await store.entries.readEntry('https://example.com/')).toMatchObject({
        ...written,
        body: { title: 'Ä 🙂' },
      })
      await reopen()
      const read = await store.entries.readEntry<typeof body>('https://example.com/')
      expect(read).toMatchObject({ createdAt: written.createdAt, expiresAt: written.expiresAt, images })
      expect(Object.keys(read!)).toEqual(['createdAt', 'expiresAt', 'images', 'body'])
      expect({ ...read!.body, bytes: Uint8Array.from(read!.body.bytes) }).toEqual(body)
    })

    it('may have keys of any length and characters', async () => {
      const long = `https://example.com/?${'x'.repeat(9_000)}`
      const keys = ['', 'a', 'a\0b', long, `${long}y`]
      for (const key of keys) await store.entries.writeEntry(key, createEntry(now, key))
      for (const key of keys) expect((await store.entries.readEntry(key))?.body).toBe(key)
    })

    it('are not returned once they have expired', async () => {
      await store.entries.writeEntry('page', createEntry(now, 'old', { ttlMs: MINUTE }))
      now += MINUTE - 1
      expect(await isCached('page')).toBe(true)
      now += 1
      expect(await isCached('page')).toBe(false)
    })

    it('are not returned while a target that they needed is not allowed', async () => {
      await store.entries.writeEntry('page', { ...createEntry(now, 'page'), allowances: ['a.test:80', 'b.test:80'] })
      expect(await isCached('page')).toBe(false)
      allowed = ['a.test:80']
      expect(await isCached('page')).toBe(false)
      allowed = ['a.test:80', 'b.test:80']
      expect(await isCached('page')).toBe(true)
    })

    it('are replaced by a later write', async () => {
      await store.entries.writeEntry('page', createEntry(now, 'old'))
      await store.entries.writeEntry('page', createEntry(now, 'new'))
      expect((await store.entries.readEntry('page'))?.body).toBe('new')
    })

    it('cannot name an image that is not stored; the previous entry stays then', async () => {
      await store.entries.writeEntry('page', createEntry(now, 'old'))
      const unknown: ImageName = `${'0'.repeat(64)}.jpg`
      await expect(store.entries.writeEntry('page', createEntry(now, 'new', { images: [unknown] }))).rejects.toThrow(
        'is not stored',
      )
      expect((await store.entries.readEntry('page'))?.body).toBe('old')
    })
  })

  describe('has images that', () => {
    it('are named by the SHA-256 of their bytes', async () => {
      const bytes = Buffer.from('image bytes')
      const name = await store.images.writeImage(bytes, 'png')
      expect(name).toBe(`${createHash('sha256').update(bytes).digest('hex')}.png`)
      await reopen()
      expect(Buffer.from((await store.images.readImage(name))!)).toEqual(bytes)
    })

    it('are stored once for the same bytes', async () => {
      const names = await Promise.all(Array.from({ length: 8 }, () => writeImage('a')))
      expect(new Set(names).size).toBe(1)
      expect(await store.images.readImage(names[0]!)).toHaveLength(1_000)
    })

    it.each([
      '../../etc/passwd',
      `../${'a'.repeat(64)}.jpg`,
      `${'a'.repeat(64)}.jpg/..`,
      `${'A'.repeat(64)}.jpg`,
      `${'a'.repeat(64)}.jpg`,
      '',
      'a.jpg',
    ])('are not found under the name %j', async (name) => {
      expect(await store.images.readImage(name as ImageName)).toBeUndefined()
    })

    it.each(['', 'JPG', '../x', 'jp/g', 'averylongtype'])('cannot have the type %j', async (type) => {
      await expect(store.images.writeImage(Buffer.from('x'), type)).rejects.toThrow(TypeError)
    })

    it('when lost, turn the entries that name them into misses once they are read', async () => {
      const [lost, intact] = [await writeImage('a'), await writeImage('b')]
      await store.entries.writeEntry('page', createEntry(now, 'page', { images: [lost, intact] }))
      await store.entries.writeEntry('other', createEntry(now, 'other', { images: [intact] }))
      rmSync(join(dataDir, 'images', lost.slice(0, 2), lost))
      if (shared.s3) await bucket.deleteEverywhere(lost)
      expect(await store.images.readImage(lost)).toBeUndefined()
      expect(await isCached('page')).toBe(false)
      expect(await isCached('other')).toBe(true)
      expect(await store.images.readImage(intact)).toBeDefined()
    })
  })

  it('counts requests per client and day, across restarts', async () => {
    expect(await store.counters.readCount('192.0.2.1', '2026-01-01')).toBe(0)
    const sums = await Promise.all(
      Array.from({ length: 20 }, () => store.counters.countRequest('192.0.2.1', '2026-01-01')),
    )
    expect(sums.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, index) => index + 1))
    expect(await store.counters.countRequest('2001:db8::/64', '2026-01-01')).toBe(1)
    await reopen()
    expect(await store.counters.readCount('192.0.2.1', '2026-01-01')).toBe(20)
  })

  it('reads keys by id and lists them oldest first', async () => {
    const recent = { id: 'recent', name: 'Y', verificationHash: 'b', createdAt: 2 }
    const old = { id: 'old', name: 'O', verificationHash: 'a', createdAt: 1, revokedAt: 3 }
    await store.apiKeys.writeKey(recent)
    await store.apiKeys.writeKey(old)
    expect(await store.apiKeys.readKey('old')).toEqual(old)
    expect(await store.apiKeys.readKey('x'.repeat(5_000))).toBeUndefined()
    await reopen()
    expect(await store.apiKeys.listKeys()).toEqual([old, recent])
  })

  it.each(['a limit', 'an import'])('does not undo a revocation by a change to %s at the same time', async (change) => {
    const record: ApiKeyRecord = { id: 'a', name: 'A', verificationHash: 'h', createdAt: 1 }
    await store.apiKeys.writeKey(record)
    const others = change === 'a limit' ? { dailyLimit: 5 } : { name: 'Imported' }
    const changes = Array.from({ length: 5 }, () =>
      store.apiKeys.changeKey('a', (stored) => stored && { ...stored, ...others }),
    )
    const revoke = store.apiKeys.changeKey('a', (stored) => stored && { ...stored, revokedAt: 2 })
    const more = Array.from({ length: 5 }, () =>
      store.apiKeys.changeKey('a', (stored) => stored && { ...stored, ...others }),
    )
    await Promise.all([...changes, revoke, ...more])
    expect(await store.apiKeys.readKey('a')).toEqual({ ...record, ...others, revokedAt: 2 })
  })

  it('changes no key that does not exist, and adds one that is returned', async () => {
    const record: ApiKeyRecord = { id: 'a', name: 'A', verificationHash: 'h', createdAt: 1 }
    expect(await store.apiKeys.changeKey('a', (stored) => stored && { ...stored, name: 'B' })).toBeUndefined()
    expect(await store.apiKeys.readKey('a')).toBeUndefined()
    expect(await store.apiKeys.changeKey('a', (stored) => stored ?? record)).toEqual(record)
    expect(await store.apiKeys.readKey('a')).toEqual(record)
  })

  it('is ready until it is closed', async () => {
    expect(await store.health.isReady()).toBe(true)
    await store.close()
    expect(await store.health.isReady()).toBe(false)
  })

  it('completes running writes before it closes, and can be closed twice', async () => {
    const writing = writeImage('a', 500_000)
    await Promise.all([store.close(), store.close()])
    const name = await writing
    store = await open()
    expect(await store.images.readImage(name)).toHaveLength(500_000)
  })

  it('rejects every call after it is closed', async () => {
    await store.close()
    const { signal } = new AbortController()
    await expect(store.entries.readEntry('page')).rejects.toThrow('is closed')
    await expect(store.entries.writeEntry('page', createEntry(now, 'page'))).rejects.toThrow('is closed')
    await expect(writeImage('a')).rejects.toThrow('is closed')
    await expect(store.images.readImage(`${'0'.repeat(64)}.jpg`)).rejects.toThrow('is closed')
    await expect(store.counters.countRequest('192.0.2.1', '2026-01-01')).rejects.toThrow('is closed')
    await expect(store.apiKeys.listKeys()).rejects.toThrow('is closed')
    await expect(store.locks.withLock('page', async () => {}, { signal })).rejects.toThrow('is closed')
  })
})
