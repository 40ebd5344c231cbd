// Covers the image of `overlay.background` whose reading fails: the rest is in `overlay.slow.test.ts`.
import { expect, it } from 'vitest'
import { PageError } from '../../../src/query/index.js'
import { readBackground, type OverlayTools } from '../../../src/server/browser/overlay.js'
import type { Images } from '../../../src/server/images/index.js'
import type { OpenPage } from '../../../src/server/browser/open-page.js'

const readImage = (measureImage: Images['measureImage']) => {
  const images: Pick<Images, 'measureImage'> = { measureImage }
  const tools: OverlayTools = {
    // Not used for an image.
    page: {} as OpenPage,
    images: images as Images,
    fetchImage: async () => new Uint8Array(1),
    client: 'visitor',
    allowedHosts: undefined,
    signal: new AbortController().signal,
  }
  return readBackground('https://example.com/image.png', tools)
}

const failWith = (failure: Error) => async () => {
  throw failure
}

it.each([
  new PageError('EBUSY', 'Too many images are waiting.', { retryAfterMs: 2_000 }),
  new PageError('EFATAL', 'The process for images ended unexpectedly.'),
])('is not blamed on the parameter when the service fails with $code', async (failure) => {
  await expect(readImage(failWith(failure))).rejects.toBe(failure)
})

it.each([new Error('Not an image.'), new PageError('ETOOLARGE', 'The image needs too much memory.')])(
  'is blamed on the parameter when the image cannot be read: $message',
  async (failure) => {
    await expect(readImage(failWith(failure))).rejects.toMatchObject({
      code: 'EINVALOVERLAYBG',
      cause: failure,
    })
  },
)

it('is measured in the turn of the client', async () => {
  let measuredFor: string | undefined
  await readImage(async (_, { client }) => {
    measuredFor = client
    return { width: 1, height: 1 }
  })
  expect(measuredFor).toBe('visitor')
})
