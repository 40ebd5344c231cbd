import type { LogEvent } from '../log.js'
import { withinTime } from './abortable.js'
import { findMissingGlyphs } from './in-page/missing-glyphs.js'
import type { OpenPage } from './open-page.js'
import { runInPage } from './run-in-page.js'
import { scriptsOf, writingSystems, type WritingSystem } from './scripts.js'
import type { Supervisor } from './supervisor.js'

/** Knows for which scripts the browser has fonts, so that few captures have to look. */
export interface FontCheck {
  /** A warning if a page shows text in scripts for which neither it nor the browser has a font; `undefined`: it is readable. */
  warningFor(text: string, page: OpenPage, signal: AbortSignal): Promise<string | undefined>
  /** Writes to the log for which scripts the browser has no font. */
  report(
    supervisor: Pick<Supervisor, 'lease'>,
    options: { log: LogEvent | undefined; signal: AbortSignal },
  ): Promise<void>
}

const MAX_NODES = 5_000
const TIMEOUT_MS = 1_000
const START_TIMEOUT_MS = 10_000

export function createFontCheck(): FontCheck {
  const covered = new Set<string>()

  async function findMissing(
    systems: readonly WritingSystem[],
    page: OpenPage,
    options: { timeoutMs: number; signal: AbortSignal },
  ): Promise<WritingSystem[]> {
    const report = await withinTime(runInPage(page, findMissingGlyphs, systems, MAX_NODES), options)
    for (const name of report.covered) covered.add(name)
    return systems.filter(({ name }) => report.missing.includes(name))
  }

  return {
    async warningFor(text, page, signal) {
      const unknown = scriptsOf(text).filter(({ name }) => !covered.has(name))
      if (unknown.length === 0) return undefined
      try {
        const missing = await findMissing(unknown, page, { timeoutMs: TIMEOUT_MS, signal })
        return missing.length > 0 ? sentenceOf(missing) : undefined
      } catch {
        // The document was replaced, or is busy; another capture may tell.
        signal.throwIfAborted()
        return undefined
      }
    },
    async report(supervisor, { log, signal }) {
      try {
        const lease = await supervisor.lease(signal)
        try {
          const missing = await findMissing(writingSystems, lease.page, { timeoutMs: START_TIMEOUT_MS, signal })
          if (missing.length === 0) return
          const scripts = missing.map(({ name }) => name)
          const advice = `pages in these scripts show boxes instead of letters: install ${packagesOf(missing)}`
          log?.({ event: 'fonts-missing', level: 'warn', scripts, advice })
        } finally {
          lease.openSparePage()
          lease.release()
        }
      } catch {
        // A browser that does not start is reported elsewhere.
      }
    },
  }
}

const sentenceOf = (missing: readonly WritingSystem[]): string =>
  `The browser has no font for ${joined(missing.map(({ name }) => name))}, and shows boxes instead. Install ${packagesOf(missing)} on its machine.`

const packagesOf = (missing: readonly WritingSystem[]): string =>
  joined([...new Set(missing.map((system) => system.package))])

/** `a, b and c` */
const joined = (words: readonly string[]): string => words.join(', ').replace(/, ([^,]*)$/, ' and $1')
