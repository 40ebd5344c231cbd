import { readFile, realpath } from 'node:fs/promises'
import { writeFile } from '../write-file.js'
import type { Lock } from './lock-entry.js'
import { LOCK_VERSION } from './read-lock.js'

/** The text of a lock file: sorted, with one entry per line, so that changes of different previews merge in version control. */
export function lockText(lock: Lock): string {
  const lines = [...lock]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([key, entry]) => `    ${JSON.stringify(key)}: ${JSON.stringify(entry)}`)
  const previews = lines.length ? `{\n${lines.join(',\n')}\n  }` : '{}'
  return `{\n  "version": ${LOCK_VERSION},\n  "previews": ${previews}\n}\n`
}

/**
 * Writes a lock file, unless it has this content already.
 *
 * @throws  {FreezeError}
 */
export async function writeLock(path: string, lock: Lock): Promise<void> {
  const text = lockText(lock)
  const current = await readFile(path, 'utf8').catch(() => undefined)
  if (current === text) return
  // A symbolic link stays one.
  const target = await realpath(path).catch(() => path)
  await writeFile(target, text, { isDurable: true })
}
