import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { ApiKeyLimits, ApiKeyRecord, ApiKeyStore } from '../store/index.js'
import type { SigningKeyCipher } from './signing-key-cipher.js'

/** An API key with its secret, as it is shown to its owner once. */
export interface CreatedKey {
  id: string
  /** `pp_<id>_<secret>`. The secret is not stored, so it cannot be shown again. */
  key: string
  /** Whether the service accepts what is signed with it; `false` without a signing secret. */
  canSign: boolean
}

export interface CreateKeyOptions {
  /** Whom the key is for, shown to operators. */
  name: string
  cipher: SigningKeyCipher | undefined
  /** Default: none. */
  limits?: ApiKeyLimits
}

/** `pp_<id>_<secret>` */
const KEY_PATTERN = /^pp_([a-z\d]{1,32})_([\w-]{16,128})$/i

const HASH_LABEL = 'page-preview API key'

/** Creates an API key of the pro host and stores it. */
export async function createKey(store: ApiKeyStore, { name, cipher, limits }: CreateKeyOptions): Promise<CreatedKey> {
  const id = randomBytes(6).toString('hex')
  // 256 random bits cannot be guessed from their hash, so a fast hash is safe.
  const secret = randomBytes(32).toString('base64url')
  const signingKey = createHash('sha256').update(secret).digest()
  const record: ApiKeyRecord = {
    id,
    name,
    verificationHash: verificationHash(secret),
    ...(cipher && { encryptedSigningKey: cipher.encrypt(signingKey, id) }),
    createdAt: Date.now(),
    ...limits,
  }
  await store.writeKey(record)
  return { id, key: `pp_${id}_${secret}`, canSign: cipher !== undefined }
}

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

/**
 * The hash by which the secret of an API key is recognised, hex. The label keeps it apart from the SHA-256 of the secret, which
 * signs requests: neither follows from the other.
 */
const verificationHash = (secret: string): string => createHmac('sha256', HASH_LABEL).update(secret).digest('hex')
