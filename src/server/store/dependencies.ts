/** `rejected`: it responds, and refuses to be read or written; `throttled`: it requires fewer requests. */
export type DependencyState = 'ok' | 'unreachable' | 'rejected' | 'full' | 'throttled'

/** The remote stores of this instance; empty if everything is on this machine. */
export interface Dependencies {
  redis?: DependencyState
  bucket?: DependencyState
}

/**
 * Why a connection failed, in a few words: `fetch` puts the reason into `cause`, and some network errors have a code but no
 * message.
 */
export function failureReason(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error.cause instanceof Error) return failureReason(error.cause)
  return error.message || ('code' in error ? String(error.code) : error.name)
}

const NETWORK_CODES: ReadonlySet<string> = new Set([
  'EAI_AGAIN',
  'ECONNABORTED',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTDOWN',
  'EHOSTUNREACH',
  'ENETDOWN',
  'ENETUNREACH',
  // The name of a container that does not run yet is unknown.
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
])

/** Whether a server is out of reach for now; `false` for an error of its configuration, such as a wrong certificate. */
export function isNetworkError(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (error.cause instanceof Error) return isNetworkError(error.cause)
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined
  // Timeouts and closed connections of the clients have no code.
  return code === undefined || code.startsWith('UND_ERR_') || NETWORK_CODES.has(code)
}
