import { imageInMemory } from '../image-in-memory.js'
import { createImageName, type ImageName } from '../image-name.js'
import type { Store } from '../store.js'
import type { DiskState } from './disk-state.js'
import type { UnsavedResults } from './unsaved-results.js'

interface FallbackImages extends Pick<Store, 'writeImage' | 'readImage' | 'openImage'> {
  /** Writes an image that is in memory only; does nothing for others. */
  saveImage: (name: ImageName, owner: string | undefined) => Promise<void>
}

/** Images that stay in memory where the disk cannot be written. */
export function createFallbackImages(store: Store, { images }: UnsavedResults, disk: DiskState): FallbackImages {
  return {
    async writeImage(bytes, type, owner) {
      try {
        const name = await store.writeImage(bytes, type, owner)
        images.delete(name)
        disk.markWorking()
        return name
      } catch (error) {
        disk.markFailed(error)
        const name = await createImageName(bytes, type)
        images.set(name, bytes)
        return name
      }
    },
    readImage: async (name) => images.get(name) ?? store.readImage(name),
    async openImage(name) {
      const bytes = images.get(name)
      return bytes ? imageInMemory(bytes) : store.openImage(name)
    },
    async saveImage(name, owner) {
      const bytes = images.get(name)
      if (!bytes) return
      await store.writeImage(bytes, name.split('.')[1]!, owner)
      images.delete(name)
    },
  }
}
