import type { Database } from './database.js'

const BY_USE = 0
const BY_EXPIRY = 1
/** Rows of owners with more than their share. */
const LARGE_OWNERS = 2
/** The items of one owner, by use. */
const byUseOf = (owner: string) => `owner ${owner}`
const totalOf = (owner: string) => `owner ${owner}`

/** What can be evicted on its own: a cache entry by its id, or an image that no entry names. */
export type LruItem = `entry:${string}` | `image:${string}`

/** The order of eviction and the size, in all and of each owner. Every change belongs inside a transaction. */
export interface LruIndex {
  /** Size of all entries and images. */
  totalBytes(): number
  /** Whether an owner has more than its share. */
  isLarge(owner: string): boolean
  /** The owner that has the most, of those with more than their share. */
  largestOwner(): string | undefined
  /** @param bytes  Negative when something was removed. */
  addBytes(bytes: number, owner: string | undefined): void
  /** Adds the item, or moves it. */
  set(item: LruItem, position: { usedAt: number; expiresAt: number; owner?: string | undefined }): void
  delete(item: LruItem): void
  /** Ignores items that are not in the index, and times before the last use. */
  markUsed(item: LruItem, usedAt: number): void
  usedAt(item: LruItem): number | undefined
  ownerOf(item: LruItem): string | undefined
  leastRecentlyUsed(): LruItem | undefined
  /** `undefined` if the owner has no other item, because that may be the one which is being stored. */
  leastRecentlyUsedOf(owner: string): LruItem | undefined
  firstExpired(now: number): LruItem | undefined
}

/** @param shareBytes  The share of one owner. */
export function createLruIndex(
  { order, positions, totals }: Pick<Database, 'order' | 'positions' | 'totals'>,
  { shareBytes }: { shareBytes: number },
): LruIndex {
  const bytesOf = (owner: string) => totals.get(totalOf(owner)) ?? 0
  const lruIndex: LruIndex = {
    totalBytes: () => totals.get('bytes') ?? 0,
    isLarge: (owner) => bytesOf(owner) > shareBytes,
    largestOwner() {
      const owners = [...order.getKeys(rangeOf(LARGE_OWNERS))].map(([, , owner]) => owner)
      return owners
        .filter((owner) => lruIndex.isLarge(owner))
        .toSorted((one, other) => bytesOf(other) - bytesOf(one))[0]
    },
    addBytes(bytes, owner) {
      totals.putSync('bytes', lruIndex.totalBytes() + bytes)
      if (owner === undefined) return
      const ofOwner = bytesOf(owner) + bytes
      if (ofOwner > 0) totals.putSync(totalOf(owner), ofOwner)
      else totals.removeSync(totalOf(owner))
      if (ofOwner > shareBytes) order.putSync([LARGE_OWNERS, 0, owner], true)
      else order.removeSync([LARGE_OWNERS, 0, owner])
    },
    set(item, { usedAt, expiresAt, owner }) {
      lruIndex.delete(item)
      order.putSync([BY_USE, usedAt, item], true)
      order.putSync([BY_EXPIRY, expiresAt, item], true)
      if (owner !== undefined) order.putSync([byUseOf(owner), usedAt, item], true)
      positions.putSync(item, { usedAt, expiresAt, ...(owner !== undefined && { owner }) })
    },
    delete(item) {
      const position = positions.get(item)
      if (!position) return
      const { usedAt, expiresAt, owner } = position
      order.removeSync([BY_USE, usedAt, item])
      order.removeSync([BY_EXPIRY, expiresAt, item])
      if (owner !== undefined) order.removeSync([byUseOf(owner), usedAt, item])
      positions.removeSync(item)
    },
    markUsed(item, usedAt) {
      const position = positions.get(item)
      if (position && usedAt > position.usedAt) lruIndex.set(item, { ...position, usedAt })
    },
    usedAt: (item) => positions.get(item)?.usedAt,
    ownerOf: (item) => positions.get(item)?.owner,
    leastRecentlyUsed: () => firstOf(BY_USE)?.item,
    leastRecentlyUsedOf: (owner) =>
      order.getKeysCount({ ...rangeOf(byUseOf(owner)), limit: 2 }) > 1 ? firstOf(byUseOf(owner))?.item : undefined,
    firstExpired(now) {
      const first = firstOf(BY_EXPIRY)
      return first && first.at <= now ? first.item : undefined
    },
  }
  return lruIndex

  function firstOf(index: number | string) {
    for (const row of order.getKeys(rangeOf(index))) {
      const [, at, item] = row
      const position = positions.get(item)
      if (at === (index === BY_EXPIRY ? position?.expiresAt : position?.usedAt)) return { at, item: item as LruItem }
      // A row that belongs to no item would be evicted again and again.
      order.removeSync(row)
    }
    return undefined
  }
}

const rangeOf = (index: number | string) => ({ start: [index], end: [index, Infinity] })

export type PendingAccesses = ReturnType<typeof createPendingAccesses>

/**
 * Buffers the last access of each item in memory, so that a read does not cost a write transaction. Flushed once a minute,
 * each item is written at most once a minute.
 *
 * @param onFull  Called when `limit` items are buffered; should flush them.
 */
export function createPendingAccesses({ limit, onFull }: { limit: number; onFull: () => void }) {
  const pending = new Map<LruItem, number>()
  return {
    add(item: LruItem, usedAt: number): void {
      pending.set(item, usedAt)
      if (pending.size === limit) onFull()
    },
    /** Removes one item from the buffer and returns its last access. */
    take(item: LruItem): number | undefined {
      const usedAt = pending.get(item)
      pending.delete(item)
      return usedAt
    },
    /** Removes at most `count` items from the buffer and returns their last accesses. */
    takeBatch(count: number): [LruItem, usedAt: number][] {
      const batch = [...pending].slice(0, count)
      for (const [item] of batch) pending.delete(item)
      return batch
    },
  }
}
