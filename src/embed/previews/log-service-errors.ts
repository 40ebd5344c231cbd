import type { PageError } from '../../query/index.js'

/** Errors that the author of the page or the operator of the service can fix. */
const SERVICE_ERRORS = /^E(INVAL|HEADERS|AUTH|RATE|FATAL|BUSY|TIMEOUTCLIENT)/

/** Warns of invalid queries and of a failing service in the console, once for each code; links to pages that fail are the usual case. */
export function logServiceErrors(): void {
  const logged = new Set<string>()
  const log = ({ code, message }: PageError) => {
    if (logged.has(code) || !SERVICE_ERRORS.test(code)) return
    logged.add(code)
    console.warn(`page-preview: ${message} (${code}); links still work.`)
  }
  // While capturing, for hover previews dispatch their events at links of the page.
  addEventListener('page-preview:error', ({ detail }) => log(detail), true)
}
