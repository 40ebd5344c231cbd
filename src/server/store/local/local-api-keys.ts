import { digest } from '../digest.js'
import { parseApiKey } from '../parse-api-key.js'
import type { ApiKeyStore } from '../store.js'
import type { Database } from './database.js'

/** The API keys of a local store. */
export function createLocalApiKeys(database: Database): ApiKeyStore {
  const { apiKeys } = database
  return {
    async writeKey(key) {
      const write = () => apiKeys.putSync(digest(key.id), key)
      // Revoking must be possible on a full disk too, so it may use the reserved space.
      if (key.revokedAt === undefined) database.growingTransaction(write)
      else database.transaction(write)
    },
    async readKey(id) {
      database.refresh()
      return parseApiKey(apiKeys.get(digest(id)))
    },
    async listKeys() {
      database.refresh()
      return [...apiKeys.getRange()]
        .flatMap(({ value }) => parseApiKey(value) ?? [])
        .toSorted((a, b) => a.createdAt - b.createdAt)
    },
  }
}
