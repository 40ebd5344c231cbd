import sharp, { type Sharp } from 'sharp'
import { expect, it } from 'vitest'
import { measureEntropy } from '../../../../src/server/images/tasks/measure-entropy.js'
import { reduceImage } from '../../../../src/server/images/tasks/reduce-image.js'

const white = { create: { width: 2560, height: 1600, channels: 3 as const, background: '#fff' } }
const entropyOf = async (image: Sharp) => measureEntropy(await reduceImage(await image.jpeg().toBuffer()))
const square = (side: number, background: string) => ({
  input: { create: { width: side, height: side, channels: 3 as const, background } },
  left: 700,
  top: 900,
})

it('is zero for one colour, and more for the smallest mark on it', async () => {
  expect(await entropyOf(sharp(white))).toBe(0)
  expect(await entropyOf(sharp(white).composite([square(20, '#000')]))).toBeGreaterThan(0.000_5)
  expect(await entropyOf(sharp(white).composite([square(300, '#f8f8f8')]))).toBeGreaterThan(0.000_5)
})

it('is one bit for two halves, as in sharp', async () => {
  const half = { input: { create: { ...white.create, width: 1280, background: '#000' } }, left: 0, top: 0 }
  const image = await sharp(white).composite([half]).png().toBuffer()
  const reduced = await reduceImage(image)
  const { entropy } = await sharp(reduced.data, { raw: { ...reduced, channels: 3 } }).stats()
  expect(measureEntropy(reduced)).toBeCloseTo(entropy, 1)
  expect(entropy).toBeCloseTo(1, 0)
})
