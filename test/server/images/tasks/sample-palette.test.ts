import sharp from 'sharp'
import { expect, it } from 'vitest'
import { samplePalette } from '../../../../src/server/images/tasks/sample-palette.js'

it('lists the most frequent colours first, without transparent areas', async () => {
  const inner = { create: { width: 100, height: 200, channels: 4 as const, background: '#ff8000' } }
  const image = sharp({ create: { width: 400, height: 200, channels: 4, background: '#0000' } }).composite([
    { input: inner, left: 0, top: 0 },
    { input: { create: { ...inner.create, width: 200, background: '#008080' } }, left: 100, top: 0 },
  ])
  expect(await samplePalette(await image.png().toBuffer())).toEqual(['#008080', '#ff8000'])
})

it('has at most eight colours', async () => {
  const noise = Buffer.from(
    Array.from({ length: 64 * 64 * 3 }, (_, index) => (index * 7_919 + (index >> 5) * 104_729) % 256),
  )
  const image = sharp(noise, { raw: { width: 64, height: 64, channels: 3 } })
  const palette = await samplePalette(await image.png().toBuffer())
  expect(palette).toHaveLength(8)
  for (const colour of palette) expect(colour).toMatch(/^#[\da-f]{6}$/)
})
