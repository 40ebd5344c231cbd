import { createHash, randomBytes } from 'node:crypto'
import type { KeptKey, KeyShelf } from '../store/index.js'

/**
 * Registers a key of the pro host.
 *
 * @param name  Whose it is, for people.
 * @returns     The key itself, `pp_<id>_<secret>`: it is kept nowhere, so this is the one time that it can be shown.
 */
export async function createKey(shelf: KeyShelf, name: string): Promise<{ key: string; kept: KeptKey }> {
  const id = randomBytes(6).toString('hex')
  // As random as its hash is long: nobody finds it from the hash, so none that is slow on purpose is needed.
  const secret = randomBytes(32).toString('base64url')
  const secretHash = createHash('sha256').update(secret).digest('hex')
  const kept: KeptKey = { id, name, secretHash, createdAt: Date.now() }
  await shelf.writeKey(kept)
  return { key: `pp_${id}_${secret}`, kept }
}
