import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { ImageName } from '../image-name.js'
import type { ImageFiles } from './image-files.js'

const MAX_NAMES = 50_000

/**
 * Checks the content of each image file when it is first read since the start, unless it was written since then: the name of an
 * image is the SHA-256 of its bytes, and a file can be damaged without a change of its length.
 */
export function createVerifiedImages(files: Pick<ImageFiles, 'stream'>) {
  const verified = new LRUCache<ImageName, true>({ max: MAX_NAMES })

  /** Reads the file once more than necessary, in pieces, because a large one should not be in memory as a whole. */
  async function isIntact(name: ImageName, size: number): Promise<boolean> {
    if (verified.get(name)) return true
    const hash = createHash('sha256')
    for await (const chunk of files.stream(name, { start: 0, end: Math.max(size - 1, 0) })) hash.update(chunk)
    if (!name.startsWith(`${hash.digest('hex')}.`)) return false
    verified.set(name, true)
    return true
  }

  /** Remembers an image that was written under the hash of its bytes. */
  const addWritten = (name: ImageName) => void verified.set(name, true)

  return { isIntact, addWritten }
}

export type VerifiedImages = ReturnType<typeof createVerifiedImages>
