import type { Browser } from '../browser/index.js'
import type { NegativeCache, Revalidations, SingleFlight } from '../jobs/index.js'
import type { Guard } from '../network/index.js'
import type { PageParts } from '../page/index.js'
import type { CacheEntry, PurgeableStore } from '../store/index.js'
import type { ExtractionResult } from './extraction-result.js'
import type { StateCounter } from './page-states.js'

/** What a service consists of: one of each for its whole life. */
export interface ServiceParts extends PageParts {
  guard: Guard
  browser: Browser
  store: PurgeableStore
  /** The results that are being produced, by their keys. */
  flights: SingleFlight<CacheEntry<ExtractionResult>>
  /** The failures of pages, by the keys of their results. */
  failures: NegativeCache
  revalidations: Revalidations
  stateCounter: StateCounter
  /** The owner of what is stored because of a client; see `createOwnerHash`. */
  ownerOf: (client: string) => string
  /** Called when a result was stored under a key, with its `createdAt`. */
  onReplaced?: (key: string, createdAt: number) => void
  /** Milliseconds since 1970. */
  clock: () => number
}
