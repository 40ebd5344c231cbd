import { readdir } from 'node:fs/promises'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { PageError } from '../../../../src/query/index.js'
import { BucketError } from '../../../../src/server/store/bucket/open-bucket.js'
import { createUploads, type Uploads } from '../../../../src/server/store/bucket/uploads.js'
import type { ImageName } from '../../../../src/server/store/index.js'
import { temporaryDir } from '../temporary-dir.js'

const nameOf = (index: number): ImageName => `${String(index).padStart(64, '0')}.png`
const bytes = Buffer.from('image')

let isFailing: boolean
/** Images that the bucket never accepts. */
let rejected: ImageName[]
let deleted: ImageName[]
let onPut: () => Promise<void>
let attempts: number
let uploaded: ImageName[]
let folder: string

beforeEach(async () => {
  folder = await temporaryDir()
  isFailing = true
  attempts = 0
  uploaded = []
  rejected = []
  deleted = []
  onPut = async () => undefined
})
let errors: unknown[] = []
afterEach(() => {
  vi.useRealTimers()
  expect(errors.splice(0)).toEqual([])
})

/** Waits for the end of a round, which removes files: the next one has its timer then. */
const settled = (uploads: Uploads) =>
  expect.poll(() => vi.getTimerCount() > 0 || uploads.pending().size === 0, { interval: 1 }).toBe(true)

const open = (stored: (name: ImageName) => Uint8Array | undefined = () => bytes) =>
  createUploads(
    {
      put: async (name) => {
        attempts++
        await onPut()
        if (isFailing) throw new PageError('EBUSY', 'away')
        if (rejected.includes(name))
          throw new PageError('EBUSY', 'away', { cause: new BucketError('PUT failed with 400', 'rejected') })
        uploaded.push(name)
      },
      delete: async (name) => void deleted.push(name),
    },
    { readImage: async (name) => stored(name) },
    {
      folder,
      onError: (error) => void errors.push(error),
    },
  )

it('asks a bucket that fails once per pause, however many images wait, and with longer and longer pauses', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const uploads = await open()
  for (let index = 0; index < 50; index++) await uploads.add(nameOf(index), bytes, 2)
  expect([attempts, uploads.pending().size]).toEqual([1, 50])
  const times: number[] = []
  for (let second = 1; second <= 120; second++) {
    const before = attempts
    await vi.advanceTimersByTimeAsync(1_000)
    if (attempts > before) times.push(second)
  }
  expect(attempts).toBeLessThan(10)
  const pauses = times.slice(1).map((time, index) => time - times[index]!)
  expect(pauses.at(-1)).toBeGreaterThan(5 * pauses[0]!)
  expect(Math.max(...pauses)).toBeLessThanOrEqual(32)
  isFailing = false
  await vi.advanceTimersByTimeAsync(31_000)
  vi.useRealTimers()
  await expect.poll(() => uploaded).toHaveLength(50)
  await expect.poll(() => uploads.pending().size).toBe(0)
  await uploads.close()
})

it('goes on after a restart, and drops images that are gone', async () => {
  const first = await open()
  for (const index of [1, 2]) await first.add(nameOf(index), bytes, 2)
  await first.close()
  isFailing = false
  const second = await open((name) => (name === nameOf(1) ? undefined : bytes))
  expect(second.pending().size).toBe(2)
  await expect.poll(() => second.pending().size, { timeout: 5_000 }).toBe(0)
  expect(uploaded).toEqual([nameOf(2)])
  await second.close()
  const third = await open()
  expect(third.pending().size).toBe(0)
  await third.close()
})

it.each([0, 3, 9])('uploads the others when the bucket rejects one (%i of 10)', async (index) => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const uploads = await open()
  for (let other = 0; other < 10; other++) await uploads.add(nameOf(other), bytes, 2)
  isFailing = false
  rejected = [nameOf(index)]
  for (let second = 1; second <= 60; second++) {
    await vi.advanceTimersByTimeAsync(1_000)
    await settled(uploads)
  }
  expect(uploaded).toHaveLength(9)
  expect([...uploads.pending()]).toEqual(rejected)
  await uploads.close()
})

it('uploads the others in the next round when the bucket rejects the first ones, and asks less and less often', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const uploads = await open()
  for (let other = 0; other < 10; other++) await uploads.add(nameOf(other), bytes, 2)
  isFailing = false
  rejected = Array.from({ length: 8 }, (_, other) => nameOf(other))
  await vi.advanceTimersByTimeAsync(1_000)
  await expect.poll(() => uploaded).toEqual([nameOf(8), nameOf(9)])
  await settled(uploads)
  const times: number[] = []
  for (let second = 1; second <= 60; second++) {
    const before = attempts
    await vi.advanceTimersByTimeAsync(1_000)
    await settled(uploads)
    if (attempts > before) times.push(second)
  }
  expect(times.length).toBeLessThan(7)
  expect([...uploads.pending()].toSorted()).toEqual(rejected)
  await uploads.close()
})

it('sends a bucket that rejects everything only some of the images in each round', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const uploads = await open()
  for (let index = 0; index < 50; index++) await uploads.add(nameOf(index), bytes, 2)
  isFailing = false
  rejected = [...uploads.pending()]
  const rounds: number[] = []
  for (let second = 1; second <= 40; second++) {
    const before = attempts
    await vi.advanceTimersByTimeAsync(1_000)
    await settled(uploads)
    if (attempts > before) rounds.push(attempts - before)
  }
  expect(rounds.length).toBeLessThan(7)
  expect(new Set(rounds)).toEqual(new Set([10]))
  expect(uploads.pending().size).toBe(50)
  await uploads.close()
})

it('gives up an image that the bucket has rejected several times while it accepted others', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const uploads = await open()
  isFailing = false
  rejected = [nameOf(0)]
  for (let other = 0; other <= 5; other++) {
    await uploads.add(nameOf(other), bytes, 2)
    for (let second = 0; second < 35; second++) {
      await vi.advanceTimersByTimeAsync(1_000)
      await settled(uploads)
    }
  }
  expect(uploaded).toHaveLength(5)
  expect(uploads.pending().size).toBe(0)
  await expect.poll(() => readdir(folder)).toEqual([])
  expect(errors.splice(0)).toEqual([expect.objectContaining({ message: expect.stringContaining(nameOf(0)) })])
  await uploads.close()
})

it.each(['postponed', 'first'])('deletes an image that was purged during its %s upload', async (upload) => {
  const uploads = await open()
  if (upload === 'postponed') await uploads.add(nameOf(1), bytes, 2)
  let go!: () => void
  const started = new Promise<void>((resolve) => {
    onPut = () => {
      resolve()
      return new Promise((done) => (go = done))
    }
  })
  isFailing = false
  const adding = upload === 'first' ? uploads.add(nameOf(1), bytes, 2) : undefined
  await started
  uploads.remove([nameOf(1), nameOf(2)])
  expect(uploads.pending().size).toBe(0)
  go()
  await adding
  await expect.poll(() => deleted).toEqual([nameOf(1)])
  await expect.poll(() => readdir(folder).catch(() => [])).toEqual([])
  await uploads.close()
})

it('uploads an image again that was purged before', async () => {
  isFailing = false
  const uploads = await open()
  uploads.remove([nameOf(1)])
  await uploads.add(nameOf(1), bytes, 2)
  expect([uploaded, deleted]).toEqual([[nameOf(1)], []])
  await uploads.close()
})
