import pLimit from 'p-limit'
import { createDrainGate } from '../drain-gate.js'
import { imageInMemory } from '../image-in-memory.js'
import { isImageName, type ImageName } from '../image-name.js'
import type { PurgeScope } from '../purge/purge.js'
import { MissingImageError, type CacheEntry, type Store, type StoredImage } from '../store.js'
import { createDownloads } from './create-downloads.js'
import type { Uploads } from './create-uploads.js'
import type { Bucket } from './open-bucket.js'

const CONCURRENT_DELETIONS = 16

export interface BucketImagesOptions {
  uploads: Uploads
  clock: () => number
  /** Receives the error when no local copy could be written, which does not fail the read. */
  onError: (error: unknown) => void
}

/**
 * Returns a store whose images are in a bucket that all instances share. The local store has copies, as many as fit. An
 * image is in the bucket before its name is returned, unless the bucket fails: then it is uploaded later.
 *
 * Only purges delete from the bucket; the rest is left to a lifecycle rule: every result writes its images again, and no
 * cache entry lives longer than 31 days, so a rule may delete objects older than that.
 */
export function storeImagesInBucket(
  local: Store,
  bucket: Bucket,
  { uploads, clock, onError }: BucketImagesOptions,
): Store {
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
