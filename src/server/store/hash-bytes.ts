import { createHash } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'

/** Takes about a millisecond. */
const PIECE_BYTES = 256 * 1_024

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
