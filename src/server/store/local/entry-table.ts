import type { ImageName } from '../image-name.js'
import type { CacheEntry } from '../store.js'
import type { Database } from './database.js'
import { ROWS_BYTES, type ImageTable, type RetentionRule } from './image-table.js'
import type { LruIndex } from './lru-index.js'

export interface EntryTableOptions {
  database: Pick<Database, 'entries'>
  imageTable: ImageTable
  lruIndex: LruIndex
  maxBytes: number
  clock: () => number
}

/** The cache entries, and with them the images that only they name. Every method belongs inside a transaction. */
export type EntryTable = ReturnType<typeof createEntryTable>

export function createEntryTable({ database, imageTable, lruIndex, maxBytes, clock }: EntryTableOptions) {
  const { entries } = database
  const isUnexpired: RetentionRule = ({ retainUntil }) => retainUntil > clock()

  function put(id: string, entry: CacheEntry) {
    const previous = entries.get(id)
    const size = write(id, entry)
    lruIndex.addBytes(size - (previous?.size ?? 0))
    for (const name of entry.images) imageTable.addReference(name, id, entry.expiresAt)
    for (const name of previous?.images ?? []) {
      if (!entry.images.includes(name)) imageTable.removeReference(name, id, isUnexpired)
    }
    lruIndex.set(`entry:${id}`, { usedAt: clock(), expiresAt: entry.expiresAt })
  }

  /** Writes twice, because the size of an entry is known only once it is encoded. */
  function write(id: string, entry: CacheEntry): number {
    entries.putSync(id, { ...entry, size: 0 })
    const size = (entries.getBinary(id)?.length ?? 0) + ROWS_BYTES
    if (size > maxBytes)
      throw new RangeError(`A cache entry of ${size} bytes is larger than the whole store (${maxBytes} bytes)`)
    entries.putSync(id, { ...entry, size })
    return size
  }

  /** @param isRetained  Decides about images that no other entry names. Default: they stay until they expire. */
  function deleteEntry(id: string, isRetained = isUnexpired) {
    const entry = entries.get(id)
    if (!entry) return
    entries.removeSync(id)
    lruIndex.addBytes(-entry.size)
    for (const name of entry.images) imageTable.removeReference(name, id, isRetained)
    lruIndex.delete(`entry:${id}`)
  }

  /** Deletes an image whose file is lost, and the entries that name it. */
  function deleteLostImage(name: ImageName) {
    for (const id of imageTable.entryIdsOf(name)) deleteEntry(id)
    imageTable.delete(name)
  }

  return { put, delete: deleteEntry, deleteLostImage }
}
