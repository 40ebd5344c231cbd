import { createDrainGate } from '../drain-gate.js'
import { isImageName, nameImage } from '../image-files.js'
import { MissingImageError, type ImageName, type Store } from '../store.js'
import type { Bucket } from './open-bucket.js'

/** As long as the longest life of an answer; what is not used goes sooner when the disk holds too much. */
const CACHE_MS = 31 * 86_400_000

export interface BucketImagesOptions {
  clock: () => number
  /** Told when the disk could not take a copy, which nobody waits for. */
  onError: (error: unknown) => void
}

/**
 * A store whose images lie in a bucket, where all instances find them; the disk of the store underneath holds copies, as
 * many as fit. An image is in the bucket before anybody learns its name.
 *
 * Nothing is ever removed from the bucket: that is a lifecycle rule's job. Every image is written anew with every answer that
 * names it, and no answer lives longer than 31 days: a rule may remove what is older than that.
 */
export function keepImagesInBucket(disk: Store, bucket: Bucket, { clock, onError }: BucketImagesOptions): Store {
  const gate = createDrainGate('The store with its bucket')
  const fetching = new Map<ImageName, Promise<Uint8Array | undefined>>()

  async function fetchImage(name: ImageName): Promise<Uint8Array | undefined> {
    const bytes = await bucket.get(name)
    if (bytes) await copy(name, bytes).catch(onError)
    return bytes
  }

  async function copy(name: ImageName, bytes: Uint8Array): Promise<void> {
    await disk.writeImage(bytes, name.split('.')[1]!)
    const createdAt = clock()
    await disk.writeEntry(`copy of ${name}`, { createdAt, expiresAt: createdAt + CACHE_MS, images: [name], body: null })
  }

  /** However many ask for one at the same time, it is fetched once. */
  function fetchOnce(name: ImageName): Promise<Uint8Array | undefined> {
    const running = fetching.get(name) ?? fetchImage(name).finally(() => fetching.delete(name))
    fetching.set(name, running)
    return running
  }

  return {
    ...disk,
    writeImage: (bytes, type) =>
      gate.enter(async () => {
        await bucket.put(nameImage(bytes, type), bytes)
        return disk.writeImage(bytes, type)
      }),
    readImage: (name) =>
      gate.enter(async () => (await disk.readImage(name)) ?? (isImageName(name) ? fetchOnce(name) : undefined)),
    writeEntry: (key, answer) =>
      gate.enter(async () => {
        try {
          await disk.writeEntry(key, answer)
        } catch (error) {
          if (!(error instanceof MissingImageError)) throw error
          // The disk has room for some only.
          await Promise.all(answer.images.map(fetchOnce))
          await disk.writeEntry(key, answer)
        }
      }),
    isReady: async () => gate.isOpen() && (await Promise.all([disk.isReady(), bucket.isReady()])).every(Boolean),
    close: () => gate.close(() => disk.close()),
  }
}
