import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { probeImage, readImageHead } from '../../../src/server/images/read-image-head.js'

const picture = sharp({ create: { width: 90, height: 60, channels: 3, background: '#08f' } })
const encode = (type: 'png' | 'jpeg' | 'gif' | 'webp' | 'avif' | 'tiff') => picture.clone().toFormat(type).toBuffer()
const [png, jpeg, gif, webp] = [await encode('png'), await encode('jpeg'), await encode('gif'), await encode('webp')]
const [avif, tiff] = [await encode('avif'), await encode('tiff')]

describe('the size of an image in a file', () => {
  it.each<[type: 'jpeg' | 'png' | 'avif' | 'webp', orientation: number, size: string]>([
    ['jpeg', 1, '90x60'],
    ['jpeg', 3, '90x60'],
    ['jpeg', 6, '60x90'],
    ['jpeg', 7, '60x90'],
    ['png', 1, '90x60'],
    ['png', 6, '60x90'],
    ['png', 8, '60x90'],
    ['avif', 1, '90x60'],
    ['avif', 3, '90x60'],
    ['avif', 6, '60x90'],
    ['avif', 8, '60x90'],
    // Chromium, Firefox and Safari differ; Chromium ignores it.
    ['webp', 6, '90x60'],
  ])('is the one that browsers display: %s, orientation %i', async (type, orientation, size) => {
    const bytes = await picture.clone().withMetadata({ orientation }).toFormat(type).toBuffer()
    const { width, height } = readImageHead(bytes)!
    expect(`${width}x${height}`).toBe(size)
  })
})

/** A file of icons with one entry of 16 pixels. */
function ico(icon: Buffer, { size = icon.length, offset = 22, count = 1 } = {}): Buffer {
  const head = Buffer.alloc(22)
  head.writeUInt16LE(1, 2)
  head.writeUInt16LE(count, 4)
  head.set([16, 16, 0, 0, 1, 0, 32, 0], 6)
  head.writeUInt32LE(size, 14)
  head.writeUInt32LE(offset, 18)
  return Buffer.concat([head, icon])
}

/** An icon of 16 pixels with an alpha channel. */
function bitmap(pixel: number): Buffer {
  const head = Buffer.alloc(40)
  head.writeUInt32LE(40, 0)
  head.writeInt32LE(16, 4)
  head.writeInt32LE(32, 8)
  head.writeUInt16LE(1, 12)
  head.writeUInt16LE(32, 14)
  return Buffer.concat([head, Buffer.alloc(16 * 16 * 4, pixel), Buffer.alloc(64, 0xff)])
}

describe('an icon file', () => {
  it.each<[what: string, Buffer]>([
    ['a bitmap', ico(bitmap(0xff))],
    ['a PNG', ico(png)],
  ])('counts with %s', (_, bytes) => {
    expect(probeImage(bytes, { isWhole: true })).toMatchObject({ type: 'ico', width: 16, height: 16 })
  })

  it('counts as far as it is there, if it is longer than what was read', () => {
    expect(probeImage(ico(Buffer.alloc(0), { size: 200_000 }), { isWhole: false })).toMatchObject({ type: 'ico' })
  })

  it.each<[what: string, Buffer]>([
    ['without entries', ico(Buffer.alloc(0), { count: 0 }).subarray(0, 6)],
    ['whose icon is not there', ico(Buffer.alloc(0), { size: 1_128 })],
    ['whose icon is cut off', ico(bitmap(0xff).subarray(0, 200), { size: 1_128 })],
    ['whose icon starts after its end', ico(bitmap(0xff), { offset: 90_000 })],
    ['whose icon is empty', ico(bitmap(0xff), { size: 0 })],
    ['whose icon is fully transparent', ico(bitmap(0))],
    ['whose icon is text', ico(Buffer.alloc(500, 'not an icon '))],
  ])('does not count %s', (_, bytes) => {
    expect(probeImage(bytes, { isWhole: true })).toBeUndefined()
  })
})

describe('bytes', () => {
  it.each<[what: string, string | Buffer]>([
    ['nothing', ''],
    ['a page', '<!doctype html><html><body><h1>Not found</h1></body></html>'],
    ['a page that begins with a comment', '<!-- x --><html><svg width="90" height="90"></svg></html>'],
    ['a page with a drawing', '<div><svg width="90" height="90"><circle r="9"/></svg></div>'],
    ['a message', '{"message":"Forbidden"}'],
    ['a text with a drawing later', 'Error <svg width="90" height="90"></svg>'],
    ['a drawing that is cut off', '<svg width="90" height="90"><circle r="'],
    ['the first bytes of a PNG', png.subarray(0, 30)],
    ['a GIF without a frame', Buffer.from('GIF89a\x5a\0\x5a\0\0\0\0', 'latin1')],
    ['the header of a JPEG', jpeg.subarray(0, 180)],
    ['a TIFF', tiff],
  ])('are no image: %s', (_, bytes) => {
    expect(probeImage(Buffer.from(bytes as string), { isWhole: true })).toBeUndefined()
  })

  it.each<[type: string, Buffer]>([
    ['png', png],
    ['jpg', jpeg],
    ['gif', gif],
    ['webp', webp],
    ['avif', avif],
    ['svg', Buffer.from('\uFEFF\n<svg xmlns="http://www.w3.org/2000/svg" width="90" height="60"/>')],
    ['svg', Buffer.from('<?xml version="1.0"?><!-- by hand --><svg:svg width="90" height="60"></svg:svg>')],
  ])('are an image: %s', (type, bytes) => {
    expect(probeImage(bytes, { isWhole: true })).toMatchObject({ type })
  })

  it.each(['jpeg', 'png', 'webp'] as const)('of a large image are one by their start: %s', async (type) => {
    const noise = { width: 400, height: 300, channels: 3, background: '#888', noise: { type: 'gaussian' } } as const
    const bytes = await sharp({ create: noise }).toFormat(type).toBuffer()
    expect(probeImage(bytes.subarray(0, 5_000), { isWhole: false })).toMatchObject({ width: 400, height: 300 })
  })
})
