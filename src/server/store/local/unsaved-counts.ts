import { LRUCache } from 'lru-cache'
import type { Store } from '../store.js'

const MAX_CLIENTS = 10_000

interface Count {
  client: string
  day: string
  count: number
}

/** What was counted while the disk could not be written. */
export function createUnsavedCounts(store: Pick<Store, 'countRequest'>) {
  const counts = new LRUCache<string, Count>({ max: MAX_CLIENTS })
  const idOf = (client: string, day: string) => `${day} ${client}`
  const of = (client: string, day: string): number => counts.get(idOf(client, day))?.count ?? 0

  return {
    of,
    add(client: string, day: string, count: number): void {
      counts.set(idOf(client, day), { client, day, count: of(client, day) + count })
    },
    /** Adds them to the store; those that cannot be written stay. */
    async flush(): Promise<void> {
      for (const [id, { client, day, count }] of counts.entries()) {
        await store.countRequest(client, day, count)
        counts.delete(id)
      }
    },
  }
}
