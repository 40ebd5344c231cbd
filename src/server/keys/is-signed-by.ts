import { createHmac, timingSafeEqual } from 'node:crypto'
import type { ParsedQuery } from '../../query/index.js'
import type { ApiKeyRecord } from '../store/index.js'

/**
 * Whether the owner of an API key signed the query: its `signature` is the HMAC-SHA-256, base64url, over the canonical query
 * without the signature. The HMAC key is the SHA-256 of the secret, 32 bytes, so that the secret need not be stored.
 */
export function isSignedBy({ secretHash }: ApiKeyRecord, parsed: ParsedQuery): boolean {
  const hmac = createHmac('sha256', Buffer.from(secretHash, 'hex')).update(signedText(parsed))
  // Compared as text, because base64url ignores two bits of the last character and no changed signature may be accepted.
  const expected = Buffer.from(hmac.digest('base64url'))
  const actual = Buffer.from(parsed.query.signature ?? '')
  return actual.length === expected.length && timingSafeEqual(actual, expected)
}

const signedText = (parsed: ParsedQuery) => parsed.withoutApiKey().with({ signature: undefined }).text
