import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { optionFlag, optionVariable } from '../../command-line/index.js'
import { PageError, type ParsedQuery } from '../../query/index.js'
import type { Logger } from '../log.js'
import type { ApiKeyLimits, ApiKeyRecord, ApiKeyStore } from '../store/index.js'
import { DamagedSigningSecretError, type SigningKeyCipher } from './signing-key-cipher.js'

/** An API key with its secret, as it is shown to its owner once. */
export interface CreatedKey {
  /** The part of the key that is no secret. */
  id: string
  /** `pp_<id>_<secret>`. The secret is not stored, so it cannot be shown again. */
  key: string
  /** Whether the service accepts what is signed with it; `false` without a signing secret. */
  canSign: boolean
}

/** A whole key, `pp_<id>_<secret>`. The lengths only keep long texts out: the store decides which keys exist. */
const KEY_PATTERN = /^pp_([a-z\d]{1,32})_([\w-]{16,128})$/i

const HASH_LABEL = 'page-preview API key'

/**
 * Creates an API key of the pro host and stores it.
 *
 * @param name  Whom the key is for, shown to operators.
 */
export async function createKey(
  apiKeys: ApiKeyStore,
  name: string,
  limits: ApiKeyLimits,
  cipher: SigningKeyCipher | undefined,
): Promise<CreatedKey> {
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
  await apiKeys.writeKey(record)
  return { id, key: `pp_${id}_${secret}`, canSign: cipher !== undefined }
}

/** The id of a whole API key; any other text is returned as it is. */
export const keyIdOf = (keyOrId: string): string => KEY_PATTERN.exec(keyOrId)?.[1] ?? keyOrId

/** Checks API keys and what is signed with them. */
export interface KeyVerifier {
  /** The record of a key that is registered and not revoked; it may have expired. */
  findKey(key: string): Promise<ApiKeyRecord | undefined>
  /** What is wrong with the signing secret, for the state of the service; `undefined` while it can be used. */
  signingSecretDamage: string | undefined
  /**
   * Checks the `signature` of a query; its expiry is up to the caller. `unverifiable`: the service does not have the signing key of
   * this API key; the log says why.
   *
   * @throws {PageError} `EBUSY` while the signing secret is damaged.
   */
  checkSignature(
    parsed: ParsedQuery,
    keyId: string,
  ): Promise<{ result: 'valid'; key: ApiKeyRecord } | { result: 'wrong' | 'unknown-key' | 'unverifiable' }>
}

const SECRET_NAMES = `${optionVariable('signingSecret')} or ${optionFlag('signingSecretFile')}`

const DAMAGED_FOR_CALLERS =
  'The service cannot verify signed requests until its operator has restored the signing secret; retry later, or send the key as the header x-api-key.'
const DAMAGED_FOR_OPERATORS =
  'damaged: signed URLs are refused with 503 until the file signing-secret in the data folder is restored; the log has the path'
const DAMAGED_RETRY_MS = 60_000

/** What an operator has to do so that signed URLs of a key are accepted. */
const REMEDIES = {
  'key-without-signing-key': `the key was created without a signing secret, so its signed URLs are refused; set ${SECRET_NAMES} for keys create and for the service, and create a new key`,
  'signing-secret-missing': `signed URLs are refused, because there is no signing secret; set ${SECRET_NAMES} to the secret that the key was created with`,
  'signing-secret-differs': `signed URLs of the key are refused, because the key was created with another signing secret; set ${SECRET_NAMES} to that secret, or create a new key`,
}

export function createKeyVerifier({
  apiKeys,
  cipher,
  log,
}: {
  apiKeys: ApiKeyStore
  cipher: SigningKeyCipher | DamagedSigningSecretError | undefined
  log: Logger
}): KeyVerifier {
  if (cipher instanceof DamagedSigningSecretError) log.error({ event: 'signing-secret-damaged' }, cipher.message)
  const reported = new Set<string>()

  /** Callers could fill the log with the same sentence, so each is written once. */
  function report(event: keyof typeof REMEDIES, keyId: string): undefined {
    if (!reported.has(event)) log.warn({ event, keyId }, REMEDIES[event])
    reported.add(event)
  }

  function signingKeyOf({ id, encryptedSigningKey }: ApiKeyRecord): Buffer | undefined {
    if (encryptedSigningKey === undefined) return report('key-without-signing-key', id)
    if (cipher instanceof DamagedSigningSecretError)
      throw new PageError('EBUSY', DAMAGED_FOR_CALLERS, { retryAfterMs: DAMAGED_RETRY_MS })
    if (!cipher) return report('signing-secret-missing', id)
    return cipher.decrypt(encryptedSigningKey, id) ?? report('signing-secret-differs', id)
  }

  return {
    findKey: (key) => findKey(key, apiKeys),
    signingSecretDamage: cipher instanceof DamagedSigningSecretError ? DAMAGED_FOR_OPERATORS : undefined,
    async checkSignature(parsed, keyId) {
      const record = await findKeyById(keyId, apiKeys)
      if (!record) return { result: 'unknown-key' }
      const signingKey = signingKeyOf(record)
      if (!signingKey) return { result: 'unverifiable' }
      return isSignedBy(signingKey, parsed) ? { result: 'valid', key: record } : { result: 'wrong' }
    },
  }
}

/** The record of an API key; `undefined` when the key is unknown or revoked. */
async function findKey(key: string, apiKeys: ApiKeyStore): Promise<ApiKeyRecord | undefined> {
  const [, id, secret] = KEY_PATTERN.exec(key) ?? []
  const record = id && (await findKeyById(id, apiKeys))
  return record && secret && matchesSecret(record, secret) ? record : undefined
}

/** Reads the store each time, so that a key that another process or instance revokes is refused at once. */
async function findKeyById(id: string, apiKeys: ApiKeyStore): Promise<ApiKeyRecord | undefined> {
  const record = await apiKeys.readKey(id)
  return record?.revokedAt === undefined ? record : undefined
}

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

/**
 * Whether the owner of an API key signed the query: its `signature` is the HMAC-SHA-256, base64url, over the canonical query
 * without the signature.
 *
 * @param signingKey  The SHA-256 of the key's secret, 32 bytes.
 */
function isSignedBy(signingKey: Uint8Array, parsed: ParsedQuery): boolean {
  const hmac = createHmac('sha256', signingKey).update(signedText(parsed))
  // Compared as text, because base64url ignores two bits of the last character and no changed signature may be accepted.
  const expected = Buffer.from(hmac.digest('base64url'))
  const actual = Buffer.from(parsed.query.signature ?? '')
  return actual.length === expected.length && timingSafeEqual(actual, expected)
}

const signedText = (parsed: ParsedQuery) => parsed.withoutApiKey().with({ signature: undefined }).text
