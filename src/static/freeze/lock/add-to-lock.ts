import { mkdir, rmdir, stat } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { hasErrorCode } from '../../../server/node-errors/index.js'
import type { Lock } from './lock-entry.js'
import { readLock } from './read-lock.js'
import { writeLock } from './write-lock.js'

/** Reading and writing a lock file takes milliseconds, so a process that holds it for longer was killed. */
const STALE_MS = 10_000
const POLL_MS = 20

/**
 * Adds entries to the current ones of a lock file: build tools compile pages in several processes, each of which adds its own.
 *
 * @throws  {FreezeError}
 */
export async function addToLock(path: string, entries: Lock): Promise<void> {
  if (entries.size === 0) return
  const release = await acquire(`${path}.saving`)
  try {
    await writeLock(path, new Map([...(await readLock(path)), ...entries]))
  } finally {
    await release()
  }
}

/** Waits until no other process has this folder, which is empty so that version control leaves it out. */
async function acquire(folder: string): Promise<() => Promise<void>> {
  const remove = () => rmdir(folder).catch(() => undefined)
  for (;;) {
    const error = await mkdir(folder).then(
      () => undefined,
      (cause: unknown) => cause,
    )
    if (error === undefined) return remove
    // Where no folder can be created, writing the file fails with the reason.
    if (!hasErrorCode(error, 'EEXIST')) return async () => undefined
    if (await isStale(folder)) await remove()
    else await delay(POLL_MS)
  }
}

async function isStale(folder: string): Promise<boolean> {
  const found = await stat(folder).catch(() => undefined)
  return found !== undefined && Date.now() - found.mtimeMs > STALE_MS
}
