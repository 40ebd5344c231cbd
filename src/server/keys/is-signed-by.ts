import { createHmac, timingSafeEqual } from 'node:crypto'
import { writeQuery, type PageQuery } from '../../query/index.js'
import type { ApiKeyRecord } from '../store/index.js'

/**
 * Whether the owner of a key signed this query: its `signature` is the HMAC-SHA-256, base64url, over the canonical text of
 * all other words. What it is keyed by is the SHA-256 of the key's secret, 32 bytes, so that the secret need not be kept.
 */
export function isSignedBy({ secretHash }: ApiKeyRecord, query: PageQuery): boolean {
  const signer = createHmac('sha256', Buffer.from(secretHash, 'hex')).update(signedText(query))
  // Compared as text: of the last character two bits mean nothing, yet changing them shall be a change.
  const expected = Buffer.from(signer.digest('base64url'))
  const given = Buffer.from(query.signature ?? '')
  return given.length === expected.length && timingSafeEqual(given, expected)
}

function signedText(query: PageQuery): string {
  const { apiKey: _, ...headers } = { apiKey: undefined, ...query.headers }
  return writeQuery({ ...query, headers, signature: undefined })
}
