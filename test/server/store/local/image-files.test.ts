import { ReadableStream } from 'node:stream/web'
import { expect, it } from 'vitest'
import { createImageName, type ImageName } from '../../../../src/server/store/stored-image.js'
import { createVerifiedImages } from '../../../../src/server/store/local/image-files.js'

const BYTES = new TextEncoder().encode('an image')

/** Verified images over files that all have the same content. */
function verifiedImages(content = BYTES) {
  const read: ImageName[] = []
  const images = createVerifiedImages({
    stream(name) {
      read.push(name)
      return ReadableStream.from([content])
    },
  })
  return { ...images, read }
}

it('reads a file once to compare its content with its name', async () => {
  const { isIntact, read } = verifiedImages()
  const name = await createImageName(BYTES, 'jpg')
  expect([await isIntact(name, BYTES.length), await isIntact(name, BYTES.length)]).toEqual([true, true])
  expect(read).toEqual([name])
})

it('finds other content of the same length, each time', async () => {
  const { isIntact, read } = verifiedImages(new TextEncoder().encode('an inage'))
  const name = await createImageName(BYTES, 'jpg')
  expect([await isIntact(name, BYTES.length), await isIntact(name, BYTES.length)]).toEqual([false, false])
  expect(read).toHaveLength(2)
})

it('does not read what was written under its hash', async () => {
  const { isIntact, addWritten, read } = verifiedImages()
  const name = await createImageName(BYTES, 'jpg')
  addWritten(name)
  expect(await isIntact(name, BYTES.length)).toBe(true)
  expect(read).toEqual([])
})
