import { createHash, randomBytes } from 'node:crypto'
import type { ApiKeyLimits, ApiKeyRecord, ApiKeyStore } from '../store/index.js'
import type { SigningKeyCipher } from './signing-key-cipher.js'
import { verificationHash } from './verification-hash.js'

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
