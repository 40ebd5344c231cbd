import type { ImageStore } from '../store-parts.js'
import { createImageName, isImageName, type ImageName } from '../stored-image.js'
import type { DataFolder, OpenFolder } from './data-folder.js'
import { isDiskFull } from './open-environment.js'

/**
 * The images of a local store: files for the bytes, rows for their size and last use. One that is lost is deleted with the entries
 * that name it.
 */
export const createLocalImages = (run: DataFolder['run']): ImageStore => ({
  writeImage: (bytes, type, owner) =>
    run(async (folder) => {
      const { maxBytes, eviction } = folder
      const name = await createImageName(bytes, type)
      if (bytes.length > maxBytes)
        throw new RangeError(`An image of ${bytes.length} bytes is larger than the whole store (${maxBytes} bytes)`)
      if (!(await addExisting(name, bytes.length, owner, folder))) await addNew(name, bytes, owner, folder)
      await eviction.evict(owner)
      return name
    }),

  readImage: (name) =>
    run(async (folder) => {
      const { files, pendingAccesses, clock } = folder
      if ((await findStored(name, folder)) === undefined) return undefined
      const bytes = await files.read(name)
      if (bytes) pendingAccesses.add(`image:${name}`, clock())
      return bytes
    }),

  openImage: (name) =>
    run(async (folder) => {
      const { files, pendingAccesses, clock } = folder
      const size = await findStored(name, folder)
      if (size === undefined) return undefined
      pendingAccesses.add(`image:${name}`, clock())
      return { size, stream: (range) => files.stream(name, range) }
    }),

  deleteImages: (names) =>
    run(({ database, entryTable }) => database.changeEach(names, (name) => entryTable.deleteLostImage(name))),
})

/** Checks for the file inside the transaction, because another process may remove it until then. */
async function addExisting(
  name: ImageName,
  size: number,
  owner: string | undefined,
  { files, database, imageTable }: OpenFolder,
): Promise<boolean> {
  if (!files.has(name, size)) return false
  return database.addData(() => {
    if (!files.has(name, size)) return false
    imageTable.add(name, size, owner)
    return true
  })
}

async function addNew(
  name: ImageName,
  bytes: Uint8Array,
  owner: string | undefined,
  { files, database, imageTable, verifiedImages }: OpenFolder,
): Promise<void> {
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

/** The size of an image that is stored and intact; otherwise it is deleted with the entries that name it. */
async function findStored(
  name: ImageName,
  { database, entryTable, files, verifiedImages }: OpenFolder,
): Promise<number | undefined> {
  if (!isImageName(name)) return undefined
  const size = database.images.get(name)?.size
  if (size === undefined) return undefined
  if (!files.has(name, size)) {
    unlessFull(() =>
      database.transaction(() => {
        // Another process may have written the image meanwhile.
        const latest = database.images.get(name)?.size
        if (latest !== undefined && !files.has(name, latest)) entryTable.deleteLostImage(name)
      }),
    )
    return undefined
  }
  if (await verifiedImages.isIntact(name, size)) return database.images.get(name)?.size
  unlessFull(() => database.transaction(() => entryTable.deleteLostImage(name)))
  return undefined
}

/** On a full disk, a lost image is found again with the next read. */
function unlessFull(work: () => void): void {
  try {
    work()
  } catch (error) {
    if (!isDiskFull(error)) throw error
  }
}
