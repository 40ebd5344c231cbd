import { createImageName, isImageName, type ImageName } from '../image-name.js'
import type { Store, StoredImage } from '../store.js'
import type { Database } from './database.js'
import type { EntryTable } from './entry-table.js'
import type { ImageFiles } from './image-files.js'
import type { ImageTable } from './image-table.js'
import type { Maintenance } from './maintenance.js'
import { isDiskFull } from './open-environment.js'
import type { PendingAccesses } from './pending-accesses.js'
import type { VerifiedImages } from './verified-images.js'

export interface LocalImagesOptions {
  database: Database
  files: ImageFiles
  entryTable: EntryTable
  imageTable: ImageTable
  maintenance: Maintenance
  pendingAccesses: PendingAccesses
  verifiedImages: VerifiedImages
  maxBytes: number
  clock: () => number
}

/** The images of a local store: files for the bytes, rows for their size and last use. */
export function createLocalImages(options: LocalImagesOptions): Pick<Store, 'writeImage' | 'readImage' | 'openImage'> {
  const { database, files, entryTable, imageTable, maintenance, pendingAccesses, verifiedImages, maxBytes, clock } =
    options

  async function writeImage(bytes: Uint8Array, type: string): Promise<ImageName> {
    const name = await createImageName(bytes, type)
    if (bytes.length > maxBytes)
      throw new RangeError(`An image of ${bytes.length} bytes is larger than the whole store (${maxBytes} bytes)`)
    if (!(await addExisting(name, bytes.length))) await addNew(name, bytes)
    await maintenance.evict()
    return name
  }

  /** Checks for the file inside the transaction, because another process may remove it until then. */
  async function addExisting(name: ImageName, size: number): Promise<boolean> {
    if (!files.has(name, size)) return false
    return database.addData(() => {
      if (!files.has(name, size)) return false
      imageTable.add(name, size)
      return true
    })
  }

  async function addNew(name: ImageName, bytes: Uint8Array): Promise<void> {
    const temporaryPath = await files.writeTemporary(bytes)
    let isInPlace = false
    try {
      await database.addData(() => {
        if (!isInPlace) files.commit(temporaryPath, name)
        isInPlace = true
        imageTable.add(name, bytes.length)
      })
      verifiedImages.addWritten(name)
    } finally {
      await files.removeTemporary(temporaryPath)
    }
  }

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

  return { writeImage, readImage, openImage }
}
