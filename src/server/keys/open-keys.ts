import { type ApiKeyRecord, openApiKeys } from '../store/index.js'
import { createKey, type CreatedKey } from './create-key.js'
import { keyIdOf } from './find-key.js'
import { openSigningKeyCipher, type SigningSecretOptions } from './open-signing-key-cipher.js'

/** What operators may see of an API key of the pro host. */
export interface ApiKeyInfo {
  id: string
  name: string
  createdAt: Date
  /** `undefined` while the key is valid. */
  revokedAt: Date | undefined
}

/** The API keys in a data folder or in a Redis. A change takes effect at once in every service that runs on it. */
export interface Keys {
  /** Where the keys are stored, for messages: a folder, or the URL of a Redis without its password. */
  location: string
  /** @throws  Error with a sentence for the operator when the signing secret cannot be used. */
  create(name: string): Promise<CreatedKey>
  /** Oldest first, including revoked keys. */
  list(): Promise<ApiKeyInfo[]>
  /** @returns  `undefined` when there is no such key. */
  revoke(keyOrId: string): Promise<ApiKeyInfo | undefined>
  /** All records, with the encrypted signing keys; secrets are not in them. */
  exportAll(): Promise<ApiKeyRecord[]>
  /**
   * Adds or replaces records. A key that is revoked here or there is revoked afterwards.
   *
   * @returns  How many there were.
   */
  importAll(records: readonly ApiKeyRecord[]): Promise<number>
  close(): Promise<void>
}

export interface KeysOptions extends SigningSecretOptions {
  /** Default: the default folder of `serve`. */
  dataDir?: string | undefined
  /** URL of the Redis that the instances share; `dataDir` is ignored then. */
  redis?: string | undefined
  /** As `--redis-prefix` of the service. */
  redisPrefix?: string | undefined
  /** As `--keys` of the service: a folder or the URL of a Redis, which is used instead of the other two. */
  keys?: string | undefined
}

/**
 * Opens the API keys of a service, whether it is running or not.
 *
 * @throws  Error with a sentence for the operator when the folder or the Redis cannot be used.
 */
export async function openKeys(options: KeysOptions = {}): Promise<Keys> {
  const { dataDir, redis, redisPrefix, keys = redis } = options
  const option = options.keys === undefined && redis !== undefined ? '--redis' : '--keys'
  const opened = await openApiKeys(keys ?? dataDir, { option, redisPrefix })
  const { location, apiKeys } = opened
  return {
    location,
    create: async (name) => createKey(apiKeys, { name, cipher: await openSigningKeyCipher(options, opened.dataDir) }),
    list: async () => (await apiKeys.listKeys()).map(infoOf),
    async revoke(keyOrId) {
      const record = await apiKeys.readKey(keyIdOf(keyOrId))
      if (!record) return undefined
      const revoked = { ...record, revokedAt: record.revokedAt ?? Date.now() }
      await apiKeys.writeKey(revoked)
      return infoOf(revoked)
    },
    exportAll: () => apiKeys.listKeys(),
    async importAll(records) {
      for (const record of records) {
        const revokedAt = record.revokedAt ?? (await apiKeys.readKey(record.id))?.revokedAt
        await apiKeys.writeKey({ ...record, ...(revokedAt !== undefined && { revokedAt }) })
      }
      return records.length
    },
    close: () => opened.close(),
  }
}

const infoOf = ({ id, name, createdAt, revokedAt }: ApiKeyRecord): ApiKeyInfo => ({
  id,
  name,
  createdAt: new Date(createdAt),
  revokedAt: revokedAt === undefined ? undefined : new Date(revokedAt),
})
