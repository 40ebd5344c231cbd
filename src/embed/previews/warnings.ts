import { layoutWarning } from '../../card/index.js'
import type { PageError } from '../../query/index.js'

/** An error of a preview, or the name of an unknown layout. */
export type WarningCause = PageError | string

/** Errors that the author of the page or the operator of the service can fix; links to pages that fail are the usual case. */
const SERVICE_ERRORS = /^E(INVAL|HEADERS|AUTH|RATE|FATAL|BUSY|TIMEOUTCLIENT)/

const logged = new Set<string>()

/** Warns in the console of what the author of the page or the operator of the service can fix, once for each code or layout. */
export function warn(cause: WarningCause): void {
  const isLayout = typeof cause === 'string'
  const key = isLayout ? `layout ${cause}` : cause.code
  if (logged.has(key) || !(isLayout || SERVICE_ERRORS.test(key))) return
  logged.add(key)
  const message = isLayout ? layoutWarning(cause) : `${cause.message} (${cause.code}); links still work.`
  console.warn(`page-preview: ${message}`)
}
