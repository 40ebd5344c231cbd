import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
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

it('replaces a damaged image, also one of the same length', async () => {
  const { cache: dir } = (await temporarySite({})).paths
  const cache = openPreviewCache(dir)
  const name = await cache.writeImage(Buffer.from('image'), 64, 'webp')
  await writeFile(join(dir, 'images', name), 'imagE')
  expect(await cache.readImage(name)).toBeUndefined()
  await cache.writeImage(Buffer.from('image'), 64, 'webp')
  expect(String(await cache.readImage(name))).toBe('image')
})
