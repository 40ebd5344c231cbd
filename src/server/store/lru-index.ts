import type { Database } from './database.js'

const BY_USE = 0
const BY_DUE = 1

/** What can be removed on its own: an answer by its id, or an image that no answer names (any more). */
export type Entry = `answer:${string}` | `image:${string}`

/** In which order entries go, and how much all of them weigh; every change belongs inside a transaction. */
export interface LruIndex {
  totalBytes(): number
  /** @param bytes  Below zero when something went. */
  weigh(bytes: number): void
  /** Enters the entry or moves it. */
  enter(entry: Entry, usedAt: number, dueAt: number): void
  leave(entry: Entry): void
  /** Does nothing for an entry that has gone. */
  use(entry: Entry, usedAt: number): void
  usedAt(entry: Entry): number | undefined
  leastRecentlyUsed(): Entry | undefined
  firstDue(now: number): Entry | undefined
}

export function createLruIndex({ order, places, totals }: Pick<Database, 'order' | 'places' | 'totals'>): LruIndex {
  function leave(entry: Entry) {
    const place = places.get(entry)
    if (!place) return
    order.removeSync([BY_USE, place.usedAt, entry])
    order.removeSync([BY_DUE, place.dueAt, entry])
    places.removeSync(entry)
  }

  function enter(entry: Entry, usedAt: number, dueAt: number) {
    leave(entry)
    order.putSync([BY_USE, usedAt, entry], true)
    order.putSync([BY_DUE, dueAt, entry], true)
    places.putSync(entry, { usedAt, dueAt })
  }

  function first(index: number) {
    for (const [, at, entry] of order.getKeys({ start: [index], end: [index + 1], limit: 1 })) {
      return { at, entry: entry as Entry }
    }
    return undefined
  }

  return {
    totalBytes: () => totals.get('bytes') ?? 0,
    weigh(bytes) {
      totals.putSync('bytes', (totals.get('bytes') ?? 0) + bytes)
    },
    enter,
    leave,
    use(entry, usedAt) {
      const place = places.get(entry)
      if (place && usedAt > place.usedAt) enter(entry, usedAt, place.dueAt)
    },
    usedAt: (entry) => places.get(entry)?.usedAt,
    leastRecentlyUsed: () => first(BY_USE)?.entry,
    firstDue(now) {
      const due = first(BY_DUE)
      return due && due.at <= now ? due.entry : undefined
    },
  }
}
