import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createByteBudget } from '../../../src/server/budget/index.js'
import { PageError } from '../../../src/query/index.js'
import { createImages } from '../../../src/server/images/index.js'
import { createImageVariants, type VariantParameters } from '../../../src/server/media/index.js'
import type { Caller } from '../../../src/server/request-scope.js'
import { openStore, type ImageName, type Store } from '../../../src/server/store/index.js'
import { slowIt } from '../../shared/slow-cases.js'

let dataDir: string
let store: Store
let writes = 0
const images = createImages()
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'page-preview-variants-'))
  const opened = await openStore({
    dataDir,
    maxBytes: 100_000_000,
    redis: undefined,
    redisPrefix: 'page-preview',
    s3: undefined,
    clock: Date.now,
    onEvent: ({ event }) => expect.fail(event),
    onError: (error) => expect.fail(String(error)),
  })
  const writeImage: Store['images']['writeImage'] = (...image) => (writes++, opened.images.writeImage(...image))
  store = { ...opened, images: { ...opened.images, writeImage } }
})
afterAll(async () => {
  await Promise.all([store.close(), images.close()])
  await rm(dataDir, { recursive: true, force: true })
})

const variantsOf = (
  image: ImageName,
  consumeQuota: Caller['consumeQuota'] = async () => async () => {},
  parts: Partial<Parameters<typeof createImageVariants>[0]> = {},
) => {
  const variants = createImageVariants({
    store,
    images,
    ...parts,
    byteBudget: createByteBudget(),
    clock: Date.now,
  })
  const { signal } = new AbortController()
  const resolve = (parameters: VariantParameters) =>
    variants.resolve(image, parameters, { client: 'test', apiKey: undefined, owner: 'test', signal, consumeQuota })
  return Object.assign((width: number | undefined, type?: 'jpg' | 'png' | 'webp') => resolve({ width, type }), {
    resolve,
  })
}
const create = { width: 1000, height: 500, channels: 4, background: '#f000' } as const

it('converts a variant once for simultaneous and later requests', async () => {
  const variant = variantsOf(await store.images.writeImage(await sharp({ create }).png().toBuffer(), 'png'))
  writes = 0
  const variants = await Promise.all(Array.from({ length: 10 }, () => variant(640, 'webp')))
  expect(new Set([...variants, await variant(640, 'webp')].map((each) => each!.image)).size).toBe(1)
  expect(writes).toBe(1)
})

it('consumes quota only for an image that has to be converted', async () => {
  let consumed = 0
  const consumeQuota = async () => {
    consumed++
    return async () => {}
  }
  const image = await store.images.writeImage(await sharp({ create }).png().toBuffer(), 'png')
  const variant = variantsOf(image, consumeQuota)
  await variant(320, 'png')
  await variant(320, 'png')
  await variant(undefined, 'png')
  expect(await variantsOf(`${'0'.repeat(64)}.png`, consumeQuota)(320)).toBeUndefined()
  expect(consumed).toBe(1)
})

it('does not convert for a caller whose quota is used up', async () => {
  const image = await store.images.writeImage(await sharp({ create }).png().toBuffer(), 'png')
  const variant = variantsOf(image, () => Promise.reject(new PageError('ERATE', 'The limit is reached.')))
  await expect(variant(960, 'jpg')).rejects.toMatchObject({ code: 'ERATE' })
})

describe('a conversion that did not take place', () => {
  let consumed = 0
  const consumeQuota = async () => {
    consumed++
    return async () => void consumed--
  }
  beforeEach(() => {
    consumed = 0
  })

  it('is not counted when the service is busy', async () => {
    const image = await store.images.writeImage(await sharp({ create }).png().toBuffer(), 'png')
    const busy = new PageError('EBUSY', 'Too many images are waiting.')
    const variant = variantsOf(image, consumeQuota, {
      images: { ...images, convertVariant: () => Promise.reject(busy) },
    })
    await expect(variant(960, 'webp')).rejects.toBe(busy)
    expect(consumed).toBe(0)
  })

  it('has no variant, and is not counted, when the image is evicted while it is read', async () => {
    const image = await store.images.writeImage(await sharp({ create }).png().toBuffer(), 'png')
    const openImage: Store['images']['openImage'] = async (name) => {
      const opened = await store.images.openImage(name)
      const stream = () => new ReadableStream({ pull: async () => void (await readFile('/nope')) })
      return opened && { ...opened, stream }
    }
    const variant = variantsOf(image, consumeQuota, { store: { ...store, images: { ...store.images, openImage } } })
    expect(await variant(960, 'webp')).toBeUndefined()
    expect(consumed).toBe(0)
  })
})

