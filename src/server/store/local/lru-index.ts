import type { Database } from './database.js'

const BY_USE = 0
const BY_EXPIRY = 1

/** What can be evicted on its own: a cache entry by its id, or an image that no entry names. */
export type LruItem = `entry:${string}` | `image:${string}`

/** The order of eviction and the total size. Every change belongs inside a transaction. */
export interface LruIndex {
  /** Size of all entries and images. */
  totalBytes(): number
  /** @param bytes  Negative when something was removed. */
  addBytes(bytes: number): void
  /** Adds the item, or moves it. */
  set(item: LruItem, position: { usedAt: number; expiresAt: number }): void
  delete(item: LruItem): void
  /** Ignores items that are not in the index, and times before the last use. */
  markUsed(item: LruItem, usedAt: number): void
  usedAt(item: LruItem): number | undefined
  leastRecentlyUsed(): LruItem | undefined
  firstExpired(now: number): LruItem | undefined
}

export function createLruIndex({
  order,
  positions,
  totals,
}: Pick<Database, 'order' | 'positions' | 'totals'>): LruIndex {
  const lruIndex: LruIndex = {
    totalBytes: () => totals.get('bytes') ?? 0,
    addBytes(bytes) {
      totals.putSync('bytes', lruIndex.totalBytes() + bytes)
    },
    set(item, { usedAt, expiresAt }) {
      lruIndex.delete(item)
      order.putSync([BY_USE, usedAt, item], true)
      order.putSync([BY_EXPIRY, expiresAt, item], true)
      positions.putSync(item, { usedAt, expiresAt })
    },
    delete(item) {
      const position = positions.get(item)
      if (!position) return
      order.removeSync([BY_USE, position.usedAt, item])
      order.removeSync([BY_EXPIRY, position.expiresAt, item])
      positions.removeSync(item)
    },
    markUsed(item, usedAt) {
      const position = positions.get(item)
      if (position && usedAt > position.usedAt) lruIndex.set(item, { ...position, usedAt })
    },
    usedAt: (item) => positions.get(item)?.usedAt,
    leastRecentlyUsed: () => firstOf(BY_USE)?.item,
    firstExpired(now) {
      const first = firstOf(BY_EXPIRY)
      return first && first.at <= now ? first.item : undefined
    },
  }
  return lruIndex

  function firstOf(index: number) {
    for (const row of order.getKeys({ start: [index], end: [index + 1] })) {
      const [, at, item] = row
      const position = positions.get(item)
      if (at === (index === BY_USE ? position?.usedAt : position?.expiresAt)) return { at, item: item as LruItem }
      // A row that belongs to no item would be evicted again and again.
      order.removeSync(row)
    }
    return undefined
  }
}
