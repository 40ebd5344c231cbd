import sharp from 'sharp'
import { expect, it } from 'vitest'
import { compareImages } from '../../../../src/server/images/tasks/compare-images.js'

/** A page with lines of text at a height, as an image. */
const page = (top: number, { width = 640, height = 400, background = '#fff' } = {}) => {
  const lines = Array.from(
    { length: 8 },
    (_, at) => `<rect x="40" y="${top + at * 24}" width="${480 - at * 20}" height="10"/>`,
  )
  return sharp(
    Buffer.from(
      `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="100%" height="100%" fill="${background}"/>${lines.join('')}</svg>`,
    ),
  )
}

it('finds no difference between an image and smaller or lossy copies of it', async () => {
  const image = await page(100).png().toBuffer()
  expect(await compareImages(image, image)).toBe(0)
  expect(await compareImages(image, await page(100).resize(320).webp({ quality: 60 }).toBuffer())).toBeLessThan(0.02)
  expect(await compareImages(image, await page(100).jpeg({ quality: 50 }).toBuffer())).toBeLessThan(0.02)
})

it('finds one between images of different pages', async () => {
  const image = await page(100).png().toBuffer()
  expect(await compareImages(image, await page(112).png().toBuffer())).toBeGreaterThan(0.1)
  expect(await compareImages(image, await page(100, { background: '#246' }).png().toBuffer())).toBeGreaterThan(0.7)
})

it('compares images of different shapes, and extreme ones', async () => {
  const image = await page(100).png().toBuffer()
  expect(await compareImages(image, await page(100, { height: 900 }).png().toBuffer())).toBeGreaterThan(0.05)
  const thin = await sharp({ create: { width: 1, height: 9_000, channels: 3, background: '#fff' } })
    .png()
    .toBuffer()
  const wide = await sharp({ create: { width: 9_000, height: 1, channels: 3, background: '#000' } })
    .png()
    .toBuffer()
  expect(await compareImages(thin, wide)).toBe(1)
  expect(await compareImages(wide, thin)).toBe(1)
})

it('rejects what is no image', async () => {
  await expect(compareImages(Buffer.from('no image'), Buffer.from('none'))).rejects.toThrow()
})
