import { crc32 } from 'node:zlib'
import { openPromise } from 'yauzl'

/** Four times the largest Chromium so far. */
const MAX_UNPACKED_BYTES = 1_500_000_000

/**
 * Reads a zip file completely: not every program that unpacks it compares its checksums, and none limits its size.
 *
 * @throws  {Error} if a file in it is damaged, or all of them together are too large.
 */
export async function checkArchive(path: string, signal: AbortSignal): Promise<void> {
  const archive = await openPromise(path, { autoClose: false })
  let unpackedBytes = 0
  try {
    for await (const entry of archive.eachEntry()) {
      unpackedBytes += entry.uncompressedSize
      if (unpackedBytes > MAX_UNPACKED_BYTES) throw new Error(`it unpacks to more than ${MAX_UNPACKED_BYTES} bytes`)
      let checksum = 0
      // A stream fails if it is not of the size that was just counted.
      for await (const chunk of await archive.openReadStreamPromise(entry)) {
        signal.throwIfAborted()
        checksum = crc32(chunk as Buffer, checksum)
      }
      if (checksum !== entry.crc32) throw new Error(`${entry.fileName} in it is damaged`)
    }
  } finally {
    archive.close()
  }
}
