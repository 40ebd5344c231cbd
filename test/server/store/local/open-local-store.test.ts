import { createHash } from 'node:crypto'
import { readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { openLocalStore, type ImageName, type CacheEntry, type Store } from '../../../../src/server/store/index.js'
import { imageFiles, leftoversWithoutRoom, nothingLeft } from './database-audit.js'
import { temporaryDir } from '../temporary-dir.js'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE

let dataDir: string
let now: number
let store: Store

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

const answer = (body: unknown, { images = [] as ImageName[], lifeMs = DAY } = {}): CacheEntry => ({
  createdAt: now,
  expiresAt: now + lifeMs,
  images,
  body,
})
const image = (letter: string, size = 1_000) => store.writeImage(Buffer.alloc(size, letter), 'jpg')
const isKept = async (key: string) => (await store.readEntry(key)) !== undefined

/** Writes answers a second apart, each with an image of 100 kB. */
async function fill(...keys: string[]) {
  for (const key of keys) {
    now += 1_000
    await store.writeEntry(key, answer(key, { images: [await image(key, 100_000)] }))
  }
}
/** Which of the keys still have an answer. */
const kept = async (...keys: string[]) => {
  const found = []
  for (const key of keys) if (await isKept(key)) found.push(key)
  return found
}

const fileOf = (name: ImageName) => join(dataDir, 'images', name.slice(0, 2), name)

async function pageWithTwoImages() {
  const images = [await image('a'), await image('b')]
  await store.writeEntry('page', answer('page', { images }))
  await store.writeEntry('other', answer('other', { images: [images[1]!] }))
  return images as [ImageName, ImageName]
}

describe('images', () => {
  it('are files named by the SHA-256 of their bytes', async () => {
    const bytes = Buffer.from('a picture')
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    const name = await store.writeImage(bytes, 'png')
    expect(name).toBe(`${sha256}.png`)
    expect(Buffer.from((await store.readImage(name))!)).toEqual(bytes)
    expect(statSync(join(dataDir, 'images', sha256.slice(0, 2), name)).size).toBe(bytes.length)
  })

  it('are written once however often the same bytes come', async () => {
    const names = await Promise.all(Array.from({ length: 8 }, () => image('a')))
    const path = join(dataDir, 'images', names[0]!.slice(0, 2), names[0]!)
    utimesSync(path, 1, 1)
    await image('a')
    expect(new Set(names).size).toBe(1)
    expect(await imageFiles(dataDir)).toEqual([names[0]])
    expect(statSync(path).mtimeMs).toBe(1_000)
    expect(readdirSync(join(dataDir, 'images', 'unfinished'))).toEqual([])
  })

  it('wait ten minutes for the answer that names them', async () => {
    const named = await image('a')
    const unnamed = await image('b')
    await store.writeEntry('page', answer('page', { images: [named] }))
    now += 10 * MINUTE - 1
    await reopen()
    expect(await imageFiles(dataDir)).toEqual([named, unnamed].toSorted())
    now += 1
    await reopen()
    expect(await imageFiles(dataDir)).toEqual([named])
  })

  it('outlive the answer that was replaced, until that one would have expired', async () => {
    const before = await image('a')
    await store.writeEntry('page', answer('old', { images: [before], lifeMs: DAY }))
    const after = await image('b')
    await store.writeEntry('page', answer('new', { images: [after], lifeMs: 2 * DAY }))
    now += DAY - 1
    await reopen()
    expect(await store.readImage(before)).toBeDefined()
    now += 1
    await reopen()
    expect(await imageFiles(dataDir)).toEqual([after])
  })

  it('live as long as the last of the answers that name them', async () => {
    const shared = await image('a')
    await store.writeEntry('short', answer('short', { images: [shared], lifeMs: MINUTE }))
    await store.writeEntry('long', answer('long', { images: [shared], lifeMs: DAY }))
    now += MINUTE
    await reopen()
    expect(await store.readImage(shared)).toBeDefined()
    now += DAY
    await reopen()
    expect(await imageFiles(dataDir)).toEqual([])
  })
})

describe('the bound', () => {
  /** Room for three of the answers that `fill` writes, not for four. */
  const maxBytes = 350_000

  it('makes the least recently used answer go, with its image', async () => {
    await reopen({ maxBytes })
    await fill('a', 'b', 'c', 'd')
    expect(await kept('a', 'b', 'c', 'd')).toEqual(['b', 'c', 'd'])
    expect(await imageFiles(dataDir)).toHaveLength(3)
  })

  it('spares what was read, also when that was before a restart', async () => {
    await reopen({ maxBytes })
    await fill('a', 'b', 'c')
    now += 1_000
    await store.readEntry('a')
    await fill('d')
    expect(await kept('a', 'b', 'c', 'd')).toEqual(['a', 'c', 'd'])
    now += 1_000
    await store.readEntry('c')
    now += 1_000
    await store.readEntry('a')
    await reopen({ maxBytes })
    await fill('e', 'f')
    expect(await kept('a', 'c', 'd', 'e', 'f')).toEqual(['a', 'e', 'f'])
  })

  it('leaves an image that another answer names', async () => {
    await reopen({ maxBytes })
    await fill('a')
    const shared = (await store.readEntry('a'))!.images[0]!
    await fill('b')
    await store.writeEntry('also a', answer('also a', { images: [shared] }))
    await fill('c', 'd')
    expect(await kept('a', 'b', 'c', 'd', 'also a')).toEqual(['c', 'd', 'also a'])
    expect(await store.readImage(shared)).toBeDefined()
  })

  it('leaves an image that was asked for after its answer', async () => {
    await reopen({ maxBytes })
    await store.writeEntry('large', answer('x'.repeat(60_000), { images: [await image('a', 100_000)] }))
    const { images } = (await store.readEntry('large'))!
    await fill('b')
    now += 1_000
    await store.readImage(images[0]!)
    await fill('c')
    expect(await kept('large', 'b', 'c')).toEqual(['b', 'c'])
    expect(await store.readImage(images[0]!)).toBeDefined()
  })

  it('takes images of replaced answers first when they are older', async () => {
    await reopen({ maxBytes })
    await fill('a')
    const before = (await store.readEntry('a'))!.images[0]!
    now += 1_000
    await store.writeEntry('a', answer('new', { images: [await image('A', 100_000)] }))
    await fill('b', 'c')
    expect(await store.readImage(before)).toBeUndefined()
    expect(await kept('a', 'b', 'c')).toEqual(['a', 'b', 'c'])
  })

  it('holds at once when the store is opened with less room', async () => {
    await fill('a', 'b', 'c', 'd', 'e')
    await reopen({ maxBytes })
    expect(await kept('a', 'b', 'c', 'd', 'e')).toEqual(['c', 'd', 'e'])
  })

  it('refuses what is larger than everything that may be kept', async () => {
    await reopen({ maxBytes })
    await fill('a')
    await expect(image('b', maxBytes + 1)).rejects.toThrow(RangeError)
    await expect(store.writeEntry('b', answer('x'.repeat(maxBytes)))).rejects.toThrow(RangeError)
    expect(await kept('a', 'b')).toEqual(['a'])
  })

  it('leaves nothing behind and counts to zero when there is no room at all', async () => {
    await fill('a', 'b', 'c')
    await fill('a')
    await image('unnamed')
    await store.close()
    expect(await leftoversWithoutRoom(dataDir)).toEqual(nothingLeft)
  })
})

describe('tidying', () => {
  afterEach(() => vi.useRealTimers())

  it('removes what has expired once a minute while the store is open', async () => {
    await store.close()
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    store = await openStore()
    await store.writeEntry('page', answer('page', { images: [await image('a')], lifeMs: MINUTE }))
    now += 10 * MINUTE
    await vi.advanceTimersByTimeAsync(MINUTE)
    await store.close()
    expect(await imageFiles(dataDir)).toEqual([])
  })
})

describe('damage', () => {
  it('takes a file that was cut short for a lost one, and the next capture mends it', async () => {
    const [cut] = await pageWithTwoImages()
    writeFileSync(fileOf(cut), 'aaa')
    expect(await store.readImage(cut)).toBeUndefined()
    await store.writeEntry('page', answer('page', { images: [await image('a')] }))
    expect(await store.readImage(cut)).toHaveLength(1_000)
  })

  it('is found when the store is opened: lost files, files nobody knows, half-written files', async () => {
    const [lost, left] = await pageWithTwoImages()
    await store.close()
    rmSync(fileOf(lost))
    const orphan: ImageName = `${left.slice(0, 2)}${'0'.repeat(62)}.jpg`
    writeFileSync(fileOf(orphan), 'orphan')
    const unfinished = join(dataDir, 'images', 'unfinished')
    writeFileSync(join(unfinished, 'old'), '')
    writeFileSync(join(unfinished, 'young'), '')
    utimesSync(join(unfinished, 'old'), 1, 1)
    store = await openStore()
    expect(await isKept('page')).toBe(false)
    expect(await isKept('other')).toBe(true)
    expect(await imageFiles(dataDir)).toEqual([left])
    expect(readdirSync(unfinished)).toEqual(['young'])
    await store.close()
    expect(await leftoversWithoutRoom(dataDir)).toEqual(nothingLeft)
  })
})

describe('a full disk', () => {
  it('refuses every write with ENOSPC and still gives what is kept', async () => {
    const kept = await image('a')
    await store.writeEntry('page', answer('page', { images: [kept] }))
    await reopen({ reserveBytes: Number.MAX_SAFE_INTEGER })
    const full = { code: 'ENOSPC' }
    await expect(store.writeEntry('page', answer('new'))).rejects.toMatchObject(full)
    await expect(image('b')).rejects.toMatchObject(full)
    await expect(store.countRequest('192.0.2.1', '2026-01-01')).rejects.toMatchObject(full)
    await expect(store.writeKey({ id: 'k', name: 'n', secretHash: 'h', createdAt: 1 })).rejects.toMatchObject(full)
    expect((await store.readEntry('page'))?.body).toBe('page')
    expect(await store.readImage(kept)).toHaveLength(1_000)
    expect(await imageFiles(dataDir)).toEqual([kept])
  })

  it('still revokes a key', async () => {
    const key = { id: 'k', name: 'n', secretHash: 'h', createdAt: 1 }
    await store.writeKey(key)
    await reopen({ reserveBytes: Number.MAX_SAFE_INTEGER })
    await store.writeKey({ ...key, revokedAt: 2 })
    expect((await store.readKey('k'))?.revokedAt).toBe(2)
  })
})

describe('counters', () => {
  it('forget the days before', async () => {
    for (let client = 0; client < 60; client++) await store.countRequest(`192.0.2.${client}`, '2026-01-01')
    for (let count = 0; count < 5; count++) await store.countRequest('192.0.2.1', '2026-01-02')
    expect(await store.readCount('192.0.2.1', '2026-01-01')).toBe(0)
    expect(await store.readCount('192.0.2.59', '2026-01-01')).toBe(0)
    expect(await store.readCount('192.0.2.1', '2026-01-02')).toBe(5)
  })
})

describe('opening', () => {
  it.each(['this is no database'.repeat(1_000), 'short', '\0'.repeat(20_000)])(
    'says so when the file is something else (%#)',
    async (content) => {
      await store.close()
      writeFileSync(join(dataDir, 'store.mdb'), content)
      await expect(openStore()).rejects.toThrow('is not a Page Preview database')
    },
  )

  it('says so when the folder cannot be made', async () => {
    await expect(openLocalStore({ dataDir: join(dataDir, 'store.mdb', 'sub'), maxBytes: 1 })).rejects.toThrow('ENOTDIR')
  })
})
