import { expect, it } from 'vitest'
import { Base64Decoder } from '../../../src/server/browser/message-reader.js'

it.each([0, 1, 2, 3, 4, 5, 100])('decodes %i bytes that arrive in chunks of any length', (length) => {
  const bytes = Buffer.from(Array.from({ length }, (_, index) => (index * 37) % 256))
  const encoded = Buffer.from(bytes.toString('base64'))
  for (let chunkLength = 1; chunkLength <= encoded.length + 1; chunkLength++) {
    const decoder = new Base64Decoder()
    for (let start = 0; start < encoded.length; start += chunkLength)
      decoder.add(encoded.subarray(start, start + chunkLength))
    expect(decoder.bytes()).toEqual(bytes)
  }
})
