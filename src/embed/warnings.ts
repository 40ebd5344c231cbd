import { layoutWarning } from '../card/index.js'
import type { PageError } from '../query/index.js'

/** What an author or an operator is warned of. */
export type WarningCause = { error: PageError } | { layout: string }

/** Errors that the author of the page or the operator of the service can fix; links to pages that fail are the usual case. */
const SERVICE_ERRORS = /^E(INVAL|HEADERS|AUTH|RATE|FATAL|BUSY|TIMEOUTCLIENT)/

const logged = new Set<string>()

/** Warns in the console of what the author of the page or the operator of the service can fix, once for each cause. */
export function warn(cause: WarningCause): void {
  const key = Object.values(cause)
    .map((value: PageError | string) => (typeof value === 'string' ? value : value.code))
    .join(' ')
  const message = messageOf(cause)
  if (message === undefined || logged.has(key)) return
  logged.add(key)
  console.warn(`page-preview: ${message}`)
}

function messageOf(cause: WarningCause): string | undefined {
  if ('layout' in cause) return layoutWarning(cause.layout)
  const { code, message } = cause.error
  return SERVICE_ERRORS.test(code) ? `${message} (${code}); links still work.` : undefined
}
