import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createByteBudget } from '../../../src/server/budget/index.js'
import { PageError } from '../../../src/query/index.js'
import { createImages } from '../../../src/server/images/index.js'
import { createImageVariants } from '../../../src/server/media/index.js'
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
  return (width: number | undefined, type?: 'jpg' | 'png' | 'webp') =>
    variants.resolve(image, { width, type }, { client: 'test', apiKey: undefined, owner: 'test', signal, consumeQuota })
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
