import type { QueryClient } from '@tanstack/react-query'
import { createSyncStoragePersister } from '@tanstack/query-sync-storage-persister'
import {
  persistQueryClientRestore,
  persistQueryClientSubscribe,
  removeOldestQuery,
  type PersistedClient,
} from '@tanstack/react-query-persist-client'

declare const __VERSION__: string

/** How long an answer is kept after it came. */
const KEPT_MS = 7 * 86_400_000
/** In characters, of the five million that a browser gives to a site. */
const MAX_LENGTH = 500_000

/**
 * Gives back the answers of earlier visits, and keeps those of this one in the browser's storage: none older than a week, the
 * newest when they are many, all forgotten with another version of the script.
 *
 * @throws  What the browser says where a page may not have a storage. A full one is no failure: the oldest answers make room.
 */
export async function keepAnswers(queryClient: QueryClient): Promise<void> {
  const persister = createSyncStoragePersister({
    storage: localStorage,
    key: 'page-preview',
    serialize,
    retry: removeOldestQuery,
  })
  const keeping = { queryClient, persister, maxAge: KEPT_MS, buster: __VERSION__ }
  await persistQueryClientRestore(keeping)
  persistQueryClientSubscribe(keeping)
}

function serialize({ clientState, ...facts }: PersistedClient): string {
  let length = 0
  const queries = clientState.queries
    .filter(({ state }) => Date.now() - state.dataUpdatedAt < KEPT_MS)
    .toSorted((a, b) => b.state.dataUpdatedAt - a.state.dataUpdatedAt)
    .filter((query) => (length += JSON.stringify(query).length) <= MAX_LENGTH)
  return JSON.stringify({ ...facts, clientState: { ...clientState, queries } })
}
