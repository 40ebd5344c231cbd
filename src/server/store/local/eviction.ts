import { setImmediate as nextTurn } from 'node:timers/promises'
import { isImageName, type ImageName } from '../stored-image.js'
import { scan, type CacheDatabase, type CacheSettings, type CacheTables, type LruItem } from './cache-database.js'
import { ROWS_PER_TRANSACTION } from './database-file.js'
import type { ImageFiles } from './image-files.js'

/** Removes what has expired and keeps the store within its size, in small transactions between which requests are served. */
export function createEviction(
  database: CacheDatabase,
  { clock, accesses }: Pick<CacheSettings, 'clock' | 'accesses'>,
) {
  /**
   * Evicts until the store is within its size and nothing in it has expired.
   *
   * @param writer  The owner of what was written just now.
   */
  async function evict(writer?: string): Promise<void> {
    const isNeeded = () => database.read((tables) => tables.isTooLarge() || tables.firstExpired(clock()) !== undefined)
    while (isNeeded() && database.write((tables) => evictBatch(tables, writer))) await nextTurn()
  }

  /** Writes the accesses that are in memory only. */
  async function flushAccesses(): Promise<void> {
    await database.changeEach(accesses.takeAll(), (tables, { item, usedAt }) => tables.markUsed(item, usedAt))
  }

  /** @returns  Whether there may be more to evict. */
  function evictBatch(tables: CacheTables, writer: string | undefined): boolean {
    for (let evicted = 0; evicted < ROWS_PER_TRANSACTION; evicted++) if (!evictNext(tables, writer)) return false
    return true
  }

  /**
   * Evicts what has expired and, while the store is too large, the least recently used: of the writer if it has more than its
   * share, else of the owner that has the most beyond its share, else of all.
   */
  function evictNext(tables: CacheTables, writer: string | undefined): boolean {
    const expired = tables.firstExpired(clock())
    if (expired) {
      if ('entry' in expired) tables.deleteEntry(expired.entry)
      else tables.deleteImage(expired.image)
      return true
    }
    if (!tables.isTooLarge()) return false
    const oldest = itemToEvict(tables, writer)
    if (!oldest) return false
    const usedAt = accesses.take(oldest)
    if (usedAt !== undefined && usedAt > oldest.usedAt) tables.markUsed(oldest, usedAt)
    else deleteLeastRecentlyUsed(tables, oldest)
    return true
  }

  /** An owner with more than its share cannot evict what others have, however much another owner has. */
  function itemToEvict(tables: CacheTables, writer: string | undefined) {
    const largest = writer !== undefined && tables.isLarge(writer) ? writer : tables.largestOwner()
    return (largest === undefined ? undefined : tables.leastRecentlyUsedOf(largest)) ?? tables.leastRecentlyUsed()
  }

  /** Images that were used after their entry stay, because a page may show them without requesting the entry. */
  function deleteLeastRecentlyUsed(tables: CacheTables, item: LruItem & { usedAt: number }): void {
    if ('image' in item) return tables.deleteImage(item.image)
    tables.deleteEntry(item.entry, ({ retainUntil, usedAt }) => retainUntil > clock() && usedAt > item.usedAt)
  }

  return { evict, flushAccesses }
}

/**
 * Makes image files and their rows consistent after a process was killed or files were lost: removes files without a row,
 * and rows without a file together with the entries that name them.
 *
 * Other processes may use the store at the same time, so each mismatch is checked again inside the transaction that
 * removes it.
 */
export async function repairImages(database: CacheDatabase, files: ImageFiles): Promise<void> {
  const fileNames = await files.list()
  const rowNames = new Set<ImageName>()
  for await (const rows of scan(database, (tables, after) => tables.imagesAfter(after)))
    for (const { name } of rows) if (isImageName(name)) rowNames.add(name)
  await database.changeEach(
    [...fileNames].filter((name) => !rowNames.has(name)),
    (tables, name) => {
      if (tables.sizeOfImage(name) === undefined) files.remove(name)
    },
  )
  await database.changeEach(
    [...rowNames].filter((name) => !fileNames.has(name)),
    (tables, name) => {
      const size = tables.sizeOfImage(name)
      if (size !== undefined && files.sizeOf(name) !== size) tables.deleteLostImage(name)
    },
  )
  await files.removeAbandonedTemporaries()
}
