import { chown, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { hasErrorCode } from '../node-errors/index.js'

const PREFIX = 'page-preview-browser-'

/**
 * Creates a folder for a browser's profile, and removes those of services that were killed before they could clean up.
 *
 * @param owner  Default: the user of this process.
 */
export async function createProfileFolder(owner?: { uid: number; gid: number }): Promise<string> {
  for (const name of await readdir(tmpdir())) {
    const [, pid] = /^page-preview-browser-(\d+)-/.exec(name) ?? []
    if (pid && !isRunning(Number(pid))) await removeProfileFolder(join(tmpdir(), name))
  }
  const folder = await mkdtemp(join(tmpdir(), `${PREFIX}${process.pid}-`))
  if (owner) await chown(folder, owner.uid, owner.gid)
  return folder
}

/** Never rejects: a folder that cannot be removed now is removed before the next launch. */
export async function removeProfileFolder(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true, maxRetries: 5 }).catch(() => undefined)
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return hasErrorCode(error, 'EPERM')
  }
}
