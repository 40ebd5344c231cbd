import { setImmediate } from 'node:timers/promises'
import type { Database } from './database.js'
import type { Eviction } from './eviction.js'
import type { ImageFiles } from './image-files.js'
import { ROWS_PER_TRANSACTION } from './open-environment.js'
import type { PendingAccesses } from './pending-accesses.js'

export interface MaintenanceOptions {
  database: Database
  files: ImageFiles
  eviction: Eviction
  pendingAccesses: PendingAccesses
}

/** The background work of the store, in small transactions between which requests are served. */
export type Maintenance = ReturnType<typeof createMaintenance>

export function createMaintenance({ database, files, eviction, pendingAccesses }: MaintenanceOptions) {
  /**
   * Evicts until the store is within its size and nothing in it has expired.
   *
   * @param writer  The owner of what was written just now.
   */
  async function evict(writer?: string): Promise<void> {
    while (database.transaction(() => eviction.evictBatch(ROWS_PER_TRANSACTION, writer))) await setImmediate()
  }

  async function flushAccesses(): Promise<void> {
    for (;;) {
      const batch = pendingAccesses.takeBatch(ROWS_PER_TRANSACTION)
      if (batch.length === 0) return
      database.transaction(() => batch.forEach(([item, usedAt]) => eviction.markUsed(item, usedAt)))
      await setImmediate()
    }
  }

  /** Does everything once: flushes accesses, evicts, removes abandoned temporary files. */
  async function run(): Promise<void> {
    await flushAccesses()
    await evict()
    await files.removeAbandonedTemporaries()
  }

  return { evict, flushAccesses, run }
}
