import { setImmediate } from 'node:timers/promises'
import type { ImageName } from '../stored-image.js'
import type { Database } from './database.js'
import type { EntryTable } from './entry-table.js'
import type { ImageTable } from './image-table.js'
import type { LruIndex, LruItem, PendingAccesses } from './lru-index.js'
import { ROWS_PER_TRANSACTION } from './open-environment.js'

/** Removes what has expired and keeps the store within its size, in small transactions between which requests are served. */
export type Eviction = ReturnType<typeof createEviction>

export function createEviction({
  database,
  entryTable,
  imageTable,
  lruIndex,
  pendingAccesses,
  maxBytes,
  clock,
}: {
  database: Database
  entryTable: EntryTable
  imageTable: ImageTable
  lruIndex: LruIndex
  pendingAccesses: PendingAccesses
  maxBytes: number
  clock: () => number
}) {
  /**
   * Evicts until the store is within its size and nothing in it has expired.
   *
   * @param writer  The owner of what was written just now.
   */
  async function evict(writer?: string): Promise<void> {
    while (database.transaction(() => evictBatch(ROWS_PER_TRANSACTION, writer))) await setImmediate()
  }

  async function flushAccesses(): Promise<void> {
    for (;;) {
      const batch = pendingAccesses.takeBatch(ROWS_PER_TRANSACTION)
      if (batch.length === 0) return
      database.transaction(() => batch.forEach(([item, usedAt]) => markUsed(item, usedAt)))
      await setImmediate()
    }
  }

  /**
   * Evicts what has expired and, while the store is too large, the least recently used: of the writer if it has more than its
   * share, else of the owner that has the most beyond its share, else of all.
   *
   * @param writer  The owner of what was written just now.
   * @returns       Whether there may be more to evict.
   */
  function evictBatch(count: number, writer?: string): boolean {
    for (let evicted = 0; evicted < count; evicted++) if (!evictNext(writer)) return false
    return true
  }

  function evictNext(writer: string | undefined): boolean {
    const expired = lruIndex.firstExpired(clock())
    if (expired) {
      deleteExpired(expired)
      return true
    }
    if (lruIndex.totalBytes() <= maxBytes) return false
    const oldest = itemToEvict(writer)
    if (!oldest) return false
    if (!applyPendingAccess(oldest)) deleteLeastRecentlyUsed(oldest)
    return true
  }

  /** An owner with more than its share cannot evict what others have, however much another owner has. */
  function itemToEvict(writer: string | undefined): LruItem | undefined {
    const largest = writer !== undefined && lruIndex.isLarge(writer) ? writer : lruIndex.largestOwner()
    return (largest === undefined ? undefined : lruIndex.leastRecentlyUsedOf(largest)) ?? lruIndex.leastRecentlyUsed()
  }

  function deleteExpired(item: LruItem) {
    if (isImage(item)) imageTable.delete(imageNameOf(item))
    else entryTable.delete(entryIdOf(item))
  }

  /** Images that were used after their entry stay, because a page may show them without requesting the entry. */
  function deleteLeastRecentlyUsed(item: LruItem) {
    if (isImage(item)) return imageTable.delete(imageNameOf(item))
    const entryUsedAt = lruIndex.usedAt(item) ?? 0
    entryTable.delete(entryIdOf(item), ({ retainUntil, usedAt }) => retainUntil > clock() && usedAt > entryUsedAt)
  }

  /** Moves an item that was used after its position in the index was written; returns whether it did. */
  function applyPendingAccess(item: LruItem): boolean {
    const usedAt = pendingAccesses.take(item)
    if (usedAt === undefined || usedAt <= (lruIndex.usedAt(item) ?? usedAt)) return false
    markUsed(item, usedAt)
    return true
  }

  function markUsed(item: LruItem, usedAt: number) {
    if (isImage(item)) imageTable.markUsed(imageNameOf(item), usedAt)
    else lruIndex.markUsed(item, usedAt)
  }

  return { evict, flushAccesses }
}

const isImage = (item: LruItem): item is `image:${ImageName}` => item.startsWith('image:')
const imageNameOf = (item: `image:${ImageName}`) => item.slice('image:'.length) as ImageName
const entryIdOf = (item: LruItem) => item.slice('entry:'.length)
