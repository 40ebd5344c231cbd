import { digest } from '../digest.js'
import { parseApiKey } from '../parse-api-key.js'
import { parseJson } from '../parse-json.js'
import type { ApiKeyStore } from '../store.js'
import type { KeyDatabase } from './key-database.js'

/** The API keys of a local store. */
export function createLocalApiKeys(database: KeyDatabase): Pick<ApiKeyStore, 'writeKey' | 'readKey' | 'listKeys'> {
  const { apiKeys } = database
  return {
    async writeKey(key) {
      const write = () => apiKeys.putSync(digest(key.id), JSON.stringify(key))
      // Revoking must be possible on a full disk too, so it may use the reserved space.
      if (key.revokedAt === undefined) await database.addData(write)
      else database.transaction(write)
    },
    async readKey(id) {
      database.refresh()
      return parseApiKey(parseJson(apiKeys.get(digest(id)) ?? ''))
    },
    async listKeys() {
      database.refresh()
      return [...apiKeys.getRange()]
        .flatMap(({ value }) => parseApiKey(parseJson(value)) ?? [])
        .toSorted((a, b) => a.createdAt - b.createdAt)
    },
  }
}
