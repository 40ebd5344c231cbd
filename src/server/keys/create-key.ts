import { createHash, randomBytes } from 'node:crypto'
import type { ApiKeyRecord, ApiKeyStore } from '../store/index.js'

/**
 * Registers a key of the pro host.
 *
 * @param name  Whose it is, for people.
 * @returns     The key itself, `pp_<id>_<secret>`: it is kept nowhere, so this is the one time that it can be shown.
 */
export async function createKey(cacheTable: ApiKeyStore, name: string): Promise<{ key: string; kept: ApiKeyRecord }> {
  const id = randomBytes(6).toString('hex')
  // As random as its hash is long: nobody finds it from the hash, so none that is slow on purpose is needed.
  const secret = randomBytes(32).toString('base64url')
  const secretHash = createHash('sha256').update(secret).digest('hex')
  const kept: ApiKeyRecord = { id, name, secretHash, createdAt: Date.now() }
  await cacheTable.writeKey(kept)
  return { key: `pp_${id}_${secret}`, kept }
}
