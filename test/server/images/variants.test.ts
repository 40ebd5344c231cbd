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

/** Deterministic noise, which no encoder makes small. */
function noise(width: number, height: number, channels: 3 | 4 = 3) {
  const pixels = Buffer.alloc(width * height * channels)
  for (let at = 0, state = 1; at < pixels.length; at++) pixels[at] = (state = (state * 48_271) % 2_147_483_647) >> 8
  return sharp(pixels, { raw: { width, height, channels } })
}

/** Lines of words and a few pictures, as a screenshot has them. */
async function screenshot(width: number, height: number) {
  const line = (y: number) =>
    `<text x="20" y="${y}" font-size="16" font-family="sans-serif">${'Lorem ipsum '.repeat(12)}</text>`
  const lines = Array.from({ length: Math.floor(height / 24) }, (_, at) => line(20 + at * 24))
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="100%" height="100%" fill="#fff"/>${lines.join('')}</svg>`
  const image = {
    input: await noise(width / 4, width / 4)
      .png()
      .toBuffer(),
    left: 20,
    top: 100,
  }
  return sharp(Buffer.from(svg)).composite([image])
}

const convert = (bytes: Uint8Array, conversion: Partial<Parameters<typeof convertVariant>[1]>) =>
  convertVariant(bytes, { width: undefined, type: 'jpg', isOwnType: false, ...conversion })

describe('the longer side of an image', () => {
  it.each<[string, [number, number], Parameters<typeof convert>[1], [number, number]]>([
    ['wide', [1000, 500], { maxSide: 400 }, [400, 200]],
    ['tall', [500, 1000], { maxSide: 400 }, [200, 400]],
    ['square', [500, 500], { maxSide: 16 }, [16, 16]],
    ['tall, and narrower than the width', [500, 1000], { maxSide: 400, width: 320 }, [200, 400]],
    ['wide, and wider than the width', [1000, 500], { maxSide: 400, width: 320 }, [320, 160]],
    ['small already', [100, 50], { maxSide: 400, type: 'webp' }, [100, 50]],
    ['one pixel wide', [1, 9000], { maxSide: 100 }, [1, 100]],
    ['longer than its type can be', [20, 20_000], { maxSide: 65_000, type: 'webp' }, [16, 16_383]],
  ])('is within its limit if it is %s', async (_, [width, height], conversion, size) => {
    const variant = await convert(await picture(width, height).png().toBuffer(), conversion)
    expect([variant!.width, variant!.height]).toEqual(size)
    expect(await sharp(variant!.bytes).metadata()).toMatchObject({ width: size[0], height: size[1] })
  })

  it('is the one that is displayed, whatever the EXIF orientation', async () => {
    const bytes = await picture(400, 200).withMetadata({ orientation: 6 }).jpeg().toBuffer()
    expect(await convert(bytes, { maxSide: 100 })).toMatchObject({ width: 50, height: 100 })
  })
})

describe('the bytes of an image', () => {
  const types = ['jpg', 'webp', 'avif', 'png'] as const

  it.each(types)('stay within their limit as %s, whatever the image shows', async (type) => {
    const images = [noise(400, 300), noise(300, 40, 4), picture(600), await screenshot(400, 500)]
    for (const image of images) {
      const bytes = await image.png().toBuffer()
      for (const maxBytes of [1_984, 20_000]) {
        const variant = await convert(bytes, { type, maxBytes })
        expect(variant!.bytes.byteLength).toBeLessThanOrEqual(maxBytes)
        const { width, height } = await sharp(variant!.bytes).metadata()
        expect([variant!.width, variant!.height]).toEqual([width, height])
      }
    }
  })

  it.each(types)('use most of their limit as %s, if there is more to show', async (type) => {
    const bytes = await (await screenshot(600, 900)).png().toBuffer()
    for (const maxBytes of [12_000, 40_000]) {
      const variant = await convert(bytes, { type, maxBytes })
      expect(variant!.bytes.byteLength).toBeGreaterThan(maxBytes * 0.55)
    }
  })

  it('are searched for with at most 16 megapixels in a PNG, because each attempt takes a second', async () => {
    const bytes = await picture(5_000, 5_000).png().toBuffer()
    expect(await convert(bytes, { type: 'png', maxBytes: 25_000_000 })).toMatchObject({ width: 4_000, height: 4_000 })
  })

  it('are the same each time', async () => {
    const bytes = await (await screenshot(600, 800)).png().toBuffer()
    const [one, other] = [await convert(bytes, { maxBytes: 20_000 }), await convert(bytes, { maxBytes: 20_000 })]
    expect(one).toEqual(other)
  })

  it('are fewer by lower quality before the image is made smaller', async () => {
    const bytes = await (await screenshot(600, 800)).png().toBuffer()
    const { byteLength } = (await convert(bytes, {}))!.bytes
    const lower = await convert(bytes, { maxBytes: Math.round(byteLength * 0.8) })
    expect(lower).toMatchObject({ width: 600, height: 800 })
    const smaller = await convert(bytes, { maxBytes: Math.round(byteLength * 0.2) })
    expect(smaller!.width).toBeLessThan(600)
    expect(smaller!.width / smaller!.height).toBeCloseTo(600 / 800, 1)
  })

  it('of a PNG are fewer by fewer colours, and it stays transparent', async () => {
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="600" height="600"><defs><radialGradient id="g"><stop stop-color="#f0c"/><stop offset="1" stop-color="#0cf" stop-opacity="0"/></radialGradient></defs><circle cx="300" cy="300" r="280" fill="url(#g)"/></svg>`
    const bytes = await sharp(Buffer.from(svg)).png().toBuffer()
    const variant = await convert(bytes, { type: 'png', isOwnType: true, maxBytes: Math.round(bytes.length * 0.6) })
    expect(variant).toMatchObject({ width: 600, height: 600 })
    const corner = await sharp(variant!.bytes)
      .ensureAlpha()
      .extract({ left: 0, top: 0, width: 9, height: 9 })
      .raw()
      .toBuffer()
    expect(corner.filter((_, at) => at % 4 === 3).every((alpha) => alpha === 0)).toBe(true)
  })

  it('and the longer side are limited together', async () => {
    const bytes = await noise(900, 600).png().toBuffer()
    const variant = await convert(bytes, { type: 'webp', maxSide: 320, maxBytes: 10_000 })
    expect(Math.max(variant!.width, variant!.height)).toBeLessThanOrEqual(320)
    expect(variant!.bytes.byteLength).toBeLessThanOrEqual(10_000)
  })
})

