import type { LruItem } from './lru-index.js'

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

export type PendingAccesses = ReturnType<typeof createPendingAccesses>
