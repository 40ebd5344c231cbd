import { decodeEntry, encodeEntry, type CacheEntry } from '../cache-entry.js'
import type { ImageName } from '../stored-image.js'
import type { PurgeableItem } from '../purges.js'
import type { Database } from './database.js'
import { ROWS_BYTES, type ImageTable, type RetentionRule } from './image-table.js'
import type { LruIndex } from './lru-index.js'

/** The cache entries, and with them the images that only they name. Every method belongs inside a transaction. */
export type EntryTable = ReturnType<typeof createEntryTable>

export function createEntryTable({
  database,
  imageTable,
  lruIndex,
  maxBytes,
  clock,
}: {
  database: Pick<Database, 'entries'>
  imageTable: ImageTable
  lruIndex: LruIndex
  maxBytes: number
  clock: () => number
}) {
  const { entries } = database
  const isUnexpired: RetentionRule = ({ retainUntil }) => retainUntil > clock()

  function put(id: string, entry: CacheEntry) {
    const bytes = encodeEntry(entry)
    if (sizeOf(bytes) > maxBytes)
      throw new RangeError(`A cache entry of ${sizeOf(bytes)} bytes is larger than the whole store (${maxBytes} bytes)`)
    const previous = read(id)
    entries.putSync(id, bytes)
    if (previous) lruIndex.addBytes(-previous.size, lruIndex.ownerOf(`entry:${id}`))
    lruIndex.addBytes(sizeOf(bytes), entry.owner)
    for (const name of entry.images) imageTable.addReference(name, id, entry.expiresAt)
    for (const name of previous?.images ?? []) {
      if (!entry.images.includes(name)) imageTable.removeReference(name, id, isUnexpired, previous)
    }
    lruIndex.set(`entry:${id}`, { usedAt: clock(), expiresAt: entry.expiresAt, owner: entry.owner })
  }

  function read(id: string): ({ size: number; images: ImageName[] } & PurgeableItem) | undefined {
    const bytes = entries.get(id)
    if (!bytes) return undefined
    const { images = imageTable.imagesNamedBy(id), subjects, lastPurge } = decodeEntry(bytes) ?? {}
    return { size: sizeOf(bytes), images, subjects, lastPurge }
  }

  /** @param isRetained  Decides about images that no other entry names. Default: they stay until they expire. */
  function deleteEntry(id: string, isRetained = isUnexpired) {
    const entry = read(id)
    if (entry) {
      entries.removeSync(id)
      lruIndex.addBytes(-entry.size, lruIndex.ownerOf(`entry:${id}`))
    }
    for (const name of entry?.images ?? []) imageTable.removeReference(name, id, isRetained, entry)
    lruIndex.delete(`entry:${id}`)
  }

  /** Deletes an image whose file is lost, and the entries that name it. */
  function deleteLostImage(name: ImageName) {
    for (const id of imageTable.entryIdsOf(name)) deleteEntry(id)
    imageTable.delete(name)
  }

  return { put, delete: deleteEntry, deleteLostImage }
}

const sizeOf = (bytes: Buffer) => bytes.length + ROWS_BYTES
