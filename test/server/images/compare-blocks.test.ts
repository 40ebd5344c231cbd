import sharp from 'sharp'
import { describe, expect, it, onTestFinished } from 'vitest'
import { compareBlocks } from '../../../src/server/images/compare-blocks.js'
import { createImages } from '../../../src/server/images/index.js'

/** Lines of text at a height, on white. */
const page = (top: number, { text = 'Headline', width = 600, height = 400, fill = '#000' } = {}) =>
  sharp(
    Buffer.from(
      `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="100%" height="100%" fill="#fff"/><text x="20" y="${top + 24}" font-size="24" fill="${fill}">${text}</text><rect x="20" y="${top + 40}" width="100" height="60" fill="#06c"/></svg>`,
    ),
  )
const png = (...args: Parameters<typeof page>) =>
  page(...args)
    .png()
    .toBuffer()
const box = (y: number, { x = 10, width = 200, height = 110 } = {}) => ({ x, y, width, height })

describe('blocks of two images', () => {
  it('are equal wherever they are, also after lossy compression and by a fraction of a pixel', async () => {
    const image = await png(50)
    const moved = await page(133).jpeg({ quality: 70 }).toBuffer()
    const pairs = [
      { first: box(45), second: box(128) },
      { first: box(45), second: box(129) },
      { first: box(45.4), second: box(128.6) },
      { first: box(45), second: box(45) },
    ]
    const [same, shifted, fraction, other] = await compareBlocks(image, moved, pairs)
    expect(Math.max(same!, shifted!, fraction!)).toBeLessThan(0.005)
    expect(other).toBeGreaterThan(0.1)
  })

  it('differ by their text, and by their colour', async () => {
    const pair = { first: box(45), second: box(45) }
    const [text] = await compareBlocks(await png(50), await png(50, { text: 'Headway' }), [pair])
    const [colour] = await compareBlocks(await png(50), await png(50, { fill: '#e00' }), [pair])
    expect(text).toBeGreaterThan(0.005)
    expect(colour).toBeGreaterThan(0.01)
  })

  it('differ as a whole by their size', async () => {
    const image = await png(50)
    const sizes = [{ width: 203 }, { height: 100 }, { width: 202, height: 112 }]
    const pairs = sizes.map((size) => ({ first: box(45), second: box(45, size) }))
    expect(await compareBlocks(image, image, pairs)).toEqual([1, 1, 0])
  })

  it('are compared as far as they are in both images', async () => {
    const [image, cut] = [await png(50), await png(50, { height: 100, text: 'Headline' })]
    const far = { x: 5_000, y: 5_000, width: 10, height: 10 }
    const pairs = [
      { first: box(45), second: box(45) },
      { first: box(-20), second: box(-20) },
      { first: far, second: far },
      { first: box(45), second: { ...far, width: 200, height: 110 } },
      { first: { x: NaN, y: 0, width: 1, height: 1 }, second: box(0, { width: 1, height: 1 }) },
    ]
    expect(await compareBlocks(image, cut, pairs)).toEqual([0, 0, 0, 0, 0])
  })

  it('may be as small as a part of a pixel', async () => {
    const image = await png(50)
    const tiny = { x: 25.2, y: 100.1, width: 0.2, height: 0.2 }
    expect(await compareBlocks(image, image, [{ first: tiny, second: tiny }])).toEqual([0])
  })

  it('are found in images that are scaled down to be compared', async () => {
    const tall = (fill: string) => png(50, { width: 1_500, height: 20_000, fill })
    const pairs = [
      { first: box(45), second: box(45) },
      { first: box(300), second: box(300) },
    ]
    const [changed, same] = await compareBlocks(await tall('#000'), await tall('#e00'), pairs)
    expect(changed).toBeGreaterThan(0.01)
    expect(same).toBe(0)
  })

  it('are no more than 1,000', async () => {
    const image = await png(50)
    const pairs = Array.from({ length: 1_001 }, () => ({ first: box(45), second: box(45) }))
    await expect(compareBlocks(image, image, pairs)).rejects.toThrow('at most 1000')
    await expect(compareBlocks(Buffer.from('no image'), image, [])).rejects.toThrow()
  })
})

it('compares a thousand large blocks in an image process, within its limits', async () => {
  const images = createImages()
  onTestFinished(() => images.close())
  const [first, second] = [
    await png(50, { width: 1_280, height: 20_000 }),
    await png(60, { width: 1_280, height: 20_000 }),
  ]
  const whole = { x: 0, y: 0, width: 1_280, height: 20_000 }
  const pairs = Array.from({ length: 1_000 }, () => ({ first: whole, second: whole }))
  const { signal } = new AbortController()
  const shares = await images.compareBlocks(first, second, pairs, { client: 'test', signal })
  expect(shares).toHaveLength(1_000)
  expect(new Set(shares).size).toBe(1)
  expect(shares[0]).toBeLessThan(0.01)
  await expect(images.compareBlocks(Buffer.from('no'), first, [], { client: 'test', signal })).rejects.toThrow(
    'not a JPEG',
  )
})
