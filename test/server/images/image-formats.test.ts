import sharp from 'sharp'
import { expect, it } from 'vitest'
import { detectImageFormat } from '../../../src/server/images/image-formats.js'

const image = sharp({ create: { width: 3, height: 2, channels: 3, background: '#123456' } })
const SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'

it.each([
  ['jpg', () => image.clone().jpeg().toBuffer()],
  ['png', () => image.clone().png().toBuffer()],
  ['gif', () => image.clone().gif().toBuffer()],
  ['webp', () => image.clone().webp().toBuffer()],
  ['avif', () => image.clone().avif().toBuffer()],
] as const)('recognises %s by its first bytes', async (format, encode) => {
  expect(detectImageFormat(await encode())).toBe(format)
})

it.each([
  ['nothing', ''],
  ['text', 'no image'],
  ['an SVG', SVG],
  ['an SVG behind spaces', ' '.repeat(20) + SVG],
  ['an XML declaration', `<?xml version="1.0"?>${SVG}`],
  ['a PDF', '%PDF-1.7'],
  ['half a signature', '\x89PNG\r\n'],
])('does not recognise %s', (_, text) => {
  expect(detectImageFormat(Buffer.from(text, 'latin1'))).toBeUndefined()
})
