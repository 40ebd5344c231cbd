import { createHmac, timingSafeEqual } from 'node:crypto'
import type { ParsedQuery } from '../../query/index.js'

/**
 * Whether the owner of an API key signed the query: its `signature` is the HMAC-SHA-256, base64url, over the canonical query
 * without the signature.
 *
 * @param signingKey  The SHA-256 of the key's secret, 32 bytes.
 */
export function isSignedBy(signingKey: Uint8Array, parsed: ParsedQuery): boolean {
  const hmac = createHmac('sha256', signingKey).update(signedText(parsed))
  // Compared as text, because base64url ignores two bits of the last character and no changed signature may be accepted.
  const expected = Buffer.from(hmac.digest('base64url'))
  const actual = Buffer.from(parsed.query.signature ?? '')
  return actual.length === expected.length && timingSafeEqual(actual, expected)
}

const signedText = (parsed: ParsedQuery) => parsed.withoutApiKey().with({ signature: undefined }).text
