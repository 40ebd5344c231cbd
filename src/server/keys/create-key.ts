import { createHash, randomBytes } from 'node:crypto'
import type { ApiKeyRecord, ApiKeyStore } from '../store/index.js'

/** An API key with its secret, as it is shown to its owner once. */
export interface CreatedKey {
  id: string
  /** `pp_<id>_<secret>`. Only the hash of the secret is stored, so it cannot be shown again. */
  key: string
}

/**
 * Creates an API key of the pro host and stores it.
 *
 * @param name  Whom the key is for, shown to operators.
 */
export async function createKey(store: ApiKeyStore, name: string): Promise<CreatedKey> {
  const id = randomBytes(6).toString('hex')
  // 256 random bits cannot be guessed from their hash, so a fast hash is safe.
  const secret = randomBytes(32).toString('base64url')
  const secretHash = createHash('sha256').update(secret).digest('hex')
  const record: ApiKeyRecord = { id, name, secretHash, createdAt: Date.now() }
  await store.writeKey(record)
  return { id, key: `pp_${id}_${secret}` }
}
