import sharp, { type Sharp } from 'sharp'
import { describe, expect, it } from 'vitest'
import { imageColours, samplePalette } from '../../../src/server/images/colours.js'

const createImage = (background: string, inner: string) =>
  sharp({ create: { width: 100, height: 100, channels: 4, background } })
    .composite([{ input: { create: { width: 80, height: 80, channels: 4, background: inner } }, left: 10, top: 10 }])
    .png()
    .toBuffer()

const white = { create: { width: 2560, height: 1600, channels: 3 as const, background: '#fff' } }
const entropyOf = async (image: Sharp) => (await imageColours(await image.jpeg().toBuffer())).pixels.entropy
const square = (side: number, background: string) => ({
  input: { create: { width: side, height: side, channels: 3 as const, background } },
  left: 700,
  top: 900,
})

describe('the colours of an image', () => {
  it('takes the background from the edge, and the palette from everywhere', async () => {
    const { background, palette } = await imageColours(await createImage('#123456', '#ff0000'))
    expect(background).toBe('#123456')
    expect(palette).toEqual(['#ff0000', '#123456'])
  })

  it('counts transparent pixels as white', async () => {
    const { background } = await imageColours(await createImage('#00000000', '#00ff00'))
    expect(background).toBe('#ffffff')
  })

  it('merges colours that are nearly the same', async () => {
    expect((await imageColours(await createImage('#202020', '#282828'))).palette).toHaveLength(1)
  })
})

describe('the entropy of an image', () => {
  it('is zero for one colour, and more for the smallest mark on it', async () => {
    expect(await entropyOf(sharp(white))).toBe(0)
    expect(await entropyOf(sharp(white).composite([square(20, '#000')]))).toBeGreaterThan(0.000_5)
    expect(await entropyOf(sharp(white).composite([square(300, '#f8f8f8')]))).toBeGreaterThan(0.000_5)
  })

  it('is one bit for two halves, as in sharp', async () => {
    const half = { input: { create: { ...white.create, width: 1280, background: '#000' } }, left: 0, top: 0 }
    const image = await sharp(white).composite([half]).png().toBuffer()
    const { entropy } = await sharp(
      await sharp(image).resize({ width: 256, kernel: 'linear' }).png().toBuffer(),
    ).stats()
    expect((await imageColours(image)).pixels.entropy).toBeCloseTo(entropy, 1)
    expect(entropy).toBeCloseTo(1, 0)
  })
})

describe('a palette', () => {
  it('lists the most frequent colours first, without transparent areas', async () => {
    const inner = { create: { width: 100, height: 200, channels: 4 as const, background: '#ff8000' } }
    const image = sharp({ create: { width: 400, height: 200, channels: 4, background: '#0000' } }).composite([
      { input: inner, left: 0, top: 0 },
      { input: { create: { ...inner.create, width: 200, background: '#008080' } }, left: 100, top: 0 },
    ])
    expect(await samplePalette(await image.png().toBuffer())).toEqual(['#008080', '#ff8000'])
  })

  it('has at most eight colours', async () => {
    const noise = Buffer.from(
      Array.from({ length: 64 * 64 * 3 }, (_, index) => (index * 7_919 + (index >> 5) * 104_729) % 256),
    )
    const image = sharp(noise, { raw: { width: 64, height: 64, channels: 3 } })
    const palette = await samplePalette(await image.png().toBuffer())
    expect(palette).toHaveLength(8)
    for (const colour of palette) expect(colour).toMatch(/^#[\da-f]{6}$/)
  })
})
