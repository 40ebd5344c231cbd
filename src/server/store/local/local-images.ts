import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { Store } from '../store.js'
import { createImageName, isImageName, type ImageName, type StoredImage } from '../stored-image.js'
import type { Database } from './database.js'
import type { EntryTable } from './entry-table.js'
import type { ImageFiles } from './image-files.js'
import type { ImageTable } from './image-table.js'
import type { Eviction } from './eviction.js'
import type { PendingAccesses } from './lru-index.js'
import { isDiskFull } from './open-environment.js'

/** What has the images of a local store: files for the bytes, rows for their size and last use. */
interface ImageStorage {
  database: Database
  files: ImageFiles
  imageTable: ImageTable
  entryTable: EntryTable
  eviction: Eviction
  pendingAccesses: PendingAccesses
  maxBytes: number
  clock: () => number
}

const MAX_VERIFIED_NAMES = 50_000

/** The images of a local store; one that is lost is deleted with the entries that name it. */
export function createLocalImages({
  database,
  files,
  imageTable,
  entryTable,
  eviction,
  pendingAccesses,
  maxBytes,
  clock,
}: ImageStorage): Pick<Store, 'writeImage' | 'readImage' | 'openImage'> {
  const verifiedImages = createVerifiedImages(files)

  async function writeImage(bytes: Uint8Array, type: string, owner?: string): Promise<ImageName> {
    const name = await createImageName(bytes, type)
    if (bytes.length > maxBytes)
      throw new RangeError(`An image of ${bytes.length} bytes is larger than the whole store (${maxBytes} bytes)`)
    if (!(await addExisting(name, bytes.length, owner))) await addNew(name, bytes, owner)
    await eviction.evict(owner)
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

/**
 * Checks the content of each image file when it is first read since the start, unless it was written since then: the name of an
 * image is the SHA-256 of its bytes, and a file can be damaged without a change of its length.
 */
export function createVerifiedImages(files: Pick<ImageFiles, 'stream'>) {
  const verified = new LRUCache<ImageName, true>({ max: MAX_VERIFIED_NAMES })

  /** Reads the file once more than necessary, in pieces, because a large one should not be in memory as a whole. */
  async function isIntact(name: ImageName, size: number): Promise<boolean> {
    if (verified.get(name)) return true
    const hash = createHash('sha256')
    for await (const chunk of files.stream(name, { start: 0, end: Math.max(size - 1, 0) })) hash.update(chunk)
    if (!name.startsWith(`${hash.digest('hex')}.`)) return false
    verified.set(name, true)
    return true
  }

  /** Remembers an image that was written under the hash of its bytes. */
  const addWritten = (name: ImageName) => void verified.set(name, true)

  return { isIntact, addWritten }
}

/**
 * Makes image files and their rows consistent after a process was killed or files were lost: removes files without a row,
 * and rows without a file together with the entries that name them.
 *
 * Other processes may use the store at the same time, so each mismatch is checked again inside the transaction that
 * removes it.
 */
export async function repairImages({
  database,
  files,
  entryTable,
}: Pick<ImageStorage, 'database' | 'files' | 'entryTable'>): Promise<void> {
  const fileNames = await files.list()
  const rowNames = new Set(database.images.getKeys())

  await database.changeEach(
    [...fileNames].filter((name) => !rowNames.has(name)),
    (name) => {
      if (!database.images.doesExist(name)) files.remove(name)
    },
  )
  await database.changeEach(
    [...rowNames].filter((name) => !fileNames.has(name)),
    (name) => {
      const size = database.images.get(name)?.size
      if (size !== undefined && !files.has(name, size)) entryTable.deleteLostImage(name)
    },
  )
  await files.removeAbandonedTemporaries()
}
