import { join } from 'node:path'

/** The files directly in a data folder, by path. All of them are for the user of the service alone; lmdb names the locks. */
export const dataFiles = (dataDir: string) => ({
  /** The cache. */
  database: join(dataDir, 'store.mdb'),
  databaseLock: join(dataDir, 'store.mdb-lock'),
  /** API keys and request counters, apart from the cache, so that damage to the cache does not reach them. */
  keyDatabase: join(dataDir, 'keys.mdb'),
  keyDatabaseLock: join(dataDir, 'keys.mdb-lock'),
  signingSecret: join(dataDir, 'signing-secret'),
})
