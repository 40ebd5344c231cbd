import { printable, type TerminalOutput } from '../../command-line/index.js'

/** Shows how far a run is: a bar on a terminal, and lines elsewhere. */
export interface Progress {
  /** Records that an item is finished. Its line is printed unless it was skipped, on a terminal only when it failed. */
  add(line: string, outcome: 'done' | 'failed' | 'skipped'): void
  /** Removes the bar. */
  end(): void
}

/** Why a page failed, in short: its code, and the status that it responded with if that is an error. */
export const failureCode = ({ code, statusCode = 0 }: { code: string; statusCode?: number | undefined }): string =>
  statusCode >= 400 && !code.startsWith('HTTP') ? `${code}, HTTP ${statusCode}` : code

const MAX_LINE_CHARS = 2_000
const REDRAW_MS = 100
const BAR_CHARS = 20
/** Some terminals do not report theirs, or report 0. */
const DEFAULT_COLUMNS = 80

/**
 * @param output  stderr of a command.
 * @param now     Milliseconds. Default: the system's clock.
 */
export function createProgress({
  total,
  output,
  now = () => performance.now(),
}: {
  total: number
  output: TerminalOutput
  now?: () => number
}): Progress {
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
