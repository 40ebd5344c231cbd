import { emitWarning } from './emit-warning.js'
import type { LocalStoreOptions } from './local-store-options.js'
import { isDiskFull } from './open-environment.js'
import { openParts, type Parts } from './open-parts.js'

/** The parts of a local store, which are opened again when the folder was removed while the service runs. */
export interface ReplaceableParts {
  current(): Parts
  /** Runs an operation, and once more after the folder was created again. */
  run<Result>(work: (parts: Parts) => Promise<Result>): Promise<Result>
  /** Flushes and closes everything. */
  close(): Promise<void>
}

export async function createReplaceableParts(
  options: LocalStoreOptions,
  events: { onManyAccesses: () => void },
): Promise<ReplaceableParts> {
  const { dataDir, onDamaged = emitWarning, onError = emitWarning } = options
  let current = await openParts(options, events)
  let replacing: Promise<void> | undefined
  // Operations may still use the databases of a removed folder, so these are closed at the end.
  const replaced: Parts[] = []

  async function replace(previous: Parts): Promise<void> {
    if (current !== previous) return
    // The files of open databases can be read even after they were removed.
    const rows = previous.keyDatabase.rows()
    const next = await openParts(options, events)
    next.keyDatabase.addRows(rows)
    replaced.push(previous)
    current = next
    onDamaged(
      `The data folder ${dataDir} was removed and has been created again. All cached results and images are lost; the ` +
        `API keys and request counters (${rows.length} rows) were written again.`,
    )
  }

  return {
    current: () => current,
    async run(work) {
      const used = current
      try {
        return await work(used)
      } catch (error) {
        if (!isMissing(error)) throw error
        await (replacing ??= replace(used).finally(() => (replacing = undefined)))
        return work(current)
      }
    },
    async close() {
      try {
        await current.maintenance.flushAccesses()
      } catch (error) {
        // It costs only the order of eviction: on a damaged page, too, everything else is closed.
        if (!isDiskFull(error)) onError(error)
      } finally {
        for (const parts of [current, ...replaced]) await parts.close()
      }
    },
  }
}

const isMissing = (error: unknown) => error instanceof Error && 'code' in error && error.code === 'ENOENT'
