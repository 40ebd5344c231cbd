import sharp, { type Sharp } from 'sharp'
import { describe, expect, it } from 'vitest'
import { compareImages, isSrgbProfile, measureImage, openImage } from '../../../src/server/images/open-image.js'

const GREEN = [32, 160, 64]

const greenWith = (profile: 'srgb' | 'p3') =>
  sharp({ create: { width: 8, height: 8, channels: 3, background: '#20a040' } })
    .withIccProfile(profile)
    .png()
    .toBuffer()

const firstPixel = async (image: Sharp) => [...(await image.raw().toBuffer()).subarray(0, 3)]

async function profileOf(name: 'srgb' | 'p3' | 'cmyk'): Promise<Buffer> {
  const image = sharp({ create: { width: 1, height: 1, channels: 3, background: 'red' } }).withIccProfile(name)
  return (await sharp(await image.jpeg().toBuffer()).metadata()).icc!
}

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

describe('an opened image', () => {
  it('reads the colours of an image with a profile of sRGB as they are', async () => {
    const bytes = await greenWith('srgb')
    const { image, metadata } = await openImage(bytes)
    expect(metadata.hasProfile).toBe(true)
    expect(await firstPixel(image)).toEqual(await firstPixel(sharp(bytes, { ignoreIcc: true })))
  })

  it('converts the colours of an image with another profile', async () => {
    const bytes = await greenWith('p3')
    expect(await firstPixel(sharp(bytes, { ignoreIcc: true }))).not.toEqual(GREEN)
    const converted = await firstPixel((await openImage(bytes)).image)
    for (const [index, level] of converted.entries()) expect(Math.abs(level - GREEN[index]!)).toBeLessThanOrEqual(2)
  })

  it('has the size in which it is displayed, and so does its measure', async () => {
    const image = sharp({ create: { width: 40, height: 20, channels: 3, background: 'red' } })
    const bytes = await image.withMetadata({ orientation: 6 }).jpeg().toBuffer()
    expect((await openImage(bytes)).metadata).toMatchObject({ width: 20, height: 40 })
    expect(await measureImage(bytes)).toEqual({ width: 20, height: 40 })
  })

  it('refuses bytes that are not an image', async () => {
    await expect(openImage(Buffer.from('<p>no image'))).rejects.toThrow()
  })
})

describe('a profile of sRGB', () => {
  it('recognises a profile of sRGB by its name, and no other', async () => {
    const profiles = await Promise.all((['srgb', 'p3', 'cmyk'] as const).map(profileOf))
    expect(profiles.map(isSrgbProfile)).toEqual([true, false, false])
    expect(isSrgbProfile(undefined)).toBe(false)
  })

  it('recognises nothing in a profile that ends before its name', async () => {
    const profile = await profileOf('srgb')
    const nameStart = profile.indexOf(Buffer.from('sRGB', 'utf16le').swap16())
    for (let length = 0; length <= nameStart; length++) {
      const part = Buffer.from(profile.subarray(0, length))
      if (length >= 4) part.writeUInt32BE(length)
      expect(isSrgbProfile(part)).toBe(false)
    }
  })

  it('does not read the thousands of names of a large profile', async () => {
    const profile = Buffer.concat([await profileOf('srgb'), Buffer.alloc(1_000_000)])
    profile.writeUInt32BE(profile.length)
    profile.writeUInt32BE(80_000, 128)
    expect(isSrgbProfile(profile)).toBe(false)
  })
})

describe('a comparison of images', () => {
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
})

it('compares images as they are displayed', async () => {
  const upright = await page(100).png().toBuffer()
  const stored = await sharp(upright).rotate(-90).png().toBuffer()
  const turned = await sharp(stored).withMetadata({ orientation: 6 }).png().toBuffer()
  expect(await compareImages(upright, turned)).toBeLessThan(0.01)
  expect(await compareImages(turned, upright)).toBeLessThan(0.01)
})
