import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, it, onTestFinished } from 'vitest'
import { openStore, type ImageName, type CacheEntry } from '../../../../src/server/store/index.js'
import type { StoreEvent } from '../../../../src/server/store/open-store.js'
import { startBucket, type TestBucket } from '../../../shared/start-bucket.js'
import { temporaryDir } from '../temporary-dir.js'

let bucket: TestBucket
let url: string
let events: StoreEvent['event'][]

beforeAll(async () => {
  bucket = await startBucket()
})
afterAll(() => bucket.close())
beforeEach(() => {
  url = bucket.freshUrl()
  events = []
})

/** Opens the store of another machine, with its own disk. */
async function open({ s3 = url, maxBytes = 10_000_000 } = {}) {
  const dataDir = await temporaryDir()
  const store = await openStore({
    dataDir,
    redisPrefix: 'page-preview',
    s3,
    redis: undefined,
    maxBytes,
    clock: Date.now,
    onEvent: ({ event }) => events.push(event),
    onError: (error) => {
      throw error
    },
  })
  onTestFinished(() => store.close())
  const diskBytes = () =>
    readdirSync(join(dataDir, 'images'), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0)
  return { ...store, diskBytes }
}

const DAY = 86_400_000

const imageBytes = (letter: string) => Buffer.alloc(100_000, letter)
const createEntry = (images: ImageName[]): CacheEntry => ({
  createdAt: Date.now(),
  expiresAt: Date.now() + 60_000,
  images,
  body: 'body',
})
const lasting = (days: number, images: ImageName[]): CacheEntry => {
  const entry = createEntry(images)
  return { ...entry, expiresAt: entry.createdAt + days * DAY }
}

it.each([
  [1, undefined, ['2-days']],
  [1, 7, ['8-days']],
  [1, 31, ['32-days']],
  [7, undefined, ['2-days', '8-days']],
  [31, 7, ['32-days', '8-days']],
])(
  'stores the image of an entry that lives for %i days, of %s expected, where no lifecycle rule deletes it',
  async (days, expected, folders) => {
    const store = await open()
    const name = await store.images.writeImage(imageBytes('a'), 'png', undefined, expected && expected * DAY)
    await store.entries.writeEntry('page', lasting(days, [name]))
    expect(await bucket.foldersOf(url, name)).toEqual(folders)
  },
)

it('stores the image of an entry whose life is extended for longer, also from another instance', async () => {
  const [here, there] = [await open(), await open()]
  const name = await here.images.writeImage(imageBytes('a'), 'png')
  await here.entries.writeEntry('page', lasting(1, [name]))
  await there.entries.extendEntry('page', lasting(9, [name]))
  expect(await bucket.foldersOf(url, name)).toEqual(['2-days', '32-days'])
  const requests = bucket.requests()
  await there.entries.extendEntry('page', lasting(10, [name]))
  expect(bucket.requests()).toBe(requests)
})

it('stores an image that had to wait for the bucket for as long as its entry lives', async () => {
  const store = await open()
  bucket.failWith({ method: 'PUT', status: 503, code: 'SlowDown' })
  onTestFinished(() => bucket.failWith())
  const name = await store.images.writeImage(imageBytes('a'), 'png')
  await store.entries.writeEntry('page', lasting(20, [name]))
  bucket.failWith()
  await expect.poll(() => bucket.foldersOf(url, name), { timeout: 10_000 }).toEqual(['32-days'])
})

it('finds and purges an image in every folder', async () => {
  const [here, there] = [await open(), await open()]
  const names: ImageName[] = []
  for (const [letter, days] of [
    ['a', 1],
    ['b', 7],
    ['c', 31],
  ] as const)
    names.push(await here.images.writeImage(imageBytes(letter), 'png', undefined, days * DAY))
  for (const name of names) expect(await there.images.readImage(name)).toHaveLength(100_000)
  await here.images.deleteImages(names, { isShared: true })
  expect(await bucket.images(url)).toEqual([])
})

