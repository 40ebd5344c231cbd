import { join } from 'node:path'

/** The files directly in a data folder, by path. All of them are for the user of the service alone. */
export const dataFiles = (dataDir: string) => ({
  database: join(dataDir, 'store.mdb'),
  /** lmdb names it. */
  databaseLock: join(dataDir, 'store.mdb-lock'),
  signingSecret: join(dataDir, 'signing-secret'),
})
