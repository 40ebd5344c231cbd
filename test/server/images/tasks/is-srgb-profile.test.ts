import sharp from 'sharp'
import { expect, it } from 'vitest'
import { isSrgbProfile } from '../../../../src/server/images/tasks/is-srgb-profile.js'

async function profileOf(name: 'srgb' | 'p3' | 'cmyk'): Promise<Buffer> {
  const image = sharp({ create: { width: 1, height: 1, channels: 3, background: 'red' } }).withIccProfile(name)
  return (await sharp(await image.jpeg().toBuffer()).metadata()).icc!
}

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
