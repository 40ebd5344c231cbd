import { type ApiKeyRecord, type ApiKeyStore, makeDataDir, openLocalStore, openRedisKeys } from '../store/index.js'
import { createKey } from './create-key.js'
import { keyIdIn } from './find-key.js'

/** A key of the pro host, as it may be shown to whoever runs the service. */
export interface KeyFacts {
  id: string
  name: string
  createdAt: Date
  /** Since when it is refused. */
  revokedAt: Date | undefined
}

/** The keys of one data folder, or of one Redis. Every service that runs on it knows of every change at once. */
export interface Keys {
  /** Where they are kept, for people: a folder, or the address of a Redis without its password. */
  place: string
  /** @returns The key, `pp_<id>_<secret>`, which cannot be shown again. */
  create(name: string): Promise<{ key: string; id: string }>
  /** Oldest first, the revoked among them. */
  list(): Promise<KeyFacts[]>
  /** @param id  Of the key, or the whole key. @returns `undefined` when there is none such. */
  revoke(id: string): Promise<KeyFacts | undefined>
  close(): Promise<void>
}

/** Where the keys of a service are: what it was told itself. */
export interface KeysOptions {
  /** Default: the folder that `serve` uses when it is told none. */
  dataDir?: string | undefined
  /** Address of the Redis that several instances share; then the folder does not matter. */
  redis?: string | undefined
}

/**
 * Opens the keys of a service, whether it runs or not.
 *
 * @throws  Error with a sentence when the folder or the Redis cannot be used.
 */
export async function openKeys({ dataDir, redis }: KeysOptions = {}): Promise<Keys> {
  const opened = redis === undefined ? await inFolder(dataDir) : await openRedisKeys(redis)
  const { place, cacheTable } = opened
  return {
    place,
    async create(name) {
      const { key, kept } = await createKey(cacheTable, name)
      return { key, id: kept.id }
    },
    list: async () => (await cacheTable.listKeys()).map(factsOf),
    async revoke(given) {
      const key = await cacheTable.readKey(keyIdIn(given))
      if (!key) return undefined
      const revoked = { ...key, revokedAt: key.revokedAt ?? Date.now() }
      await cacheTable.writeKey(revoked)
      return factsOf(revoked)
    },
    close: async () => opened.close(),
  }
}

interface OpenShelf {
  place: string
  cacheTable: ApiKeyStore
  close(): Promise<void> | void
}

async function inFolder(told: string | undefined): Promise<OpenShelf> {
  const place = await makeDataDir(told)
  // What the service keeps there is bounded by the service alone.
  const store = await openLocalStore({ dataDir: place, maxBytes: Infinity })
  return { place, cacheTable: store, close: () => store.close() }
}

const factsOf = ({ id, name, createdAt, revokedAt }: ApiKeyRecord): KeyFacts => ({
  id,
  name,
  createdAt: new Date(createdAt),
  revokedAt: revokedAt === undefined ? undefined : new Date(revokedAt),
})
