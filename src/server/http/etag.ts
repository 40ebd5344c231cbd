import { createHash } from 'node:crypto'

/** A strong etag of the content. */
export const etagOf = (bytes: Uint8Array): string =>
  `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 27)}"`

/** Whether an `if-none-match` names this etag; weak and strong are the same here, as HTTP has it. */
export function matches(asked: string | null | undefined, etag: string | undefined): boolean {
  if (!asked || etag === undefined) return false
  const strong = etag.replace(/^W\//, '')
  return asked.trim() === '*' || asked.split(',').some((tag) => tag.trim().replace(/^W\//, '') === strong)
}
