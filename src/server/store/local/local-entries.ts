import { digest } from '../digest.js'
import { decodeEntry } from '../entry-codec.js'
import type { CacheEntry, Store } from '../store.js'
import type { Database } from './database.js'
import type { EntryTable } from './entry-table.js'
import type { Maintenance } from './maintenance.js'
import type { PendingAccesses } from './pending-accesses.js'

export interface LocalEntriesOptions {
  database: Database
  entryTable: EntryTable
  maintenance: Maintenance
  pendingAccesses: PendingAccesses
  clock: () => number
}

/** The cache entries of a local store. */
export function createLocalEntries(
  options: LocalEntriesOptions,
): Pick<Store, 'readEntry' | 'writeEntry' | 'extendEntry'> {
  const { database, entryTable, maintenance, pendingAccesses, clock } = options
  return {
    async readEntry<Body>(key: string): Promise<CacheEntry<Body> | undefined> {
      const id = digest(key)
      const bytes = database.entries.get(id)
      const entry = bytes && decodeEntry<Body>(bytes)
      if (!entry || entry.expiresAt <= clock()) return undefined
      pendingAccesses.add(`entry:${id}`, clock())
      return entry
    },
    async writeEntry(key, entry) {
      await database.addData(() => entryTable.put(digest(key), entry))
      await maintenance.evict(entry.owner)
    },
    async extendEntry(key, { createdAt, expiresAt }) {
      const id = digest(key)
      await database.addData(() => {
        const bytes = database.entries.get(id)
        const entry = bytes && decodeEntry(bytes)
        if (entry?.createdAt === createdAt && entry.expiresAt < expiresAt) entryTable.put(id, { ...entry, expiresAt })
      })
    },
  }
}
