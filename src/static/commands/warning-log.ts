import { type CommandEnvironment, printable } from '../../server/commands/index.js'
import type { ServiceOptions } from '../../server/index.js'

const MAX_CHARS = 1_000
/** Commands report failures themselves. */
const REQUEST_FAILED = 'request-failed'

/** A log for the service in the process of a command: each kind of warning once, as a line on stderr. */
export function warningLog(stderr: CommandEnvironment['stderr']): NonNullable<ServiceOptions['log']> {
  const written = new Set<string>()
  const write = ({ event, reason, advice, error }: Record<string, unknown>, message: string) => {
    const kind = typeof event === 'string' ? event : message
    if (kind === REQUEST_FAILED || written.has(kind)) return
    written.add(kind)
    const details = [kind, reason ?? error ?? (advice ? undefined : message), advice]
      .filter(Boolean)
      .map(String)
      .join(': ')
    // Over the progress bar, which is drawn again with the next page.
    stderr.eraseLine()
    stderr.write(`page-preview-server: ${printable(details, MAX_CHARS)}\n`)
  }
  return { debug: () => undefined, info: () => undefined, warn: write, error: write }
}
