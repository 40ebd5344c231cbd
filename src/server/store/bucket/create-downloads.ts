import { LRUCache } from 'lru-cache'
import type { ImageName } from '../image-name.js'
import type { Store } from '../store.js'
import type { Bucket } from './open-bucket.js'

/** The longest life of a cache entry, so a local copy lasts as long as any entry that names it. */
const LOCAL_COPY_TTL_MS = 31 * 86_400_000
/** Images whose running downloads must not be stored. */
const MAX_DELETED = 10_000

interface DownloadsOptions {
  clock: () => number
  /** Receives the error when no local copy could be written, which does not fail the download. */
  onError: (error: unknown) => void
}

/** Downloads images from a bucket, and stores local copies of them. */
export interface Downloads {
  /**
   * Concurrent calls for the same image share one request.
   *
   * @returns  `undefined` for an image that is not in the bucket, or was deleted meanwhile.
   */
  download(name: ImageName): Promise<Uint8Array | undefined>
  /** Keeps running downloads of deleted images from being stored. */
  markDeleted(names: readonly ImageName[]): void
}

export function createDownloads(local: Store, bucket: Bucket, { clock, onError }: DownloadsOptions): Downloads {
  const running = new Map<ImageName, Promise<Uint8Array | undefined>>()
  const deletedAt = new LRUCache<ImageName, number>({ max: MAX_DELETED })

  async function downloadAndCopy(name: ImageName): Promise<Uint8Array | undefined> {
    const startedAt = performance.now()
    const bytes = await bucket.get(name)
    if (bytes) await writeLocalCopy(name, bytes).catch(onError)
    if ((deletedAt.get(name) ?? -1) < startedAt) return bytes
    await local.deleteImages([name], { isShared: false })
    return undefined
  }

  async function writeLocalCopy(name: ImageName, bytes: Uint8Array): Promise<void> {
    await local.writeImage(bytes, name.split('.')[1]!)
    const createdAt = clock()
    const expiresAt = createdAt + LOCAL_COPY_TTL_MS
    await local.writeEntry(`copy of ${name}`, { createdAt, expiresAt, images: [name], body: null })
  }

  return {
    download(name) {
      const shared = running.get(name) ?? downloadAndCopy(name).finally(() => running.delete(name))
      running.set(name, shared)
      return shared
    },
    markDeleted(names) {
      for (const name of names) deletedAt.set(name, performance.now())
    },
  }
}
