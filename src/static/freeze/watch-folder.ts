import { watch } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { isTemporaryFile } from '../files.js'
import { ASSETS_FOLDER } from './assets.js'

/** A build writes many files at once. */
const QUIET_MS = 300

/**
 * Watches the files below a folder from this call on.
 *
 * @returns  Yields once for each group of changes, until the signal aborts or the folder is no longer watched.
 */
export function watchFolder(dir: string, signal: AbortSignal): AsyncIterable<void> {
  let changes = 0
  let notify: () => void = () => undefined
  const watching = (async () => {
    for await (const { filename } of watch(dir, { recursive: true, signal })) {
      if (!isOwnFile(filename ?? '')) changes++
      notify()
    }
  })().catch((error: unknown) => {
    if (!signal.aborted) throw error
  })
  // Errors surface at the consumer.
  watching.catch(() => undefined)
  return (async function* groupChanges() {
    while (!signal.aborted) {
      const change = new Promise<false>((resolve) => (notify = () => resolve(false)))
      // The watcher of a folder that is removed may end.
      if (changes === 0 && (await Promise.race([watching.then(() => true), change]))) return
      if (changes === 0) continue
      for (let previous = 0; previous !== changes;) {
        previous = changes
        await delay(QUIET_MS)
      }
      changes = 0
      yield
    }
  })()
}

/** The files that freezing itself writes, other than pages. */
const isOwnFile = (path: string) =>
  path.split(/[\\/]/)[0] === ASSETS_FOLDER || isTemporaryFile(path.split(/[\\/]/).at(-1) ?? '')