describe('an image within its limits', () => {
  it('is left as it is, in its own type', async () => {
    const bytes = await noise(200, 100).jpeg().toBuffer()
    const within = { isOwnType: true, maxSide: 200, maxBytes: bytes.length }
    expect(await convert(bytes, within)).toBeUndefined()
    expect(await convert(bytes, { ...within, width: 320 })).toBeUndefined()
    expect(await convert(bytes, { ...within, maxSide: 199 })).toMatchObject({ width: 199 })
    expect(await convert(bytes, { ...within, maxBytes: bytes.length - 1 })).toMatchObject({ width: 200 })
    expect(await convert(bytes, { ...within, width: 320, isOwnType: false, type: 'webp' })).toMatchObject({
      width: 200,
    })
  })

  it.each(['gif', 'webp'] as const)(
    'keeps all frames of an animated %s, and is the first one above them',
    async (type) => {
      const frames = [picture(80), picture(80).negate()].map((frame) => frame.png().toBuffer())
      const bytes = await sharp(await Promise.all(frames), { join: { animated: true } })
        .toFormat(type)
        .toBuffer()
      expect(await convert(bytes, { type: 'png', maxSide: 80, maxBytes: bytes.length })).toBeUndefined()
      const still = await convert(bytes, { type: 'png', maxSide: 40 })
      expect(still).toMatchObject({ width: 40, height: 20 })
      const { dominant } = await sharp(still!.bytes).stats()
      expect(dominant.r).toBeGreaterThan(150)
    },
  )
})

it.each([
  ['whose end is missing', async () => (await picture(400).png().toBuffer()).subarray(0, -200)],
  [
    'of more than 64 million pixels',
    () =>
      sharp({ create: { width: 9_000, height: 8_000, channels: 3, background: '#abc' } })
        .png()
        .toBuffer(),
  ],
  ['that is damaged', () => Promise.resolve(Buffer.from('\u00ff\u00d8\u00ff\u00e0 not a JPEG', 'latin1'))],
])('leaves an image to the browser, or refuses it above a limit, %s', async (_, make) => {
  const bytes = await make()
  expect(await convertVariant(bytes, { width: 100, type: 'jpg', isOwnType: false })).toBeUndefined()
  expect(await convert(bytes, { maxBytes: bytes.length })).toBeUndefined()
  await expect(convert(bytes, { maxBytes: bytes.length - 1 })).rejects.toThrow(RangeError)
  await expect(convert(bytes, { maxSide: 300 })).rejects.toThrow(RangeError)
})
