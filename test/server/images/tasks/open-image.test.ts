import sharp, { type Sharp } from 'sharp'
import { expect, it } from 'vitest'
import { openImage } from '../../../../src/server/images/tasks/open-image.js'

const GREEN = [32, 160, 64]

const greenWith = (profile: 'srgb' | 'p3') =>
  sharp({ create: { width: 8, height: 8, channels: 3, background: '#20a040' } })
    .withIccProfile(profile)
    .png()
    .toBuffer()

const firstPixel = async (image: Sharp) => [...(await image.raw().toBuffer()).subarray(0, 3)]

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

it('refuses bytes that are not an image', async () => {
  await expect(openImage(Buffer.from('<p>no image'))).rejects.toThrow()
})
