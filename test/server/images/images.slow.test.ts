import { randomBytes } from 'node:crypto'
import sharp from 'sharp'
import { afterAll, describe, expect, it } from 'vitest'
import { createImagePool, createImages } from '../../../src/server/images/images.js'

type ImagePool = ReturnType<typeof createImagePool>

const LIMITS = { concurrency: 1, maxWaiting: 9, timeoutMs: 30_000, maxRssBytes: 1_500_000_000 }
const open: { close(): Promise<void> }[] = []
afterAll(async () => {
  await Promise.all(open.map((each) => each.close()))
})
const createPool = (limits = {}) => {
  const pool = createImagePool({ ...LIMITS, ...limits })
  open.push(pool)
  return pool
}

const createImage = (side: number) =>
  sharp({ create: { width: side, height: side, channels: 3, background: '#123456' } })
    .png()
    .toBuffer()
const small = await createImage(10)
const large = await createImage(5_000)
const caller = { client: 'a', signal: new AbortController().signal }

const samplePalette = (
  pool: ImagePool,
  { image = small, client = 'a' }: { image?: Uint8Array; client?: string } = {},
) => pool.run({ name: 'samplePalette' }, { ...caller, client, inputs: [image] })
const measureImage = (pool: ImagePool, image: Uint8Array) =>
  pool.run({ name: 'measureImage' }, { ...caller, inputs: [image] })
/** Takes more than a second. */
const convertSlowly = (pool: ImagePool, signal = caller.signal) => {
  const options = { width: undefined, type: 'avif', isOwnType: false } as const
  return pool.run({ name: 'convertVariant', options }, { ...caller, signal, inputs: [large] })
}

describe('processes for images', () => {
  it('run tasks one after another, and return their results', async () => {
    const pool = createPool()
    const palettes = await Promise.all([1, 2, 3].map(() => samplePalette(pool)))
    expect(palettes).toEqual([['#123456'], ['#123456'], ['#123456']])
  })

  it('report the error of a decoder, and go on', async () => {
    const pool = createPool()
    await expect(samplePalette(pool, { image: small.subarray(0, 30) })).rejects.toThrow(/corrupt|header|png/i)
    expect(await measureImage(pool, small)).toEqual({ width: 10, height: 10 })
  })

  it('do not decode an SVG', async () => {
    const svg = Buffer.from(
      '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9" height="9"/></svg>',
    )
    await expect(samplePalette(createPool(), { image: svg })).rejects.toThrow(/unsupported image format/)
  })

  it('end a task that takes too long', async () => {
    await expect(convertSlowly(createPool({ timeoutMs: 100 }))).rejects.toMatchObject({ code: 'ETIMEOUT' })
  })

  it('end a task that needs too much memory', async () => {
    await expect(convertSlowly(createPool({ maxRssBytes: 90_000_000 }))).rejects.toMatchObject({ code: 'ETOOLARGE' })
  })

  it('reject an image with too many pixels', async () => {
    const huge = Buffer.from(small)
    huge.writeUInt32BE(60_000, 16)
    huge.writeUInt32BE(60_000, 20)
    await expect(measureImage(createPool(), huge)).rejects.toThrow()
  })

  it('reject a variant that needs too many bytes', async () => {
    const side = 3_000
    const raw = { width: side, height: side, channels: 3 as const }
    const noise = await sharp(randomBytes(side * side * 3), { raw })
      .jpeg({ quality: 60 })
      .toBuffer()
    const options = { width: undefined, type: 'png', isOwnType: false } as const
    const variant = createPool().run({ name: 'convertVariant', options }, { ...caller, inputs: [noise] })
    await expect(variant).rejects.toMatchObject({ code: 'ETOOLARGE', message: expect.stringMatching(/25 MB as png/) })
  })

  it('read an image from a stream', async () => {
    async function* pieces() {
      for (let start = 0; start < small.length; start += 7) yield small.subarray(start, start + 7)
    }
    const measured = createPool().run({ name: 'measureImage' }, { ...caller, inputs: [pieces()] })
    expect(await measured).toEqual({ width: 10, height: 10 })
  })

  it('end the task of a caller that leaves, skip waiting ones, and serve the next', async () => {
    const pool = createPool()
    const leaving = new AbortController()
    const running = convertSlowly(pool, leaving.signal)
    const waiting = convertSlowly(pool, leaving.signal)
    const next = samplePalette(pool)
    leaving.abort(new Error('left'))
    await expect(waiting).rejects.toThrow('left')
    await expect(running).rejects.toThrow('left')
    expect(await next).toEqual(['#123456'])
  })

  it('fail their tasks when they are closed, waiting ones too', async () => {
    const pool = createPool()
    const failures = [convertSlowly(pool), samplePalette(pool)].map((task) =>
      expect(task).rejects.toMatchObject({ code: 'EBUSY' }),
    )
    await pool.close()
    await Promise.all(failures)
  })

  it('reject more tasks than may wait', async () => {
    const pool = createPool({ maxWaiting: 1 })
    const accepted = [1, 2].map(() => samplePalette(pool))
    await expect(samplePalette(pool)).rejects.toMatchObject({ code: 'EBUSY', retryAfterMs: 2_000 })
    await Promise.all(accepted)
  })

  it('have room for others while one client has its share', async () => {
    const pool = createPool({ reserve: 1 })
    const leaving = new AbortController()
    const slow = [1, 2].map(() => convertSlowly(pool, leaving.signal))
    const failures = slow.map((task) => expect(task).rejects.toThrow('left'))
    expect(await samplePalette(pool, { client: 'b' })).toEqual(['#123456'])
    leaving.abort(new Error('left'))
    await Promise.all(failures)
  })
})

/** A screenshot of noise, which takes long to encode. */
async function screenshotOf(side: number) {
  const raw = { width: side, height: side, channels: 3 as const }
  const bytes = await sharp(randomBytes(side * side * 3), { raw })
    .png({ compressionLevel: 0 })
    .toBuffer()
  return { tiles: [bytes], isEncoded: false, crop: undefined }
}

it('encodes a small screenshot of another client at once beside large ones of one client', async () => {
  const images = createImages()
  open.push(images)
  const leaving = new AbortController()
  const [large, small] = await Promise.all([screenshotOf(4_000), screenshotOf(20)])
  const options = { quality: 80, maxHeight: 16_000 }
  const ended: string[] = []
  const slow = [1, 2, 3].map(async (n) => {
    const scheduling = { client: 'greedy', signal: leaving.signal }
    try {
      return await images.encodeScreenshot(large, { ...options, ...scheduling, type: 'avif' })
    } finally {
      ended.push(`large ${n}`)
    }
  })
  const outcomes = Promise.allSettled(slow)
  const { signal } = new AbortController()
  const result = await images.encodeScreenshot(small, { ...options, client: 'innocent', signal, type: 'jpg' })
  expect(result).toMatchObject({ width: 20, height: 20 })
  expect(ended).toEqual([])
  leaving.abort(new Error('left'))
  await outcomes
}, 90_000)

it('reports a screenshot that has too much detail for WebP', async () => {
  const images = createImages()
  open.push(images)
  const screenshot = await screenshotOf(5_600)
  const options = { ...caller, quality: 100, maxHeight: 16_000, type: 'webp' } as const
  await expect(images.encodeScreenshot(screenshot, options)).rejects.toMatchObject({
    code: 'ETOOLARGE',
    message: expect.stringContaining('too much detail for WebP'),
  })
}, 60_000)
