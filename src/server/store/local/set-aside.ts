import { readdir, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'

const MAX_DAMAGED_FILES = 2

/**
 * Renames a damaged database to `NAME.damaged-TIME`, so that it can be examined, and removes all but the last two.
 *
 * @param options.inode  Inode of the file that was found damaged: another process may have replaced it since.
 * @returns              The new path.
 */
export async function setAside(
  path: string,
  { lockPath, inode, now }: { lockPath: string; inode: number; now: number },
): Promise<string> {
  const aside = `${path}.damaged-${new Date(now).toISOString().replaceAll(/[:.]/g, '-')}`
  if ((await stat(path)).ino === inode) {
    await rename(path, aside)
    await rm(lockPath, { force: true })
  }
  await removeOldest(path)
  return aside
}

async function removeOldest(path: string): Promise<void> {
  const prefix = `${basename(path)}.damaged-`
  const names = (await readdir(dirname(path))).filter((name) => name.startsWith(prefix)).toSorted()
  for (const name of names.slice(0, -MAX_DAMAGED_FILES)) await rm(join(dirname(path), name), { force: true })
}
