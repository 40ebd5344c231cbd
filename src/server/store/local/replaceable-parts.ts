import { readFile, stat, writeFile } from 'node:fs/promises'
import { hasErrorCode } from '../../node-errors/index.js'
import { dataFiles } from '../data-files.js'
import { emitWarning } from './emit-warning.js'
import type { LocalStoreOptions } from './local-store-options.js'
import { isDiskFull } from './open-environment.js'
import { openParts, type Parts } from './open-parts.js'

/** The parts of a local store, which are opened again when the folder was removed while the service runs. */
export interface ReplaceableParts {
  current(): Parts
  /** Runs an operation, and once more after the folder was created again. */
  run<Result>(work: (parts: Parts) => Promise<Result>): Promise<Result>
  /**
   * Opens the folder again when it was removed, which reads do not notice: open databases can be read even after their files
   * were removed.
   */
  checkFolder(): Promise<void>
  /** Flushes and closes everything. */
  close(): Promise<void>
}

export async function createReplaceableParts(
  options: LocalStoreOptions,
  events: { onManyAccesses: () => void },
): Promise<ReplaceableParts> {
  const { dataDir, onDamaged = emitWarning, onError = emitWarning } = options
  const { database, signingSecret } = dataFiles(dataDir)
  const readFileId = () => stat(database).then(({ ino }) => ino, unlessMissing)
  let current = await openParts(options, events)
  let fileId = await readFileId()
  // Without it, URLs that were signed by stored keys are refused.
  const secret = await readFile(signingSecret).catch(unlessMissing)
  let replacing: Promise<void> | undefined
  // Operations may still use the databases of a removed folder, so these are closed at the end.
  const replaced: Parts[] = []

  async function replace(previous: Parts): Promise<void> {
    if (current !== previous) return
    // The files of open databases can be read even after they were removed.
    const rows = previous.keyDatabase.rows()
    const next = await openParts(options, events)
    try {
      next.keyDatabase.addRows(rows)
      if (secret) await writeFile(signingSecret, secret, { flag: 'wx', mode: 0o600 }).catch(unlessExists)
    } catch (error) {
      // It is tried again, and nothing may stay open each time.
      await next.close()
      throw error
    }
    replaced.push(previous)
    current = next
    fileId = await readFileId()
    onDamaged(
      `The data folder ${dataDir} was removed and has been created again. All cached results and images are lost; the ` +
        `API keys, their signing secret and the request counters (${rows.length} rows) were written again.`,
    )
  }

  const replaceOnce = (used: Parts) => (replacing ??= replace(used).finally(() => (replacing = undefined)))

  return {
    current: () => current,
    async run(work) {
      const used = current
      try {
        return await work(used)
      } catch (error) {
        if (!isMissing(error)) throw error
        await replaceOnce(used)
        return work(current)
      }
    },
    async checkFolder() {
      const used = current
      if ((await readFileId()) !== fileId) await replaceOnce(used)
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

const unlessMissing = (error: unknown) => {
  if (!isMissing(error)) throw error
  return undefined
}

/** Another process has created it in the meantime. */
const unlessExists = (error: unknown) => {
  if (!hasErrorCode(error, 'EEXIST')) throw error
}

const isMissing = (error: unknown) => hasErrorCode(error, 'ENOENT')
