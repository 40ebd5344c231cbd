import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { PageError } from '../../../../src/query/index.js'
import { createUploads } from '../../../../src/server/store/bucket/uploads.js'
import type { ImageName } from '../../../../src/server/store/index.js'
import { temporaryDir } from '../temporary-dir.js'

const nameOf = (index: number): ImageName => `${String(index).padStart(64, '0')}.png`
const bytes = Buffer.from('image')

let isFailing: boolean
let attempts: number
let uploaded: ImageName[]
let folder: string

beforeEach(async () => {
  folder = await temporaryDir()
  isFailing = true
  attempts = 0
  uploaded = []
})
afterEach(() => void vi.useRealTimers())

const open = (stored: (name: ImageName) => Uint8Array | undefined = () => bytes) =>
  createUploads(
    {
      put: async (name) => {
        attempts++
        if (isFailing) throw new PageError('EBUSY', 'away')
        uploaded.push(name)
      },
    },
    { readImage: async (name) => stored(name) },
    {
      folder,
      onError: (error) => {
        throw error
      },
    },
  )

it('asks a bucket that fails once per pause, however many images wait, and with longer and longer pauses', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const uploads = await open()
  for (let index = 0; index < 50; index++) await uploads.add(nameOf(index), bytes)
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
  for (const index of [1, 2]) await first.add(nameOf(index), bytes)
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
