// Covers damage to each file of a local store while it is open, in a process of its own, which must not end.
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, it } from 'vitest'
import { temporaryDir } from '../server/store/temporary-dir.js'
import type { Damage } from './store-damaged-while-open.js'

const SCRIPT = join(import.meta.dirname, 'store-damaged-while-open.ts')

const damages: Damage[] = [
  'emptied',
  'cut in half',
  'filled with zeros',
  'filled with random bytes in its middle',
  'given another header',
  'removed',
  'replaced by a text',
]

describe.each(['cache.db', 'keys.db', 'cache.db-wal', 'keys.db-wal', 'cache.db-shm', 'keys.db-shm'])(
  'an open store whose %s was',
  (file) => {
    it.each(damages)('%s goes on, with all API keys', async (damage) => {
      const dataDir = join(await temporaryDir(), 'data')
      // The hooks that read TypeScript come from this process.
      await promisify(execFile)(process.execPath, [...process.execArgv, SCRIPT, damage, file, dataDir])
    })
  },
)
