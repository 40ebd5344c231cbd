import { createHash } from 'node:crypto'
import { readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { openLocalStore } from '../../../../src/server/store/local/open-local-store.js'
import type { ImageName } from '../../../../src/server/store/index.js'
import type { LocalStore } from '../../../../src/server/store/store-parts.js'
import { listImageFiles, findLeftovers, noLeftovers } from './find-leftovers.js'
import { createEntry } from '../create-entry.js'
import { temporaryDir } from '../temporary-dir.js'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE

let dataDir: string
let now: number
let store: LocalStore

beforeEach(async () => {
  dataDir = await temporaryDir()
  now = Date.UTC(2026, 0, 1)
  store = await openStore()
})
afterEach(() => store.close())

const openStore = (options: { maxBytes?: number; reserveBytes?: number } = {}) =>
  openLocalStore({ dataDir, maxBytes: 10_000_000, reserveBytes: 0, clock: () => now, ...options })

async function reopen(options: Parameters<typeof openStore>[0] = {}) {
  await store.close()
  store = await openStore(options)
}

const writeImage = (letter: string, size = 1_000, owner?: string) =>
  store.images.writeImage(Buffer.alloc(size, letter), 'jpg', owner)
const isCached = async (key: string) => (await store.entries.readEntry(key)) !== undefined

/** Writes entries one second apart, each with an image of 100 kB. */
const fill = (...keys: string[]) => fillAs(undefined, ...keys)

async function fillAs(owner: string | undefined, ...keys: string[]) {
  for (const key of keys) {
    now += 1_000
    const images = [await writeImage(key, 100_000, owner)]
    await store.entries.writeEntry(key, { ...createEntry(now, key, { images }), owner })
  }
}
/** Those of the keys whose entry was not evicted. */
const cachedOf = async (...keys: string[]) => {
  const cached = []
  for (const key of keys) if (await isCached(key)) cached.push(key)
  return cached
}

const pathOf = (name: ImageName) => join(dataDir, 'images', name.slice(0, 2), name)

async function writePageWithTwoImages() {
  const images = [await writeImage('a'), await writeImage('b')]
  await store.entries.writeEntry('page', createEntry(now, 'page', { images }))
  await store.entries.writeEntry('other', createEntry(now, 'other', { images: [images[1]!] }))
  return images as [ImageName, ImageName]
}

it('extends the life of an entry and its images, unless the entry was replaced since', async () => {
  const image = await writeImage('a')
  const entry = createEntry(now, 'page', { images: [image] })
  await store.entries.writeEntry('page', entry)
  await store.entries.extendEntry('page', { ...entry, createdAt: entry.createdAt - 1, expiresAt: now + 9 * DAY })
  expect((await store.entries.readEntry('page'))?.expiresAt).toBe(now + DAY)
  await store.entries.extendEntry('page', { ...entry, expiresAt: now + 3 * DAY })
  await store.entries.extendEntry('page', { ...entry, expiresAt: now + 2 * DAY })
  now += 2.5 * DAY
  await reopen()
  expect(await isCached('page')).toBe(true)
  expect(await store.images.readImage(image)).toHaveLength(1_000)
  now += DAY
  expect(await isCached('page')).toBe(false)
})

describe('images', () => {
  it('are files named by the SHA-256 of their bytes', async () => {
    const bytes = Buffer.from('image bytes')
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    const name = await store.images.writeImage(bytes, 'png')
    expect(name).toBe(`${sha256}.png`)
    expect(Buffer.from((await store.images.readImage(name))!)).toEqual(bytes)
    expect(statSync(join(dataDir, 'images', sha256.slice(0, 2), name)).size).toBe(bytes.length)
  })

  it('are written once for the same bytes', async () => {
    const names = await Promise.all(Array.from({ length: 8 }, () => writeImage('a')))
    const path = join(dataDir, 'images', names[0]!.slice(0, 2), names[0]!)
    utimesSync(path, 1, 1)
    await writeImage('a')
    expect(new Set(names).size).toBe(1)
    expect(await listImageFiles(dataDir)).toEqual([names[0]])
    expect(statSync(path).mtimeMs).toBe(1_000)
    expect(readdirSync(join(dataDir, 'images', 'unfinished'))).toEqual([])
  })

  it('are removed after ten minutes if no entry names them', async () => {
    const named = await writeImage('a')
    const unnamed = await writeImage('b')
    await store.entries.writeEntry('page', createEntry(now, 'page', { images: [named] }))
    now += 10 * MINUTE - 1
    await reopen()
    expect(await listImageFiles(dataDir)).toEqual([named, unnamed].toSorted())
    now += 1
    await reopen()
    expect(await listImageFiles(dataDir)).toEqual([named])
  })

  it('stay until the replaced entry that names them would have expired', async () => {
    const before = await writeImage('a')
    await store.entries.writeEntry('page', createEntry(now, 'old', { images: [before], ttlMs: DAY }))
    const after = await writeImage('b')
    await store.entries.writeEntry('page', createEntry(now, 'new', { images: [after], ttlMs: 2 * DAY }))
    now += DAY - 1
    await reopen()
    expect(await store.images.readImage(before)).toBeDefined()
    now += 1
    await reopen()
    expect(await listImageFiles(dataDir)).toEqual([after])
  })

  it('stay as long as the last of the entries that name them', async () => {
    const shared = await writeImage('a')
    await store.entries.writeEntry('short', createEntry(now, 'short', { images: [shared], ttlMs: MINUTE }))
    await store.entries.writeEntry('long', createEntry(now, 'long', { images: [shared], ttlMs: DAY }))
    now += MINUTE
    await reopen()
    expect(await store.images.readImage(shared)).toBeDefined()
    now += DAY
    await reopen()
    expect(await listImageFiles(dataDir)).toEqual([])
  })
})

describe('the size limit', () => {
  /** Room for three of the entries that `fill` writes, not for four. */
  const maxBytes = 350_000

  it('evicts the least recently used entry with its image', async () => {
    await reopen({ maxBytes })
    await fill('a', 'b', 'c', 'd')
    expect(await cachedOf('a', 'b', 'c', 'd')).toEqual(['b', 'c', 'd'])
    expect(await listImageFiles(dataDir)).toHaveLength(3)
  })

  it('counts a read as an access, also one before a restart', async () => {
    await reopen({ maxBytes })
    await fill('a', 'b', 'c')
    now += 1_000
    await store.entries.readEntry('a')
    await fill('d')
    expect(await cachedOf('a', 'b', 'c', 'd')).toEqual(['a', 'c', 'd'])
    now += 1_000
    await store.entries.readEntry('c')
    now += 1_000
    await store.entries.readEntry('a')
    await reopen({ maxBytes })
    await fill('e', 'f')
    expect(await cachedOf('a', 'c', 'd', 'e', 'f')).toEqual(['a', 'e', 'f'])
  })

  it('does not evict an image that another entry names', async () => {
    await reopen({ maxBytes })
    await fill('a')
    const shared = (await store.entries.readEntry('a'))!.images[0]!
    await fill('b')
    await store.entries.writeEntry('also a', createEntry(now, 'also a', { images: [shared] }))
    await fill('c', 'd')
    expect(await cachedOf('a', 'b', 'c', 'd', 'also a')).toEqual(['c', 'd', 'also a'])
    expect(await store.images.readImage(shared)).toBeDefined()
  })

  it('does not evict an image that was read after its entry', async () => {
    await reopen({ maxBytes })
    await store.entries.writeEntry(
      'large',
      createEntry(now, 'x'.repeat(60_000), { images: [await writeImage('a', 100_000)] }),
    )
    const { images } = (await store.entries.readEntry('large'))!
    await fill('b')
    now += 1_000
    await store.images.readImage(images[0]!)
    await fill('c')
    expect(await cachedOf('large', 'b', 'c')).toEqual(['b', 'c'])
    expect(await store.images.readImage(images[0]!)).toBeDefined()
  })

  it('evicts the older images of replaced entries first', async () => {
    await reopen({ maxBytes })
    await fill('a')
    const before = (await store.entries.readEntry('a'))!.images[0]!
    now += 1_000
    await store.entries.writeEntry('a', createEntry(now, 'new', { images: [await writeImage('A', 100_000)] }))
    await fill('b', 'c')
    expect(await store.images.readImage(before)).toBeUndefined()
    expect(await cachedOf('a', 'b', 'c')).toEqual(['a', 'b', 'c'])
  })

  it('applies at once when the store is opened with a lower limit', async () => {
    await fill('a', 'b', 'c', 'd', 'e')
    await reopen({ maxBytes })
    expect(await cachedOf('a', 'b', 'c', 'd', 'e')).toEqual(['c', 'd', 'e'])
  })

  it('rejects what alone is larger than the limit', async () => {
    await reopen({ maxBytes })
    await fill('a')
    await expect(writeImage('b', maxBytes + 1)).rejects.toThrow(RangeError)
    await expect(store.entries.writeEntry('b', createEntry(now, 'x'.repeat(maxBytes)))).rejects.toThrow(RangeError)
    expect(await cachedOf('a', 'b')).toEqual(['a'])
  })

  it('leaves no bytes, rows or files when it is zero', async () => {
    await fill('a', 'b', 'c')
    await fill('a')
    await writeImage('unnamed')
    await store.close()
    expect(await findLeftovers(dataDir)).toEqual(noLeftovers)
  })
})

describe('the share of a client', () => {
  /** Room for twelve of the entries that `fill` writes; the share is a quarter. */
  const maxBytes = 1_250_000
  const KEYS = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k', 'l', 'm', 'n', 'o', 'p'] as const

  beforeEach(() => reopen({ maxBytes }))

  it('is used up by its own entries, whose least recently used ones go first', async () => {
    await fill('x', 'y')
    await fillAs('greedy', ...KEYS)
    expect(await cachedOf('x', 'y')).toEqual(['x', 'y'])
    expect(await cachedOf(...KEYS)).toEqual(KEYS.slice(-10))
  })

  it('is the whole store until another client needs room', async () => {
    await fillAs('greedy', ...KEYS.slice(0, 12))
    expect(await store.health.usedBytes()).toBeGreaterThan(maxBytes * 0.9)
    for (const each of [1, 2, 3, 4, 5, 6, 7, 8, 9]) await fillAs(`client ${each}`, String(each))
    expect(await cachedOf('1', '2', '3', '4', '5', '6', '7', '8', '9')).toHaveLength(9)
    expect(await cachedOf(...KEYS)).toEqual(['j', 'k', 'l'])
  })

  it('is not exceeded at the cost of a client that has more', async () => {
    await fillAs('first', ...KEYS.slice(0, 12))
    await fillAs('second', 'q', 'r', 's', 't', 'u', 'v')
    expect(await cachedOf('q', 'r', 's', 't', 'u', 'v')).toEqual(['t', 'u', 'v'])
    expect(await cachedOf(...KEYS)).toEqual(KEYS.slice(3, 12))
  })

  it('includes the images of replaced entries, and images that no entry names', async () => {
    await fill('x', 'y')
    for (const letter of KEYS) {
      now += 1_000
      const images = [await writeImage(letter, 100_000, 'greedy')]
      await store.entries.writeEntry('same', { ...createEntry(now, letter, { images }), owner: 'greedy' })
      await writeImage(letter.toUpperCase(), 100_000, 'greedy')
    }
    expect(await cachedOf('x', 'y', 'same')).toEqual(['x', 'y', 'same'])
  })

  it('does not include what the client only reads, and stays the same when an entry lives longer', async () => {
    await fillAs('first', 'x')
    const images = (await store.entries.readEntry('x'))!.images
    await store.entries.extendEntry('x', { createdAt: now, expiresAt: now + 9 * DAY, images })
    await store.entries.writeEntry('also x', { ...createEntry(now, 'also x', { images }), owner: 'second' })
    expect((await store.entries.readEntry('x'))!.owner).toBe('first')
    await fillAs('second', ...KEYS)
    expect(await cachedOf('x')).toEqual(['x'])
    await store.close()
    expect(await findLeftovers(dataDir)).toEqual(noLeftovers)
  })

  it('is counted on after a restart, and does not prevent an image that is larger', async () => {
    await fill('x', 'y')
    await fillAs('greedy', ...KEYS.slice(0, 8))
    await reopen({ maxBytes })
    await fillAs('greedy', ...KEYS.slice(8))
    expect(await cachedOf('x', 'y')).toEqual(['x', 'y'])
    now += 1_000
    const large = await writeImage('L', 600_000, 'greedy')
    await store.entries.writeEntry('large', { ...createEntry(now, 'large', { images: [large] }), owner: 'greedy' })
    expect(await cachedOf('x', 'y', 'large')).toEqual(['x', 'y', 'large'])
  })
})

describe('maintenance', () => {
  afterEach(() => vi.useRealTimers())

  it('removes expired entries and images once a minute', async () => {
    await store.close()
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    store = await openStore()
    await store.entries.writeEntry('page', createEntry(now, 'page', { images: [await writeImage('a')], ttlMs: MINUTE }))
    now += 10 * MINUTE
    await vi.advanceTimersByTimeAsync(MINUTE)
    await store.close()
    expect(await listImageFiles(dataDir)).toEqual([])
  })
})

describe('repair', () => {
  it('treats a truncated file as lost until the image is written again', async () => {
    const [truncated] = await writePageWithTwoImages()
    writeFileSync(pathOf(truncated), 'aaa')
    expect(await store.images.readImage(truncated)).toBeUndefined()
    await store.entries.writeEntry('page', createEntry(now, 'page', { images: [await writeImage('a')] }))
    expect(await store.images.readImage(truncated)).toHaveLength(1_000)
  })

  it('removes rows of lost files, unknown files and abandoned temporary files when the store is opened', async () => {
    const [lost, intact] = await writePageWithTwoImages()
    await store.close()
    rmSync(pathOf(lost))
    const orphan: ImageName = `${intact.slice(0, 2)}${'0'.repeat(62)}.jpg`
    writeFileSync(pathOf(orphan), 'orphan')
    const unfinished = join(dataDir, 'images', 'unfinished')
    writeFileSync(join(unfinished, 'old'), '')
    writeFileSync(join(unfinished, 'recent'), '')
    utimesSync(join(unfinished, 'old'), 1, 1)
    store = await openStore()
    expect(await isCached('page')).toBe(false)
    expect(await isCached('other')).toBe(true)
    expect(await listImageFiles(dataDir)).toEqual([intact])
    expect(readdirSync(unfinished)).toEqual(['recent'])
    await store.close()
    expect(await findLeftovers(dataDir)).toEqual(noLeftovers)
  })
})

describe('a full disk', () => {
  it('rejects every write with ENOSPC, while reads still work', async () => {
    const image = await writeImage('a')
    await store.entries.writeEntry('page', createEntry(now, 'page', { images: [image] }))
    await reopen({ reserveBytes: Number.MAX_SAFE_INTEGER })
    const full = { code: 'ENOSPC' }
    await expect(store.entries.writeEntry('page', createEntry(now, 'new'))).rejects.toMatchObject(full)
    await expect(writeImage('b')).rejects.toMatchObject(full)
    await expect(store.counters.countRequest('192.0.2.1', '2026-01-01')).rejects.toMatchObject(full)
    await expect(
      store.apiKeys.writeKey({ id: 'k', name: 'n', verificationHash: 'h', createdAt: 1 }),
    ).rejects.toMatchObject(full)
    expect((await store.entries.readEntry('page'))?.body).toBe('page')
    expect(await store.images.readImage(image)).toHaveLength(1_000)
    expect(await listImageFiles(dataDir)).toEqual([image])
  })

  it('still allows revoking a key', async () => {
    const key = { id: 'k', name: 'n', verificationHash: 'h', createdAt: 1 }
    await store.apiKeys.writeKey(key)
    await reopen({ reserveBytes: Number.MAX_SAFE_INTEGER })
    await store.apiKeys.writeKey({ ...key, revokedAt: 2 })
    expect((await store.apiKeys.readKey('k'))?.revokedAt).toBe(2)
  })
})

describe('request counters', () => {
  it('are deleted for earlier days', async () => {
    for (let client = 0; client < 60; client++) await store.counters.countRequest(`192.0.2.${client}`, '2026-01-01')
    for (let count = 0; count < 5; count++) await store.counters.countRequest('192.0.2.1', '2026-01-02')
    expect(await store.counters.readCount('192.0.2.1', '2026-01-01')).toBe(0)
    expect(await store.counters.readCount('192.0.2.59', '2026-01-01')).toBe(0)
    expect(await store.counters.readCount('192.0.2.1', '2026-01-02')).toBe(5)
  })
})

describe('opening', () => {
  it('fails with a sentence when the folder cannot be created', async () => {
    await expect(openLocalStore({ dataDir: join(dataDir, 'cache.db', 'sub'), maxBytes: 1 })).rejects.toThrow('ENOTDIR')
  })
})
