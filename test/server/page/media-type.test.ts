import { expect, it } from 'vitest'
import { mediaKind, mediaType } from '../../../src/server/page/media-type.js'

it.each([
  ['image/jpeg', 'image', 'jpg'],
  ['image/x-unknown', 'image', 'unknown'],
  ['application/ogg', 'audio', 'ogg'],
  ['application/vnd.apple.mpegurl', 'video', 'm3u8'],
  ['text/html', undefined, null],
  ['', undefined, null],
  ['constructor', undefined, null],
  ['__proto__', undefined, null],
  ['toString', undefined, null],
  ['hasOwnProperty', undefined, null],
  ['valueOf', undefined, null],
])('%s: %s, %s', (contentType, kind, type) => {
  expect(mediaKind(contentType)).toBe(kind)
  expect(mediaType(contentType)).toBe(type)
})
