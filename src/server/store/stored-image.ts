import { createHash } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'

/**
 * Name of a stored image, as in `/images/<name>`: the SHA-256 of its bytes in hex, a dot, its file type. Audio and video files are
 * stored under such a name too.
 */
export type ImageName = `${string}.${string}`

/** A stored image, audio or video file whose bytes are read when they are needed. */
export interface StoredImage {
  /** Bytes. */
  size: number
  /**
   * Reads the file as fast as the stream is consumed; cancelling it closes the file.
   *
   * @param start  The first byte.
   * @param end    The last byte, included.
   */
  stream(range: { start: number; end: number }): ReadableStream<Uint8Array<ArrayBuffer>>
}

/** A cache entry names an image that is not stored, or no longer. */
export class MissingImageError extends Error {
  override readonly name = 'MissingImageError'
  constructor(image: ImageName) {
    super(`The image ${image} is not stored, so no cache entry can name it; write the image again first`)
  }
}

const IMAGE_NAME = /^[0-9a-f]{64}\.[a-z0-9]{1,8}$/
/** Takes about a millisecond. */
const PIECE_BYTES = 256 * 1_024

/** Whether a string has the form of an image name, so that it can be part of a path without leaving the folder. */
export function isImageName(name: string): name is ImageName {
  return IMAGE_NAME.test(name)
}

/**
 * Names an image by its content, so that the same bytes are stored once.
 *
 * @throws {TypeError} when the type is not 1–8 lower-case letters and digits.
 */
export async function createImageName(bytes: Uint8Array, type: string): Promise<ImageName> {
  const name = `${await hashBytes(bytes)}.${type}`
  if (!isImageName(name)) throw new TypeError(`${JSON.stringify(type)} is not a file type such as "jpg"`)
  return name
}

/**
 * SHA-256 in hex. Others are served between its pieces, because an image of 50 MB takes a quarter of a second. The thread pool
 * would need a copy of the bytes, made on the main thread, and would keep file accesses and look-ups of names waiting.
 */
export async function hashBytes(bytes: Uint8Array): Promise<string> {
  const hash = createHash('sha256')
  for (let start = 0; start < bytes.length; start += PIECE_BYTES) {
    if (start > 0) await nextTurn()
    hash.update(bytes.subarray(start, start + PIECE_BYTES))
  }
  return hash.digest('hex')
}

/** A stored image whose bytes are in memory, because there is no file of it. */
export const imageInMemory = (bytes: Uint8Array): StoredImage => ({
  size: bytes.byteLength,
  stream: ({ start, end }) => new Blob([bytes.slice(start, end + 1)]).stream(),
})
