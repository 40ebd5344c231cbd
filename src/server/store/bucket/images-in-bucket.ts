import { LRUCache } from 'lru-cache'
import pLimit from 'p-limit'
import { createDrainGate } from '../drain-gate.js'
import type { PurgeScope } from '../purges.js'
import type { CacheEntry } from '../cache-entry.js'
import type { Store } from '../store.js'
import { imageInMemory, isImageName, MissingImageError, type ImageName, type StoredImage } from '../stored-image.js'
import type { Bucket } from './open-bucket.js'
import { createUploads } from './uploads.js'

const CONCURRENT_DELETIONS = 16
/** The longest life of a cache entry, so a local copy lasts as long as any entry that names it. */
const LOCAL_COPY_TTL_MS = 31 * 86_400_000
/** Images whose running downloads must not be stored. */
const MAX_DELETED = 10_000

/**
 * Returns a store whose images are in a bucket that all instances share. The local store has copies, as many as fit. An
 * image is in the bucket before its name is returned, unless the bucket fails: then it is uploaded later.
 *
 * Only purges delete from the bucket; the rest is left to a lifecycle rule: every result writes its images again, and no
 * cache entry lives longer than 31 days, so a rule may delete objects older than that.
 *
 * @param uploadsFolder  Remembers the images that are uploaded later.
 * @param onError        Receives errors that fail no call, such as that no local copy could be written.
 */
export async function storeImagesInBucket(
  local: Store,
  bucket: Bucket,
  { uploadsFolder, clock, onError }: { uploadsFolder: string; clock: () => number; onError: (error: unknown) => void },
): Promise<Store> {
  const uploads = await createUploads(bucket, local, { folder: uploadsFolder, onError })
  const gate = createDrainGate('The store with its bucket')
  const downloads = createDownloads(local, bucket, { clock, onError })

  async function writeImage(bytes: Uint8Array, type: string, owner?: string): Promise<ImageName> {
    const name = await local.writeImage(bytes, type, owner)
    await uploads.add(name, bytes)
    return name
  }

  async function readImage(name: ImageName): Promise<Uint8Array | undefined> {
    return (await local.readImage(name)) ?? (isImageName(name) ? downloads.download(name) : undefined)
  }

  async function openImage(name: ImageName): Promise<StoredImage | undefined> {
    const copy = await local.openImage(name)
    if (copy || !isImageName(name)) return copy
    const bytes = await downloads.download(name)
    // There is no local copy of an image that is larger than the local store.
    return bytes && ((await local.openImage(name)) ?? imageInMemory(bytes))
  }

  async function writeEntry<Body>(key: string, entry: CacheEntry<Body>): Promise<void> {
    try {
      await local.writeEntry(key, entry)
    } catch (error) {
      if (!(error instanceof MissingImageError)) throw error
      // The image may be in the bucket alone, because another instance wrote it or the local copy was evicted.
      await Promise.all(entry.images.map((name) => downloads.download(name)))
      await local.writeEntry(key, entry)
    }
  }

  async function deleteImages(names: readonly ImageName[], scope: PurgeScope): Promise<void> {
    const inTurn = pLimit(CONCURRENT_DELETIONS)
    if (scope.isShared) await Promise.all(names.map((name) => inTurn(() => bucket.delete(name))))
    downloads.markDeleted(names)
    await local.deleteImages(names, scope)
  }

  return {
    ...local,
    deleteImages: (names, scope) => gate.run(() => deleteImages(names, scope)),
    writeImage: (...image) => gate.run(() => writeImage(...image)),
    readImage: (name) => gate.run(() => readImage(name)),
    openImage: (name) => gate.run(() => openImage(name)),
    writeEntry: (key, entry) => gate.run(() => writeEntry(key, entry)),
    dependencies: () => ({ ...local.dependencies(), bucket: bucket.state() }),
    checkDependencies: () => bucket.check(),
    pendingUploads: () => uploads.pending(),
    close: () => gate.close(() => uploads.close().then(() => local.close())),
  }
}

/** Downloads images from the bucket, and stores local copies of them. */
function createDownloads(
  local: Store,
  bucket: Bucket,
  { clock, onError }: { clock: () => number; onError: (error: unknown) => void },
) {
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
    /**
     * Concurrent calls for the same image share one request.
     *
     * @returns  `undefined` for an image that is not in the bucket, or was deleted meanwhile.
     */
    download(name: ImageName): Promise<Uint8Array | undefined> {
      const shared = running.get(name) ?? downloadAndCopy(name).finally(() => running.delete(name))
      running.set(name, shared)
      return shared
    },
    /** Keeps running downloads of deleted images from being stored. */
    markDeleted(names: readonly ImageName[]): void {
      for (const name of names) deletedAt.set(name, performance.now())
    },
  }
}
