/**
 * Why something could not be reached, in few words: `fetch` says of everything "fetch failed", and what it means is its
 * cause; some errors of connections have a code and no message.
 */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error.cause instanceof Error) return reasonOf(error.cause)
  return error.message || ('code' in error ? String(error.code) : error.name)
}
