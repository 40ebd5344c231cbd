import type { PageError } from '../../../src/query/index.js'
import { writeFailure } from '../../../src/server/jobs/index.js'
import type { CacheEntry, EntryStore } from '../../../src/server/store/index.js'

/** Entries in memory, and the clock by which they expire. */
export interface TestEntries extends Pick<EntryStore, 'readEntry' | 'writeEntry'> {
  clock: () => number
}

export function startEntries() {
  let now = 1
  const stored = new Map<string, CacheEntry>()
  const entries: TestEntries = {
    clock: () => now,
    async readEntry<Body>(key: string) {
      const entry = stored.get(key) as CacheEntry<Body> | undefined
      return entry && now < entry.expiresAt ? entry : undefined
    },
    async writeEntry(key, entry) {
      stored.set(key, entry)
    },
  }
  return { entries, wait: (ms: number) => void (now += ms) }
}

/** Stores a failure of `page`. */
export const rememberFailure = (
  entries: TestEntries,
  error: PageError,
  marks: Parameters<typeof writeFailure>[2] = {},
): Promise<void> => writeFailure('page', error, marks, { entries, clock: entries.clock })
