import { isPageError } from '../../../query/index.js'
import type { ImageName } from '../image-name.js'
import type { Store } from '../store.js'
import type { Bucket } from './open-bucket.js'
import type { UploadMarkers } from './upload-markers.js'

export interface UploadsOptions {
  bucket: Pick<Bucket, 'put'>
  local: Pick<Store, 'readImage'>
  /** Survive a restart, unlike what is in memory. */
  markers: UploadMarkers
  onError: (error: unknown) => void
}

/** Uploads to a bucket, repeated until they succeed. */
export interface Uploads {
  /**
   * Uploads an image that is stored on this machine. Resolves when it is in the bucket, or when the bucket failed and the image
   * is uploaded later; while others wait for that, at once.
   */
  add(name: ImageName, bytes: Uint8Array): Promise<void>
  /** Images that are not in the bucket yet. */
  pending(): ReadonlySet<ImageName>
  /** Waits for the running upload; the others go on after the next start. */
  close(): Promise<void>
}

/** The oldest images come first; what does not fit stays on this machine alone. */
const MAX_PENDING = 10_000
const FIRST_DELAY_MS = 1_000
const MAX_DELAY_MS = 30_000

export async function createUploads({ bucket, local, markers, onError }: UploadsOptions): Promise<Uploads> {
  const pending = new Set<ImageName>((await markers.list().catch(() => [])).slice(0, MAX_PENDING))
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

  async function uploadPending(): Promise<void> {
    for (const name of pending) {
      if (isClosed) return
      const bytes = await local.readImage(name)
      if (bytes) await bucket.put(name, bytes)
      pending.delete(name)
      await markers.remove(name)
    }
  }

  async function postpone(name: ImageName): Promise<void> {
    if (pending.size >= MAX_PENDING) return
    pending.add(name)
    // Without a marker it is uploaded unless the service is restarted first.
    await markers.add(name).catch(() => undefined)
    schedule()
  }

  schedule()
  return {
    async add(name, bytes) {
      if (pending.size > 0) return postpone(name)
      try {
        await bucket.put(name, bytes)
      } catch (error) {
        if (!isPageError(error)) throw error
        await postpone(name)
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
