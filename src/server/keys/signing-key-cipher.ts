import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

/** Encrypts the signing keys of API keys, so that the key store alone does not allow signing requests. */
export interface SigningKeyCipher {
  /** @returns  `v1.` and the base64url of IV, encrypted bytes and authentication tag. */
  encrypt(signingKey: Uint8Array, keyId: string): string
  /** @returns  `undefined` for a text that was not encrypted with the same signing secret for the same key. */
  decrypt(text: string, keyId: string): Buffer | undefined
}

const ALGORITHM = 'aes-256-gcm'
const KEY_BYTES = 32
const IV_BYTES = 12
const TAG_BYTES = 16
const VERSION = 'v1.'
const PURPOSE = 'page-preview signing keys'

/** @param signingSecret  Random text of at least 128 bits. */
export function createSigningKeyCipher(signingSecret: string): SigningKeyCipher {
  const key = Buffer.from(hkdfSync('sha256', signingSecret, '', PURPOSE, KEY_BYTES))
  return {
    encrypt(signingKey, keyId) {
      const iv = randomBytes(IV_BYTES)
      const cipher = createCipheriv(ALGORITHM, key, iv).setAAD(Buffer.from(keyId))
      const encrypted = Buffer.concat([iv, cipher.update(signingKey), cipher.final(), cipher.getAuthTag()])
      return VERSION + encrypted.toString('base64url')
    },
    decrypt(text, keyId) {
      const bytes = Buffer.from(text.slice(VERSION.length), 'base64url')
      if (!text.startsWith(VERSION) || bytes.length < IV_BYTES + TAG_BYTES) return undefined
      const decipher = createDecipheriv(ALGORITHM, key, bytes.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES })
      decipher.setAAD(Buffer.from(keyId)).setAuthTag(bytes.subarray(-TAG_BYTES))
      try {
        return Buffer.concat([decipher.update(bytes.subarray(IV_BYTES, -TAG_BYTES)), decipher.final()])
      } catch {
        return undefined
      }
    },
  }
}
