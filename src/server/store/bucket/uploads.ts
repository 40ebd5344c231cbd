import { LRUCache } from 'lru-cache'
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isPageError } from '../../../query/index.js'
import type { ImageStore } from '../store-parts.js'
import { isImageName, type ImageName } from '../stored-image.js'
import { BUCKET_DAYS, isRejected, type Bucket, type BucketDays } from './open-bucket.js'

/** Uploads to a bucket, repeated until they succeed. */
export interface Uploads {
  /**
   * Uploads an image that is stored on this machine. Resolves when it is in the bucket, or when the bucket failed and the image
   * is uploaded later; while others wait for that, at once.
   *
   * @param days  How long it stays in the bucket.
   */
  add(name: ImageName, bytes: Uint8Array, days: BucketDays): Promise<void>
  /** How long an image stays in the bucket from its last upload, or later one, in days; 0 if that is not known. */
  daysOf(name: ImageName): BucketDays | 0
  /** Uploads none of the images later. One whose upload is running is deleted from the bucket once it is there. */
  remove(names: readonly ImageName[]): void
  /** Images that are not in the bucket yet. */
  pending(): ReadonlySet<ImageName>
  /** Waits for the running upload; the others go on after the next start. */
  close(): Promise<void>
}

/** The oldest images come first; what does not fit stays on this machine alone. */
const MAX_PENDING = 10_000
/** For the images of an earlier run, whose entries may live as long as any. */
const MOST_DAYS = Math.max(...BUCKET_DAYS) as BucketDays
const FIRST_DELAY_MS = 1_000
const MAX_DELAY_MS = 30_000
/** Rejections of one image, each followed by the upload of another: the bucket works, and does not accept this image. */
const MAX_REJECTIONS = 3
/** A round ends after so many, because the bucket may reject every image. */
const MAX_REJECTED_PER_ROUND = 10

/**
 * Goes on with the uploads of an earlier run.
 *
 * @param folder   Has an empty file for each image that is not in the bucket yet, named as the image; they survive a restart, unlike
 *                 what is in memory. Created with the first of them.
 * @param onError  Receives all errors except the errors of a bucket that fails.
 */
export async function createUploads(
  bucket: Pick<Bucket, 'put' | 'delete'>,
  local: Pick<ImageStore, 'readImage'>,
  { folder, onError }: { folder: string; onError: (error: unknown) => void },
): Promise<Uploads> {
  const listed = await readdir(folder).catch((): string[] => [])
  const pending = new Set<ImageName>(listed.filter(isImageName).slice(0, MAX_PENDING))
  const removed = new LRUCache<ImageName, number>({ max: MAX_PENDING })
  /** Of the last upload of each image, or the one to come. */
  const daysOf = new LRUCache<ImageName, BucketDays>({ max: 2 * MAX_PENDING })
  const rejections = new Map<ImageName, number>()
  /** Images that the bucket has rejected since it accepted one. */
  const rejectedLast = new Set<ImageName>()
  let delayMs = FIRST_DELAY_MS
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> | undefined
  let isClosed = false

  function schedule(): void {
    if (isClosed || timer || running || pending.size === 0) return
    timer = setTimeout(() => {
      timer = undefined
      running = uploadOrBackOff().finally(() => {
        running = undefined
        schedule()
      })
    }, delayMs)
    timer.unref()
  }

  async function uploadOrBackOff(): Promise<void> {
    try {
      await uploadPending()
      delayMs = FIRST_DELAY_MS
    } catch (error) {
      delayMs = Math.min(2 * delayMs, MAX_DELAY_MS)
      // A bucket that fails is reported as an event, once.
      if (!isPageError(error)) onError(error)
    }
  }

  /** @throws  the error of a bucket that fails, or, once the others are uploaded, of an image that it rejects. */
  async function uploadPending(): Promise<void> {
    const rejected = new Map<ImageName, unknown>()
    for (const name of pending) {
      if (isClosed) return
      if (rejected.has(name)) continue
      const bytes = await local.readImage(name)
      try {
        if (bytes) await uploadOrMoveToEnd(name, bytes)
      } catch (error) {
        rejected.set(name, error)
        if (!isRejected(error) || rejected.size >= MAX_REJECTED_PER_ROUND) throw error
        continue
      }
      await forget(name)
    }
    for (const error of rejected.values()) throw error
  }

  /** The others come first next time, because the bucket may not accept this one. */
  async function uploadOrMoveToEnd(name: ImageName, bytes: Uint8Array): Promise<void> {
    try {
      await upload(name, bytes)
    } catch (error) {
      if (pending.delete(name)) pending.add(name)
      if (isRejected(error)) rejectedLast.add(name)
      throw error
    }
    delayMs = FIRST_DELAY_MS
    for (const rejected of rejectedLast) await countRejection(rejected)
    rejectedLast.clear()
  }

  async function countRejection(name: ImageName): Promise<void> {
    const count = (rejections.get(name) ?? 0) + 1
    rejections.set(name, count)
    if (count < MAX_REJECTIONS || !pending.has(name)) return
    await forget(name)
    onError(new Error(`The bucket rejects ${name} but accepts other images, so this image is on this machine alone.`))
  }

  /** An image may be purged while it is uploaded. */
  async function upload(name: ImageName, bytes: Uint8Array): Promise<void> {
    const startedAt = performance.now()
    await bucket.put(name, bytes, daysOf.get(name) ?? MOST_DAYS)
    if ((removed.get(name) ?? -1) >= startedAt) await bucket.delete(name).catch(onError)
  }

  async function forget(name: ImageName): Promise<void> {
    pending.delete(name)
    rejections.delete(name)
    await rm(join(folder, name), { force: true })
  }

  async function postpone(name: ImageName): Promise<void> {
    if (pending.size >= MAX_PENDING) return
    pending.add(name)
    // Without a marker it is uploaded unless the service is restarted first.
    await mark(name).catch(() => undefined)
    schedule()
  }

  async function mark(name: ImageName): Promise<void> {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    await writeFile(join(folder, name), '', { mode: 0o600 })
  }

  schedule()
  return {
    async add(name, bytes, days) {
      daysOf.set(name, pending.has(name) ? (Math.max(days, daysOf.get(name) ?? MOST_DAYS) as BucketDays) : days)
      if (pending.size > 0) return postpone(name)
      try {
        await upload(name, bytes)
      } catch (error) {
        if (!isPageError(error)) throw error
        await postpone(name)
      }
    },
    daysOf: (name) => daysOf.get(name) ?? 0,
    remove(names) {
      for (const name of names) {
        daysOf.delete(name)
        removed.set(name, performance.now())
        if (pending.has(name)) forget(name).catch(onError)
      }
    },
    pending: () => pending,
    async close() {
      isClosed = true
      clearTimeout(timer)
      await running
    },
  }
}
