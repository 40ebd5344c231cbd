import sharp from 'sharp'
import { expect, it } from 'vitest'
import { imageColours } from '../../../../src/server/images/tasks/image-colours.js'

const createImage = (background: string, inner: string) =>
  sharp({ create: { width: 100, height: 100, channels: 4, background } })
    .composite([{ input: { create: { width: 80, height: 80, channels: 4, background: inner } }, left: 10, top: 10 }])
    .png()
    .toBuffer()

it('takes the background from the edge, and the palette from everywhere', async () => {
  const { background, palette } = await imageColours(await createImage('#123456', '#ff0000'))
  expect(background).toBe('#123456')
  expect(palette).toEqual(['#ff0000', '#123456'])
})

it('counts transparent pixels as white', async () => {
  const { background } = await imageColours(await createImage('#00000000', '#00ff00'))
  expect(background).toBe('#ffffff')
})

it('merges colours that are nearly the same', async () => {
  expect((await imageColours(await createImage('#202020', '#282828'))).palette).toHaveLength(1)
})
