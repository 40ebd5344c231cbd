import { makeDataDir } from '../data-dir.js'
import { openLocalStore, type KeptKey } from '../store/index.js'
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

/** The keys of one data folder. A service that runs on the same folder knows of every change at once. */
export interface Keys {
  /** The folder that they are kept in. */
  dataDir: string
  /** @returns The key, `pp_<id>_<secret>`, which cannot be shown again. */
  create(name: string): Promise<{ key: string; id: string }>
  /** Oldest first, the revoked among them. */
  list(): Promise<KeyFacts[]>
  /** @param id  Of the key, or the whole key. @returns `undefined` when there is none such. */
  revoke(id: string): Promise<KeyFacts | undefined>
  close(): Promise<void>
}

/**
 * Opens the keys of a service, whether it runs or not.
 *
 * @param dataDir  Default: the folder that `serve` uses when it is told none.
 * @throws         Error with a sentence when the folder cannot be used.
 */
export async function openKeys({ dataDir: told }: { dataDir?: string | undefined } = {}): Promise<Keys> {
  const dataDir = await makeDataDir(told)
  // What the service keeps there is bounded by the service alone.
  const store = await openLocalStore({ dataDir, maxBytes: Infinity })
  return {
    dataDir,
    async create(name) {
      const { key, kept } = await createKey(store, name)
      return { key, id: kept.id }
    },
    list: async () => (await store.listKeys()).map(factsOf),
    async revoke(given) {
      const key = await store.readKey(keyIdIn(given))
      if (!key) return undefined
      const revoked = { ...key, revokedAt: key.revokedAt ?? Date.now() }
      await store.writeKey(revoked)
      return factsOf(revoked)
    },
    close: () => store.close(),
  }
}

const factsOf = ({ id, name, createdAt, revokedAt }: KeptKey): KeyFacts => ({
  id,
  name,
  createdAt: new Date(createdAt),
  revokedAt: revokedAt === undefined ? undefined : new Date(revokedAt),
})
