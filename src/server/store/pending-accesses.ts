import type { Entry } from './lru-index.js'

/**
 * Uses that are not written down yet, so that reading stays cheap: the last one of each entry. Whoever drains them once a
 * minute writes each entry at most once a minute.
 *
 * @param onFull  Called once when there are `limit`; drain then.
 */
export function createPendingAccesses({ limit, onFull }: { limit: number; onFull: () => void }) {
  const pending = new Map<Entry, number>()
  return {
    add(entry: Entry, at: number): void {
      pending.set(entry, at)
      if (pending.size === limit) onFull()
    },
    /** Hands out the last use of one entry, and forgets it. */
    take(entry: Entry): number | undefined {
      const at = pending.get(entry)
      pending.delete(entry)
      return at
    },
    /** Hands out at most `count` uses, and forgets them. */
    takeSome(count: number): [Entry, number][] {
      const taken = [...pending].slice(0, count)
      for (const [entry] of taken) pending.delete(entry)
      return taken
    },
  }
}

export type PendingAccesses = ReturnType<typeof createPendingAccesses>
