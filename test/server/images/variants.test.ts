import sharp from 'sharp'
import { expect, it } from 'vitest'
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
