import { createHmac, timingSafeEqual } from 'node:crypto'
import { optionFlag, optionVariable } from '../../command-line/index.js'
import type { ParsedQuery } from '../../query/index.js'
import type { Logger } from '../log.js'
import type { ApiKeyRecord, ApiKeyStore } from '../store/index.js'
import { findKey, findKeyById } from './api-key.js'
import type { SigningKeyCipher } from './signing-key-cipher.js'

/** `unverifiable`: the service does not have the signing key of this API key; the log says why. */
export type SignatureCheck =
  | { result: 'valid'; key: ApiKeyRecord }
  | { result: 'wrong' | 'unknown-key' | 'unverifiable' }

/** Checks API keys and what is signed with them. */
export interface KeyVerifier {
  /** The record of a key that is registered and not revoked; it may have expired. */
  findKey(key: string): Promise<ApiKeyRecord | undefined>
  /** Checks the `signature` of a query; its expiry is up to the caller. */
  checkSignature(parsed: ParsedQuery, keyId: string): Promise<SignatureCheck>
}

const SECRET_NAMES = `${optionVariable('signingSecret')} or ${optionFlag('signingSecretFile')}`

/** What an operator has to do so that signed URLs of a key are accepted. */
const REMEDIES = {
  'key-without-signing-key': `the key was created without a signing secret, so its signed URLs are refused; set ${SECRET_NAMES} for keys create and for the service, and create a new key`,
  'signing-secret-missing': `signed URLs are refused, because there is no signing secret; set ${SECRET_NAMES} to the one that the key was created with`,
  'signing-secret-differs': `signed URLs of the key are refused, because the signing secret differs from the one that the key was created with; set ${SECRET_NAMES} to that one, or create a new key`,
}

export interface KeyVerifierOptions {
  store: ApiKeyStore
  cipher: SigningKeyCipher | undefined
  log: Logger
}

export function createKeyVerifier({ store, cipher, log }: KeyVerifierOptions): KeyVerifier {
  const reported = new Set<string>()

  /** Callers could fill the log with the same sentence, so each is written once. */
  function report(event: keyof typeof REMEDIES, keyId: string): undefined {
    if (!reported.has(event)) log.warn({ event, keyId }, REMEDIES[event])
    reported.add(event)
  }

  function signingKeyOf({ id, encryptedSigningKey }: ApiKeyRecord): Buffer | undefined {
    if (encryptedSigningKey === undefined) return report('key-without-signing-key', id)
    if (!cipher) return report('signing-secret-missing', id)
    return cipher.decrypt(encryptedSigningKey, id) ?? report('signing-secret-differs', id)
  }

  return {
    findKey: (key) => findKey(key, store),
    async checkSignature(parsed, keyId) {
      const record = await findKeyById(keyId, store)
      if (!record) return { result: 'unknown-key' }
      const signingKey = signingKeyOf(record)
      if (!signingKey) return { result: 'unverifiable' }
      return isSignedBy(signingKey, parsed) ? { result: 'valid', key: record } : { result: 'wrong' }
    },
  }
}

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
