import { serveOptions } from '../serve-options.js'
import { openApiKeys, usageDays, type ApiKeyLimits, type ApiKeyRecord } from '../store/index.js'
import { createKey, keyIdOf, type CreatedKey } from './api-key.js'
import { openSigningKeyCipher, type SigningSecretOptions } from './signing-key-cipher.js'

/** What operators may see of an API key of the pro host. */
export interface ApiKeyInfo extends Omit<ApiKeyLimits, 'expiresAt'> {
  /** The part of the key that is no secret, which other commands take. */
  id: string
  /** As its operator has named it. */
  name: string
  /** When it was created. */
  createdAt: Date
  /** `undefined` while the key is valid. */
  revokedAt: Date | undefined
  /** Missing for a key that does not expire. */
  expiresAt?: Date | undefined
}

/** What to change of an API key; `undefined` removes a limit. */
export type ApiKeyChange = ApiKeyLimits & { name?: string }

/** The API keys in a data folder or in a Redis. A change takes effect at once in every service that runs on it. */
export interface Keys {
  /** Where the keys are stored, for messages: a folder, or the URL of a Redis without its password. */
  location: string
  /**
   * Creates a key, whose secret nobody can read afterwards.
   *
   * @throws  Error with a sentence for the operator when the signing secret cannot be used.
   */
  create(name: string, limits?: ApiKeyLimits): Promise<CreatedKey>
  /**
   * Changes the name or the limits of a key.
   *
   * @returns  `undefined` when there is no such key.
   */
  update(keyOrId: string, change: ApiKeyChange): Promise<ApiKeyInfo | undefined>
  /** Uncached requests of a key by day, `YYYY-MM-DD`, of the last 31 days, the last one first; days without are missing. */
  usage(id: string): Promise<Record<string, number>>
  /** Oldest first, including revoked keys. */
  list(): Promise<ApiKeyInfo[]>
  /**
   * Revokes a key, and what was signed with it.
   *
   * @returns  `undefined` when there is no such key.
   */
  revoke(keyOrId: string): Promise<ApiKeyInfo | undefined>
  /** All records, with the encrypted signing keys; secrets are not in them. */
  exportAll(): Promise<ApiKeyRecord[]>
  /**
   * Adds or replaces records. A key that is revoked here or there is revoked afterwards.
   *
   * @returns  How many there were.
   */
  importAll(records: readonly ApiKeyRecord[]): Promise<number>
  /** Closes the database or the connection. */
  close(): Promise<void>
}

/** Where the keys of a service are. */
export interface KeysOptions extends SigningSecretOptions {
  /** Default: the default folder of `serve`. */
  dataDir?: string | undefined
  /** URL of the Redis that the instances share; `dataDir` is ignored then. */
  redis?: string | undefined
  /** The same as `--redis-prefix` of the service, with the same default. */
  redisPrefix?: string | undefined
  /** The same as `--keys` of the service: a folder or the URL of a Redis, which is used instead of `dataDir` and `redis`. */
  keys?: string | undefined
}

/**
 * Opens the API keys of a service, whether it is running or not.
 *
 * @throws  Error with a sentence for the operator when the folder or the Redis cannot be used.
 */
export async function openKeys(options: KeysOptions = {}): Promise<Keys> {
  const { dataDir, redis, redisPrefix = serveOptions.redisPrefix.default, keys = redis } = options
  const option = options.keys === undefined && redis !== undefined ? '--redis' : '--keys'
  const opened = await openApiKeys(keys ?? dataDir, { option, redisPrefix })
  const { location, apiKeys } = opened
  return {
    location,
    async create(name, limits = {}) {
      const cipher = await openSigningKeyCipher(options, opened.dataDir)
      return createKey(apiKeys, name, limits, cipher)
    },
    async update(keyOrId, change) {
      const changed = await apiKeys.changeKey(keyIdOf(keyOrId), (stored) => stored && { ...stored, ...change })
      return changed && infoOf(changed)
    },
    async usage(id) {
      const days = usageDays(Date.now())
      const counts = await apiKeys.readUsage(id, days)
      return Object.fromEntries(
        days.map((day, index) => [day, counts[index] ?? 0] as const).filter(([, count]) => count),
      )
    },
    list: async () => (await apiKeys.listKeys()).map(infoOf),
    async revoke(keyOrId) {
      const revokedAt = Date.now()
      const revoked = await apiKeys.changeKey(keyIdOf(keyOrId), (stored) => stored && { revokedAt, ...stored })
      return revoked && infoOf(revoked)
    },
    exportAll: () => apiKeys.listKeys(),
    async importAll(records) {
      for (const record of records)
        await apiKeys.changeKey(record.id, (stored) => {
          const revokedAt = record.revokedAt ?? stored?.revokedAt
          return { ...record, ...(revokedAt !== undefined && { revokedAt }) }
        })
      return records.length
    },
    close: () => opened.close(),
  }
}

const infoOf = ({ id, name, createdAt, revokedAt, ...limits }: ApiKeyRecord): ApiKeyInfo => {
  const { dailyLimit, concurrency, expiresAt, allowHosts } = limits
  return {
    id,
    name,
    createdAt: new Date(createdAt),
    revokedAt: revokedAt === undefined ? undefined : new Date(revokedAt),
    ...(dailyLimit !== undefined && { dailyLimit }),
    ...(concurrency !== undefined && { concurrency }),
    ...(expiresAt !== undefined && { expiresAt: new Date(expiresAt) }),
    ...(allowHosts && { allowHosts }),
  }
}
