import { expect, it } from 'vitest'
import { openPreviewCache } from '../../../src/static/freeze/preview-cache.js'
import { temporarySite } from './temporary-site.js'

it('does not read an image that is larger than any that it writes', async () => {
  const cache = openPreviewCache((await temporarySite({})).paths.cache)
  const name = await cache.writeImage(Buffer.from('image'), 64, 'webp')
  const largeName = await cache.writeImage(Buffer.alloc(40_000_001), 64, 'webp')
  expect(String(await cache.readImage(name))).toBe('image')
  expect(await cache.readImage(largeName)).toBeUndefined()
})
