import { createHash, timingSafeEqual } from 'node:crypto'
import type { ApiKeyRecord, ApiKeyStore } from '../store/index.js'

/** `pp_<id>_<secret>`, as it is shown once when a key is made. */
const KEY_PATTERN = /^pp_([a-z\d]{1,32})_([\w-]{16,128})$/i

/** The registered key that a caller holds; `undefined` when it is unknown or revoked. */
export async function findKey(given: string, cacheTable: ApiKeyStore): Promise<ApiKeyRecord | undefined> {
  const [, id, secret] = KEY_PATTERN.exec(given) ?? []
  const key = id && (await findKeyById(id, cacheTable))
  return key && secret && isSecretOf(key, secret) ? key : undefined
}

/** Reads the store each time, so that a key that another process or another instance revokes is refused at once. */
export async function findKeyById(id: string, cacheTable: ApiKeyStore): Promise<ApiKeyRecord | undefined> {
  const key = await cacheTable.readKey(id)
  return key?.revokedAt === undefined ? key : undefined
}

/** The id in a key, or what is given when that is none. */
export const keyIdIn = (given: string): string => KEY_PATTERN.exec(given)?.[1] ?? given

function isSecretOf({ secretHash }: ApiKeyRecord, secret: string): boolean {
  const found = createHash('sha256').update(secret).digest()
  const kept = Buffer.from(secretHash, 'hex')
  return kept.length === found.length && timingSafeEqual(kept, found)
}
