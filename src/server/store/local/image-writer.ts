import { createImageName, type ImageName } from '../image-name.js'
import type { Database } from './database.js'
import type { ImageFiles } from './image-files.js'
import type { ImageTable } from './image-table.js'
import type { Maintenance } from './maintenance.js'
import type { VerifiedImages } from './verified-images.js'

export interface ImageWriterOptions {
  database: Database
  files: ImageFiles
  imageTable: ImageTable
  maintenance: Maintenance
  verifiedImages: VerifiedImages
  maxBytes: number
}

/** Writes the images of a local store: files for the bytes, rows for their size and last use. */
export function createImageWriter(options: ImageWriterOptions) {
  const { database, files, imageTable, maintenance, verifiedImages, maxBytes } = options

  async function writeImage(bytes: Uint8Array, type: string, owner?: string): Promise<ImageName> {
    const name = await createImageName(bytes, type)
    if (bytes.length > maxBytes)
      throw new RangeError(`An image of ${bytes.length} bytes is larger than the whole store (${maxBytes} bytes)`)
    if (!(await addExisting(name, bytes.length, owner))) await addNew(name, bytes, owner)
    await maintenance.evict(owner)
    return name
  }

  /** Checks for the file inside the transaction, because another process may remove it until then. */
  async function addExisting(name: ImageName, size: number, owner: string | undefined): Promise<boolean> {
    if (!files.has(name, size)) return false
    return database.addData(() => {
      if (!files.has(name, size)) return false
      imageTable.add(name, size, owner)
      return true
    })
  }

  async function addNew(name: ImageName, bytes: Uint8Array, owner: string | undefined): Promise<void> {
    const temporaryPath = await files.writeTemporary(bytes)
    let isInPlace = false
    try {
      await database.addData(() => {
        if (!isInPlace) files.commit(temporaryPath, name)
        isInPlace = true
        imageTable.add(name, bytes.length, owner)
      })
      verifiedImages.addWritten(name)
    } finally {
      await files.removeTemporary(temporaryPath)
    }
  }

  return { writeImage }
}
