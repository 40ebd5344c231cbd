import { createHash } from 'node:crypto'
import { expect, it } from 'vitest'
import { hashBytes } from '../../../src/server/store/stored-image.js'

it.each([0, 1, 262_144, 1_000_000])('is the SHA-256 of %i bytes in hex', async (length) => {
  const bytes = Buffer.alloc(length, 'bytes of an image')
  expect(await hashBytes(bytes)).toBe(createHash('sha256').update(bytes).digest('hex'))
})

it('hashes a view of a larger buffer', async () => {
  const bytes = Buffer.from('before, image, after').subarray(8, 13)
  expect(await hashBytes(bytes)).toBe(createHash('sha256').update('image').digest('hex'))
})

it('lets others run between the pieces of a large image', async () => {
  let isRunning = true
  let turns = 0
  const countTurn = () => {
    turns++
    if (isRunning) setImmediate(countTurn)
  }
  setImmediate(countTurn)
  await hashBytes(Buffer.alloc(2_000_000))
  isRunning = false
  expect(turns).toBeGreaterThan(5)
})
