import { timingSafeEqual } from 'node:crypto'
import type { ApiKeyRecord, ApiKeyStore } from '../store/index.js'
import { verificationHash } from './verification-hash.js'

/** `pp_<id>_<secret>` */
const KEY_PATTERN = /^pp_([a-z\d]{1,32})_([\w-]{16,128})$/i

/** The record of an API key; `undefined` when the key is unknown or revoked. */
export async function findKey(key: string, store: ApiKeyStore): Promise<ApiKeyRecord | undefined> {
  const [, id, secret] = KEY_PATTERN.exec(key) ?? []
  const record = id && (await findKeyById(id, store))
  return record && secret && matchesSecret(record, secret) ? record : undefined
}

/** Reads the store each time, so that a key that another process or instance revokes is refused at once. */
export async function findKeyById(id: string, store: ApiKeyStore): Promise<ApiKeyRecord | undefined> {
  const record = await store.readKey(id)
  return record?.revokedAt === undefined ? record : undefined
}

/** The id of a whole API key; any other text is returned as it is. */
export const keyIdOf = (keyOrId: string): string => KEY_PATTERN.exec(keyOrId)?.[1] ?? keyOrId

function matchesSecret(record: ApiKeyRecord, secret: string): boolean {
  const actual = Buffer.from(verificationHash(secret))
  const expected = Buffer.from(record.verificationHash)
  return expected.length === actual.length && timingSafeEqual(expected, actual)
}
