import { isImageName, type ImageName } from '../image-name.js'
import type { StoredImage } from '../store.js'
import type { Database } from './database.js'
import type { EntryTable } from './entry-table.js'
import type { ImageFiles } from './image-files.js'
import { isDiskFull } from './open-environment.js'
import type { PendingAccesses } from './pending-accesses.js'
import type { VerifiedImages } from './verified-images.js'

export interface ImageReaderOptions {
  database: Database
  files: ImageFiles
  entryTable: EntryTable
  pendingAccesses: PendingAccesses
  verifiedImages: VerifiedImages
  clock: () => number
}

/** Reads the images of a local store; one that is lost is deleted with the entries that name it. */
export function createImageReader(options: ImageReaderOptions) {
  const { database, files, entryTable, pendingAccesses, verifiedImages, clock } = options

  async function readImage(name: ImageName): Promise<Uint8Array | undefined> {
    if (!(await isStored(name))) return undefined
    const bytes = await files.read(name)
    if (!bytes) return undefined
    pendingAccesses.add(`image:${name}`, clock())
    return bytes
  }

  async function openImage(name: ImageName): Promise<StoredImage | undefined> {
    if (!(await isStored(name))) return undefined
    const size = database.images.get(name)?.size
    if (size === undefined) return undefined
    pendingAccesses.add(`image:${name}`, clock())
    return { size, stream: (range) => files.stream(name, range) }
  }

  /** Whether the image is stored and intact; otherwise it is deleted with the entries that name it. */
  async function isStored(name: ImageName): Promise<boolean> {
    if (!isImageName(name)) return false
    const size = database.images.get(name)?.size
    if (size === undefined) return false
    if (!files.has(name, size)) deleteLost(name)
    else if (await verifiedImages.isIntact(name, size)) return true
    else unlessFull(() => entryTable.deleteLostImage(name))
    return false
  }

  /** Checks again inside the transaction, because another process may have written the image meanwhile. */
  function deleteLost(name: ImageName) {
    unlessFull(() => {
      const size = database.images.get(name)?.size
      if (size !== undefined && !files.has(name, size)) entryTable.deleteLostImage(name)
    })
  }

  /** On a full disk, a lost image is found again with the next read. */
  function unlessFull(work: () => void) {
    try {
      database.transaction(work)
    } catch (error) {
      if (!isDiskFull(error)) throw error
    }
  }

  return { readImage, openImage }
}