it('writes an image to the bucket before it returns its name, so that other instances can read it', async () => {
  const [here, there] = [await open(), await open()]
  const name = await here.images.writeImage(imageBytes('a'), 'png')
  expect(await bucket.images(url)).toEqual([name])
  await there.entries.writeEntry('page', createEntry([name]))
  expect(Buffer.from((await there.images.readImage(name))!)).toEqual(imageBytes('a'))
})

it('reads an image from the bucket once for concurrent calls, and from the disk afterwards', async () => {
  const [here, there] = [await open(), await open()]
  const name = await here.images.writeImage(imageBytes('a'), 'png')
  const before = bucket.requests()
  const images = await Promise.all(Array.from({ length: 10 }, () => there.images.readImage(name)))
  expect(images.map((bytes) => bytes?.length)).toEqual(Array(10).fill(100_000))
  await there.images.readImage(name)
  expect(bucket.requests() - before).toBe(1)
})

it('has as many local copies as fit', async () => {
  const store = await open({ maxBytes: 350_000 })
  const names: ImageName[] = []
  for (const letter of 'abcdef') names.push(await store.images.writeImage(imageBytes(letter), 'png'))
  for (const name of [...names, ...names]) expect(await store.images.readImage(name)).toHaveLength(100_000)
  expect(store.diskBytes()).toBeGreaterThan(0)
  expect(store.diskBytes()).toBeLessThanOrEqual(350_000)
  expect(await bucket.images(url)).toEqual(names.toSorted())
})

it('treats an object with other bytes as a lost image', async () => {
  const [here, there] = [await open(), await open()]
  const name = await here.images.writeImage(imageBytes('a'), 'png')
  bucket.overwrite(url, name, 'something else')
  expect(await there.images.readImage(name)).toBeUndefined()
})

it('serves local copies while the bucket is unreachable, soon rejects others with EBUSY, and uploads new images later', async () => {
  const [here, there] = [await open(), await open()]
  const name = await here.images.writeImage(imageBytes('a'), 'png')
  await here.entries.writeEntry('page', createEntry([name]))
  await bucket.stop()
  try {
    const startedAt = performance.now()
    expect(await here.images.readImage(name)).toHaveLength(100_000)
    expect((await here.entries.readEntry('page'))?.body).toBe('body')
    await here.entries.writeEntry('without images', createEntry([]))
    await expect(there.images.readImage(name)).rejects.toMatchObject({ code: 'EBUSY' })
    const later = await here.images.writeImage(imageBytes('b'), 'png')
    expect(await here.images.readImage(later)).toHaveLength(100_000)
    expect(here.health.pendingUploads().size).toBe(1)
    expect(here.health.dependencies()).toEqual({ bucket: 'unreachable' })
    expect(await here.health.isReady()).toBe(true)
    expect(performance.now() - startedAt).toBeLessThan(2_000)
    expect(new Set(events)).toEqual(new Set(['bucket-unreachable']))
  } finally {
    await bucket.restart()
  }
  await here.health.checkDependencies()
  expect(here.health.dependencies()).toEqual({ bucket: 'ok' })
  await expect.poll(() => here.health.pendingUploads().size, { timeout: 5_000 }).toBe(0)
  expect(await bucket.images(url)).toHaveLength(2)
  expect(await there.images.readImage(name)).toHaveLength(100_000)
  expect(events).toContain('bucket-recovered')
})

it.each([
  ['a wrong secret', (address: string) => address.replace(':S3RVER@', ':wrong-secret@'), '403 SignatureDoesNotMatch'],
  ['a bucket that does not exist', (address: string) => address.replace('previews', 'nowhere'), '404 NoSuchBucket'],
])('fails to open with %s, with a message that does not contain the secret', async (_, change, reason) => {
  const opening = open({ s3: change(url) })
  await expect(opening).rejects.toThrow(reason)
  await expect(opening).rejects.toThrow(
    /^The bucket s3:\/\/\w+(\/folder-\d+)? at 127\.0\.0\.1:\d+ cannot be used .+\.$/,
  )
  await expect(opening).rejects.not.toThrow('wrong-secret')
})
