import type { QueryClient } from '@tanstack/react-query'
import { createSyncStoragePersister } from '@tanstack/query-sync-storage-persister'
import {
  persistQueryClientRestore,
  persistQueryClientSubscribe,
  removeOldestQuery,
  type PersistedClient,
} from '@tanstack/react-query-persist-client'

declare const __VERSION__: string

/** How long a result is stored after it was fetched. */
const MAX_AGE_MS = 7 * 86_400_000
/** Characters, of the five million that browsers grant an origin. */
const MAX_LENGTH = 500_000

/**
 * Restores the results of earlier visits from `localStorage` and stores the results of this visit there: the newest ones
 * that fit, none older than a week, and none from another version of the script.
 *
 * @throws  The browser's error if a page may not use `localStorage`. If its quota is exceeded, old results are removed.
 */
export async function persistResults(queryClient: QueryClient): Promise<void> {
  const persister = createSyncStoragePersister({
    storage: localStorage,
    key: 'page-preview',
    serialize,
    retry: removeOldestQuery,
  })
  const options = { queryClient, persister, maxAge: MAX_AGE_MS, buster: __VERSION__ }
  await persistQueryClientRestore(options)
  persistQueryClientSubscribe(options)
}

function serialize({ clientState, ...metadata }: PersistedClient): string {
  let length = 0
  const queries = clientState.queries
    .filter(({ state }) => Date.now() - state.dataUpdatedAt < MAX_AGE_MS)
    .toSorted((a, b) => b.state.dataUpdatedAt - a.state.dataUpdatedAt)
    .filter((query) => (length += JSON.stringify(query).length) <= MAX_LENGTH)
  return JSON.stringify({ ...metadata, clientState: { ...clientState, queries } })
}
