/**
 * Why a connection failed, in a few words: `fetch` puts the reason into `cause`, and some network errors have a code but no
 * message.
 */
export function failureReason(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error.cause instanceof Error) return failureReason(error.cause)
  return error.message || ('code' in error ? String(error.code) : error.name)
}
