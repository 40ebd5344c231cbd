import type { StoredImage } from './store.js'

/** A stored image whose bytes are in memory, because there is no file of it. */
export const imageInMemory = (bytes: Uint8Array): StoredImage => ({
  size: bytes.byteLength,
  stream: ({ start, end }) => new Blob([bytes.slice(start, end + 1)]).stream(),
})
