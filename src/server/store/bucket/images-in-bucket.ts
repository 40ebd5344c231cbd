import { LRUCache } from 'lru-cache'
import pLimit from 'p-limit'
import { DAY_MS } from '../../utc-day.js'
import type { CacheEntry } from '../cache-entry.js'
import type { EntryStore, ImageStore, ResultStore } from '../store-parts.js'
import { imageInMemory, isImageName, MissingImageError, type ImageName } from '../stored-image.js'
import { BUCKET_DAYS, type Bucket, type BucketDays } from './open-bucket.js'
import { createUploads } from './uploads.js'

const CONCURRENT_DELETIONS = 16
/** The longest life of a cache entry, so a local copy lasts as long as any entry that names it. */
const LOCAL_COPY_TTL_MS = 31 * DAY_MS
/** Images whose running downloads must not be stored. */
const MAX_DELETED = 10_000

/**
 * Stores images in a bucket that all instances share. The local store has copies, as many as fit. An image is in the bucket
 * before its name is returned, unless the bucket fails: then it is uploaded later.
 *
 * Only purges delete from the bucket; the rest is left to lifecycle rules: every result writes its images again, into the folder whose
 * objects outlive its entry. Most entries live for a day, and no one longer than 31.
 *
 * @param uploadsFolder  Remembers the images that are uploaded later.
 * @param onError        Receives errors that fail no call, such as that no local copy could be written.
 * @returns              What takes the place of the local parts.
 */
export async function storeImagesInBucket(
  local: ResultStore,
  bucket: Bucket,
  { uploadsFolder, clock, onError }: { uploadsFolder: string; clock: () => number; onError: (error: unknown) => void },
) {
  const uploads = await createUploads(bucket, local.images, { folder: uploadsFolder, onError })
  const downloads = createDownloads(local, bucket, { clock, onError })

  const images: ImageStore = {
    async writeImage(bytes, type, owner, lifetimeMs = DAY_MS) {
      const name = await local.images.writeImage(bytes, type, owner)
      await uploads.add(name, bytes, daysFor(lifetimeMs))
      return name
    },
    async readImage(name) {
      return (await local.images.readImage(name)) ?? (isImageName(name) ? downloads.download(name) : undefined)
    },
    async openImage(name) {
      const copy = await local.images.openImage(name)
      if (copy || !isImageName(name)) return copy
      const bytes = await downloads.download(name)
      // There is no local copy of an image that is larger than the local store.
      return bytes && ((await local.images.openImage(name)) ?? imageInMemory(bytes))
    },
    async deleteImages(names, scope) {
      uploads.remove(names)
      const inTurn = pLimit(CONCURRENT_DELETIONS)
      if (scope.isShared) await Promise.all(names.map((name) => inTurn(() => bucket.delete(name))))
      downloads.markDeleted(names)
      await local.images.deleteImages(names, scope)
    },
  }

  const entries: EntryStore = {
    ...local.entries,
    async writeEntry(key, entry) {
      try {
        await local.entries.writeEntry(key, entry)
      } catch (error) {
        if (!(error instanceof MissingImageError)) throw error
        // The image may be in the bucket alone, because another instance wrote it or the local copy was evicted.
        await Promise.all(entry.images.map((name) => downloads.download(name)))
        await local.entries.writeEntry(key, entry)
      }
      await keepImages(entry).catch(onError)
    },
    async extendEntry(key, life) {
      await local.entries.extendEntry(key, life)
      await keepImages(life).catch(onError)
    },
  }

  /** Uploads images again that the lifecycle rules would delete before their entry expires. */
  async function keepImages({ images, createdAt, expiresAt }: Pick<CacheEntry, 'images' | 'createdAt' | 'expiresAt'>) {
    const days = daysFor(expiresAt - createdAt)
    if (days === BUCKET_DAYS[0]) return
    for (const name of images.filter((image) => uploads.daysOf(image) < days)) {
      const bytes = (await local.images.readImage(name)) ?? (await downloads.download(name))
      if (bytes) await uploads.add(name, bytes, days)
    }
  }

  return { entries, images, uploads }
}

/** An image is written before its entry, so that its folder has a day to spare. */
const daysFor = (lifetimeMs: number): BucketDays =>
  BUCKET_DAYS.find((days) => lifetimeMs <= (days - 1) * DAY_MS) ?? BUCKET_DAYS.at(-1)!

/** Downloads images from the bucket, and stores local copies of them. */
function createDownloads(
  local: ResultStore,
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
    await local.images.deleteImages([name], { isShared: false })
    return undefined
  }

  async function writeLocalCopy(name: ImageName, bytes: Uint8Array): Promise<void> {
    await local.images.writeImage(bytes, name.split('.')[1]!)
    const createdAt = clock()
    const expiresAt = createdAt + LOCAL_COPY_TTL_MS
    await local.entries.writeEntry(`copy of ${name}`, { createdAt, expiresAt, images: [name], body: null })
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