describe('limits', () => {
  const pixels = Buffer.from(Array.from({ length: 1_000 * 500 * 3 }, (_, at) => (at * at * 31) % 251))
  const picture = () => sharp(pixels, { raw: { width: 1_000, height: 500, channels: 3 } })
  /** Counts conversions. */
  async function counted(bytes: Buffer, type = 'jpg') {
    let count = 0
    const image = await store.images.writeImage(bytes, type)
    const consumeQuota = async () => (count++, async () => {})
    return { image, resolve: variantsOf(image, consumeQuota).resolve, count: () => count }
  }

  it('that the image is within change nothing, and cost nothing', async () => {
    const bytes = await picture().jpeg().toBuffer()
    const { image, resolve, count } = await counted(bytes)
    const limits = [{ maxSide: 1_000 }, { maxBytes: bytes.length }, { maxSide: 65_500, maxBytes: 25_000_000 }]
    for (const limit of [...limits, ...limits.map((each) => ({ ...each, preferredType: 'webp' as const }))])
      expect(await resolve(limit)).toEqual({ image, size: undefined })
    expect(count()).toBe(0)
  })

  it('that are nearly the same share a variant, which is at most 3 % below them', async () => {
    const { resolve, count } = await counted(await picture().jpeg().toBuffer())
    const sides = [992, 993, 999].map(async (maxSide) => (await resolve({ maxSide }))!.size!.width)
    expect(await Promise.all(sides)).toEqual([992, 992, 992])
    expect(count()).toBe(1)
    const sizes = Array.from({ length: 84 }, (_, at) => resolve({ maxSide: 16 + at }))
    for (const [at, variant] of (await Promise.all(sizes)).entries()) {
      expect(variant!.size!.width).toBeLessThanOrEqual(16 + at)
      expect(variant!.size!.width).toBeGreaterThanOrEqual((16 + at) * 0.97)
    }
    // 16 to 63 one by one, and 18 steps of 2.
    expect(count()).toBe(1 + 48 + 18)
  })

  it('of bytes are kept, also by a variant of another type', async () => {
    const bytes = await picture().jpeg().toBuffer()
    const { resolve } = await counted(bytes)
    const limits: VariantParameters[] = [
      { maxBytes: 2_000 },
      { maxBytes: 30_011 },
      { maxBytes: bytes.length, type: 'png' },
    ]
    for (const limit of limits) {
      const variant = await resolve(limit)
      expect((await store.images.readImage(variant!.image))!.byteLength).toBeLessThanOrEqual(limit.maxBytes!)
    }
  })

  it('are those of the displayed image', async () => {
    const { resolve } = await counted(await picture().withMetadata({ orientation: 6 }).jpeg().toBuffer())
    expect(await resolve({ maxSide: 512 })).toMatchObject({ size: { width: 256, height: 512 } })
  })

  it('below those of a file that is not converted are refused', async () => {
    const icon = Buffer.alloc(3_000)
    icon.set([0, 0, 1, 0, 1, 0, 48, 48])
    const { image, resolve } = await counted(icon, 'ico')
    expect(await resolve({ maxSide: 48, maxBytes: 3_000, type: 'png' })).toEqual({ image, size: undefined })
    await expect(resolve({ maxSide: 47 })).rejects.toMatchObject({
      code: 'ETOOLARGE',
      data: { 'variant.maxSide': expect.any(String) },
    })
    await expect(resolve({ maxBytes: 2_999 })).rejects.toMatchObject({
      code: 'ETOOLARGE',
      data: { 'variant.maxBytes': expect.any(String) },
    })
  })

  it('of a lost image are those of none', async () => {
    expect(await variantsOf(`${'0'.repeat(64)}.png`).resolve({ maxSide: 100 })).toBeUndefined()
  })
})

it('encodes a tile once, and only those that are requested', async () => {
  const wide = { ...create, width: 3_000, height: 100, background: '#07af' } as const
  let conversions = 0
  const convertVariant: typeof images.convertVariant = (...args) => (conversions++, images.convertVariant(...args))
  const image = await store.images.writeImage(await sharp({ create: wide }).png().toBuffer(), 'png')
  const { resolve } = variantsOf(image, undefined, { images: { ...images, convertVariant } })
  const tile = { tile: 2, maxSide: 1_024, maxBytes: 50_000, type: 'webp' } as const
  const [first, second] = await Promise.all([resolve(tile), resolve({ ...tile, maxSide: 1_030 })])
  expect([first, second]).toEqual([first, first])
  expect(first!.size!.width).toBeLessThanOrEqual(1_024)
  expect(await resolve(tile)).toEqual(first)
  expect(conversions).toBe(1)
  await expect(resolve({ ...tile, tile: 4 })).rejects.toMatchObject({
    code: 'EINVALQUERY',
    data: { tile: expect.any(String) },
  })
  expect(await variantsOf(`${'0'.repeat(64)}.png`).resolve({ tile: 0 })).toBeUndefined()
})

it('replaces transparency by white in a jpg', async () => {
  const variant = variantsOf(await store.images.writeImage(await sharp({ create }).png().toBuffer(), 'png'))
  const bytes = await store.images.readImage((await variant(320, 'jpg'))!.image)
  const { channels } = await sharp(bytes).stats()
  expect(channels.map(({ mean }) => Math.round(mean))).toEqual([255, 255, 255])
})

slowIt('scales a very tall image down to the largest height of its format', async () => {
  const tall = { ...create, width: 640, height: 40_000 }
  const variant = variantsOf(await store.images.writeImage(await sharp({ create: tall }).png().toBuffer(), 'png'))
  const bytes = await store.images.readImage((await variant(640, 'webp'))!.image)
  const { width, height } = await sharp(bytes).metadata()
  expect([width, height]).toEqual([262, 16_383])
})

slowIt('refuses a variant of more than 25 MB, and converts the same image in a smaller width', async () => {
  const size = { width: 3_000, height: 3_000 }
  const noise = sharp(randomBytes(size.width * size.height * 3), { raw: { ...size, channels: 3 } })
  const variant = variantsOf(await store.images.writeImage(await noise.jpeg({ quality: 90 }).toBuffer(), 'jpg'))
  await expect(variant(undefined, 'png')).rejects.toMatchObject({ code: 'ETOOLARGE' })
  expect(await variant(1_920, 'png')).toMatchObject({ size: { width: 1_920 } })
})
