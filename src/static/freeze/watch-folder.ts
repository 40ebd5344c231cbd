import { statSync, watch, type FSWatcher } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { isTemporaryFile } from '../files.js'
import { ASSETS_FOLDER } from './assets.js'

/** A build writes many files at once. */
const QUIET_MS = 300
/** The system does not always report that a folder was replaced. */
const CHECK_INTERVAL_MS = 2_000

/**
 * Watches the files below a folder from this call on, and goes on when a build removes the folder and creates it again.
 *
 * @returns  Yields once for each group of changes, when the folder exists, until the signal aborts. Throws when the folder
 *           cannot be watched.
 */
export function watchFolder(
  dir: string,
  signal: AbortSignal,
  { checkIntervalMs = CHECK_INTERVAL_MS } = {},
): AsyncIterable<void, void> {
  let changes = 0
  let notify: () => void = () => undefined
  let failure: unknown
  let watcher: FSWatcher | undefined
  let watchedFolder: string | undefined
  const isMissing = () => watchedFolder === undefined
  const addChange = () => {
    changes++
    notify()
  }
  const fail = (error: unknown) => {
    // The watcher of a removed folder may fail; the next folder gets its own.
    if (identityOf(dir) === watchedFolder) failure = error
    addChange()
  }
  /** A watcher watches one folder, not whichever has its path. */
  const followPath = () => {
    const folder = identityOf(dir)
    if (signal.aborted || folder === watchedFolder) return
    watcher?.close()
    watcher = undefined
    watchedFolder = folder
    // Files may have been written before the new watcher starts.
    addChange()
    if (folder === undefined) return
    try {
      watcher = watch(dir, { recursive: true }, (_, path) => {
        if (!isOwnFile(path ?? '')) addChange()
      }).on('error', fail)
    } catch (error) {
      fail(error)
    }
  }
  followPath()
  if (failure === undefined) changes = 0
  const checks = setInterval(followPath, checkIntervalMs).unref()
  const stop = () => {
    clearInterval(checks)
    watcher?.close()
    notify()
  }
  if (signal.aborted) stop()
  else signal.addEventListener('abort', stop, { once: true })

  return (async function* groupChanges() {
    try {
      while (!signal.aborted) {
        if (changes === 0) await new Promise<void>((resolve) => (notify = resolve))
        for (let previous = 0; !signal.aborted && (previous !== changes || isMissing());) {
          previous = changes
          await delay(QUIET_MS)
          followPath()
        }
        // Errors surface at the consumer.
        if (failure !== undefined) throw failure
        if (signal.aborted) return
        changes = 0
        yield
      }
    } finally {
      stop()
    }
  })()
}

/** Tells a folder from a later one of the same path. File systems reuse the number of a removed folder at once. */
function identityOf(dir: string): string | undefined {
  try {
    const { dev, ino, birthtimeMs } = statSync(dir)
    return `${dev} ${ino} ${birthtimeMs}`
  } catch {
    return undefined
  }
}

/** The files that freezing itself writes, other than pages. */
const isOwnFile = (path: string) =>
  path.split(/[\\/]/)[0] === ASSETS_FOLDER || isTemporaryFile(path.split(/[\\/]/).at(-1) ?? '')
