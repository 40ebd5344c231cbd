import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, it, onTestFinished } from 'vitest'
import { openStore, type ImageName, type CacheEntry, type StoreEvent } from '../../../../src/server/store/index.js'
import { freePort } from '../../../shared/free-port.js'
import { startBucket, type TestBucket } from '../../../shared/start-bucket.js'
import { temporaryDir } from '../temporary-dir.js'

let bucket: TestBucket
let url: string
let news: StoreEvent['event'][]

beforeAll(async () => {
  bucket = await startBucket()
})
afterAll(() => bucket.close())
beforeEach(() => {
  url = bucket.freshUrl()
  news = []
})

/** Another machine, with a disk of its own. */
async function open({ s3 = url, maxBytes = 10_000_000 } = {}) {
  const dataDir = await temporaryDir()
  const store = await openStore({
    dataDir,
    s3,
    redis: undefined,
    maxBytes,
    clock: Date.now,
    onEvent: ({ event }) => news.push(event),
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

const picture = (letter: string) => Buffer.alloc(100_000, letter)
const answer = (images: ImageName[]): CacheEntry => ({
  createdAt: Date.now(),
  expiresAt: Date.now() + 60_000,
  images,
  body: 'made',
})

it('puts an image into the bucket before anybody learns its name, and finds it there from elsewhere', async () => {
  const [here, there] = [await open(), await open()]
  const name = await here.writeImage(picture('a'), 'png')
  expect(await bucket.images(url)).toEqual([name])
  await there.writeEntry('page', answer([name]))
  expect(Buffer.from((await there.readImage(name))!)).toEqual(picture('a'))
})

it('reads an image from the bucket once, however many ask, and from the disk afterwards', async () => {
  const [here, there] = [await open(), await open()]
  const name = await here.writeImage(picture('a'), 'png')
  const before = bucket.requests()
  const found = await Promise.all(Array.from({ length: 10 }, () => there.readImage(name)))
  expect(found.map((bytes) => bytes?.length)).toEqual(Array(10).fill(100_000))
  await there.readImage(name)
  expect(bucket.requests() - before).toBe(1)
})

it('keeps as many copies on the disk as fit', async () => {
  const store = await open({ maxBytes: 350_000 })
  const names: ImageName[] = []
  for (const letter of 'abcdef') names.push(await store.writeImage(picture(letter), 'png'))
  for (const name of [...names, ...names]) expect(await store.readImage(name)).toHaveLength(100_000)
  expect(store.diskBytes()).toBeGreaterThan(0)
  expect(store.diskBytes()).toBeLessThanOrEqual(350_000)
  expect(await bucket.images(url)).toEqual(names.toSorted())
})

it('takes an object that holds something else for a lost image', async () => {
  const [here, there] = [await open(), await open()]
  const name = await here.writeImage(picture('a'), 'png')
  bucket.overwrite(url, name, 'something else')
  expect(await there.readImage(name)).toBeUndefined()
})

it('gives what is on the disk while the bucket is out of reach, refuses what is not, in time, and says so', async () => {
  const [here, there] = [await open(), await open()]
  const name = await here.writeImage(picture('a'), 'png')
  await here.writeEntry('page', answer([name]))
  await bucket.stop()
  try {
    const startedAt = performance.now()
    expect(await here.readImage(name)).toHaveLength(100_000)
    expect((await here.readEntry('page'))?.body).toBe('made')
    await here.writeEntry('words alone', answer([]))
    await expect(there.readImage(name)).rejects.toMatchObject({ code: 'EBUSY' })
    await expect(here.writeImage(picture('b'), 'png')).rejects.toMatchObject({ code: 'EBUSY' })
    expect(await here.isReady()).toBe(false)
    expect(performance.now() - startedAt).toBeLessThan(2_000)
    expect(new Set(news)).toEqual(new Set(['bucket-unreachable']))
  } finally {
    await bucket.restart()
  }
  expect(await here.isReady()).toBe(true)
  expect(await there.readImage(name)).toHaveLength(100_000)
  expect(news).toContain('bucket-recovered')
})

it.each([
  ['a wrong secret', (address: string) => address.replace(':S3RVER@', ':wrong-secret@'), '403 SignatureDoesNotMatch'],
  ['a bucket that is not there', (address: string) => address.replace('previews', 'nowhere'), '404 NoSuchBucket'],
  [
    'a server that is not there',
    (address: string, port: number) => address.replace(':S3RVER@', ':wrong-secret@').replace(/\d+$/, String(port)),
    'ECONNREFUSED',
  ],
])('does not open with %s, and says so without the secret', async (_, change, reason) => {
  const opening = open({ s3: change(url, await freePort()) })
  await expect(opening).rejects.toThrow(reason)
  await expect(opening).rejects.toThrow(
    /^The bucket s3:\/\/\w+(\/folder-\d+)? at 127\.0\.0\.1:\d+ cannot be used .+\.$/,
  )
  await expect(opening).rejects.not.toThrow('wrong-secret')
})
