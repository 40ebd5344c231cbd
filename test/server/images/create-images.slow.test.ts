import { randomBytes } from 'node:crypto'
import sharp from 'sharp'
import { afterAll, expect, it } from 'vitest'
import { createImages } from '../../../src/server/images/index.js'

const images = createImages()
afterAll(() => images.close())

/** A screenshot of noise, which takes long to encode. */
async function screenshotOf(side: number) {
  const raw = { width: side, height: side, channels: 3 as const }
  const bytes = await sharp(randomBytes(side * side * 3), { raw })
    .png({ compressionLevel: 0 })
    .toBuffer()
  return { tiles: [bytes], isEncoded: false, crop: undefined }
}

it('encodes a small screenshot of another client at once beside large ones of one client', async () => {
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
