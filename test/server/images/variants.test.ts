import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { convertVariant, convertVariants } from '../../../src/server/images/variants.js'

const picture = (width: number, height = width / 2) =>
  sharp({ create: { width, height, channels: 4, background: { r: 200, g: 40, b: 0, alpha: 1 } } })

it('scales and encodes an image in the order of its variants', async () => {
  const bytes = await picture(1000).jpeg().toBuffer()
  const variants = await convertVariants(bytes, [
    { width: 320, type: 'webp', isOwnType: false },
    { width: 640, type: 'jpg', isOwnType: true },
    { width: 320, type: 'avif', isOwnType: false },
  ])
  expect(variants.map((variant) => [variant?.width, variant?.height])).toEqual([
    [320, 160],
    [640, 320],
    [320, 160],
  ])
  const formats = variants.map(async (variant) => (await sharp(variant!.bytes).metadata()).format)
  expect(await Promise.all(formats)).toEqual(['webp', 'jpeg', 'heif'])
})

describe('an image that its EXIF orientation turns', () => {
  /** 400 × 200 pixels as they are stored; the upper left quarter of the picture as it is displayed is black. */
  async function turned(orientation: number, type: 'jpeg' | 'webp' | 'png' = 'jpeg') {
    const black = { input: { create: { width: 200, height: 100, channels: 3, background: '#000' } } } as const
    const corner = { 1: 'northwest', 2: 'northeast', 3: 'southeast', 4: 'southwest' }
    const sides = { 5: 'northwest', 6: 'southwest', 7: 'southeast', 8: 'northeast' }
    const gravity = { ...corner, ...sides }[orientation]!
    const image = sharp({ create: { width: 400, height: 200, channels: 3, background: '#fff' } })
    return image
      .composite([{ ...black, gravity }])
      .withMetadata({ orientation })
      .toFormat(type)
      .toBuffer()
  }
  const isUpright = async (bytes: Uint8Array) => {
    const { data, info } = await sharp(bytes).greyscale().raw().toBuffer({ resolveWithObject: true })
    const levelAt = (x: number, y: number) =>
      data[Math.floor(y * info.height) * info.width + Math.floor(x * info.width)]!
    const levels = [levelAt(0.2, 0.2), levelAt(0.8, 0.2), levelAt(0.2, 0.8), levelAt(0.8, 0.8)]
    return levels.map((level) => level > 128).join() === 'false,true,true,true'
  }

  it.each([1, 2, 3, 4, 5, 6, 7, 8])('is upright in each variant (%i)', async (orientation) => {
    const bytes = await turned(orientation)
    const size = orientation < 5 ? { width: 100, height: 50 } : { width: 100, height: 200 }
    const variant = { width: 100, type: 'webp', isOwnType: false } as const
    const png = { width: 50, type: 'png', isOwnType: false } as const
    const [one, [other, smaller]] = [await convertVariant(bytes, variant), await convertVariants(bytes, [variant, png])]
    for (const converted of [one!, other!]) {
      expect(converted).toMatchObject(size)
      expect(await isUpright(converted.bytes)).toBe(true)
    }
    expect(smaller).toMatchObject({ width: 50, height: size.height / 2 })
    expect(await isUpright(smaller!.bytes)).toBe(true)
  })

  it.each(['jpeg', 'png'] as const)('is upright as another type without a width (%s)', async (type) => {
    const converted = await convertVariant(await turned(6, type), { width: undefined, type: 'avif', isOwnType: false })
    expect(converted).toMatchObject({ width: 200, height: 400 })
    expect(await isUpright(converted!.bytes)).toBe(true)
  })

  it('stays as browsers display it if it is a WebP, whose orientation they ignore', async () => {
    const converted = await convertVariant(await turned(6, 'webp'), { width: 200, type: 'png', isOwnType: false })
    expect(converted).toMatchObject({ width: 200, height: 100 })
  })

  it('is left as it is in its own type and at least its displayed width', async () => {
    const bytes = await turned(6)
    const variant = { width: 200, type: 'jpg', isOwnType: true } as const
    expect(await convertVariant(bytes, variant)).toBeUndefined()
    expect(await convertVariants(bytes, [variant])).toEqual([undefined])
    expect(await convertVariant(bytes, { ...variant, width: 199 })).toMatchObject({ width: 199 })
  })
})

it('enlarges nothing, and does not encode an image again in its own type and width', async () => {
  const bytes = await picture(200).webp().toBuffer()
  const [own, jpg] = await convertVariants(bytes, [
    { width: 640, type: 'webp', isOwnType: true },
    { width: 640, type: 'jpg', isOwnType: false },
  ])
  expect(own).toBeUndefined()
  expect(jpg).toMatchObject({ width: 200, height: 100 })
})

it('leaves an animation as it is', async () => {
  const frames = [picture(40), picture(40).negate()].map((frame) => frame.png().toBuffer())
  const bytes = await sharp(await Promise.all(frames), { join: { animated: true } })
    .gif({ delay: [100, 100] })
    .toBuffer()
  expect(await convertVariants(bytes, [{ width: 20, type: 'webp', isOwnType: false }])).toEqual([undefined])
})

it.each(['b-w', 'rgb16', 'cmyk'] as const)(
  'gives an image in %s the colours that a single variant has',
  async (space) => {
    const bytes = await (space === 'cmyk'
      ? picture(400).toColourspace('cmyk').jpeg().toBuffer()
      : picture(400).toColourspace(space).png().toBuffer())
    const variant = { width: 100, type: 'webp', isOwnType: false } as const
    const [one, [other]] = await Promise.all([convertVariant(bytes, variant), convertVariants(bytes, [variant])])
    const colours = [one, other].map(async (converted) => (await sharp(converted!.bytes).stats()).dominant)
    const [expected, actual] = await Promise.all(colours)
    expect(actual).toEqual(expected)
  },
)

it('scales an image to the longest side that its type can have', async () => {
  const bytes = await picture(20, 20_000).png().toBuffer()
  const heights = (['webp', 'avif', 'jpg'] as const).map(async (type) => {
    const variant = await convertVariant(bytes, { width: undefined, type, isOwnType: false })
    return variant?.height
  })
  expect(await Promise.all(heights)).toEqual([16_383, 16_384, 20_000])
})
