import { createHash } from 'node:crypto'

/** A strong etag of the content. */
export const etagOf = (bytes: Uint8Array): string =>
  `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 27)}"`

/**
 * Whether an `if-none-match` header contains an etag, by the weak comparison that HTTP prescribes for it.
 *
 * @see  https://www.rfc-editor.org/rfc/rfc9110#section-13.1.2
 */
export function matchesEtag(ifNoneMatch: string | null | undefined, etag: string | undefined): boolean {
  if (!ifNoneMatch || etag === undefined) return false
  // An opaque tag has its quotes and none within, so where a list contains its text, it contains the tag.
  return ifNoneMatch.trim() === '*' || ifNoneMatch.includes(etag.replace(/^W\//, ''))
}
