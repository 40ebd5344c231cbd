import { printable, type CommandEnvironment, type TerminalOutput } from '../../command-line/index.js'
import type { ServiceOptions } from '../../server/index.js'

/** Shows how far a run is: a bar on a terminal, and lines elsewhere. */
export interface Progress {
  /** Records that an item is finished. Its line is printed unless it was skipped, on a terminal only when it failed. */
  add(line: string, outcome: 'done' | 'failed' | 'skipped'): void
  /** Removes the bar. */
  end(): void
}

interface ProgressOptions {
  total: number
  /** stderr of a command. */
  output: TerminalOutput
  /** Milliseconds. Default: the system's clock. */
  now?: (() => number) | undefined
}

const MAX_LINE_CHARS = 2_000
const REDRAW_MS = 100
const BAR_CHARS = 20
/** Some terminals do not report theirs, or report 0. */
const DEFAULT_COLUMNS = 80

export function createProgress({ total, output, now = () => performance.now() }: ProgressOptions): Progress {
  const startedAt = now()
  const counts = { done: 0, failed: 0, skipped: 0 }
  let drawnAt = -Infinity
  const finished = () => counts.done + counts.failed + counts.skipped

  const draw = () => {
    drawnAt = now()
    const parts = [
      barOf(finished() / Math.max(1, total)),
      `${finished()}/${total}`,
      counts.skipped > 0 && `${counts.skipped} skipped`,
      counts.failed > 0 && `${counts.failed} failed`,
      timeLeft({ elapsedMs: drawnAt - startedAt, worked: counts.done + counts.failed, left: total - finished() }),
    ]
    const text = parts.filter(Boolean).join('  ')
    output.eraseLine()
    output.write(text.slice(0, (output.columns || DEFAULT_COLUMNS) - 1))
  }
  if (output.isTTY) draw()
  return {
    add(line, outcome) {
      counts[outcome]++
      const text = printable(line, MAX_LINE_CHARS)
      if (!output.isTTY) {
        if (outcome !== 'skipped') output.write(`[${finished()}/${total}] ${text}\n`)
      } else {
        if (outcome === 'failed') {
          output.eraseLine()
          output.write(`${text}\n`)
        }
        if (outcome === 'failed' || now() - drawnAt >= REDRAW_MS) draw()
      }
    },
    end() {
      output.eraseLine()
    },
  }
}

function barOf(share: number): string {
  const filled = Math.round(share * BAR_CHARS)
  return '█'.repeat(filled) + '░'.repeat(BAR_CHARS - filled)
}

/** An estimate from the items that took time so far. */
function timeLeft({ elapsedMs, worked, left }: { elapsedMs: number; worked: number; left: number }): string {
  if (worked === 0 || left === 0) return ''
  const seconds = Math.ceil(((elapsedMs / worked) * left) / 1_000)
  if (seconds < 60) return `${seconds} s left`
  return seconds < 3_600
    ? `${Math.ceil(seconds / 60)} min left`
    : `${Math.floor(seconds / 3_600)} h ${Math.ceil((seconds % 3_600) / 60)} min left`
}

/**
 * A signal that aborts with the first SIGTERM or SIGINT; the second one ends the process as usual.
 *
 * @param advice  What becomes of the work, as a sentence.
 */
export function stopSignal(environment: CommandEnvironment, advice: string): { signal: AbortSignal; release(): void } {
  const controller = new AbortController()
  const release = () => {
    environment.off('SIGTERM', onSignal)
    environment.off('SIGINT', onSignal)
  }
  const onSignal = () => {
    release()
    controller.abort(new Error(`Stopped. ${advice}`))
  }
  environment.once('SIGTERM', onSignal)
  environment.once('SIGINT', onSignal)
  return { signal: controller.signal, release }
}

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
