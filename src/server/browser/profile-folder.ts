import { chown, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { hasErrorCode } from '../node-errors.js'

const PREFIX = 'page-preview-browser-'

/**
 * Creates a folder for a browser's profile, and removes those of services that were killed before they could clean up.
 *
 * @param owner  Default: the user of this process.
 */
export async function createProfileFolder(owner?: { uid: number; gid: number }): Promise<string> {
  for (const name of await readdir(tmpdir())) {
    const [, pid, instance] = /^page-preview-browser-(\d+)-(?:([\da-z]+)-)?/.exec(name) ?? []
    if (pid && !(await isRunning(Number(pid), instance))) await removeProfileFolder(join(tmpdir(), name))
  }
  const instance = await instanceOf(process.pid)
  const folder = await mkdtemp(join(tmpdir(), `${PREFIX}${process.pid}-${instance ? `${instance}-` : ''}`))
  if (owner) await chown(folder, owner.uid, owner.gid)
  return folder
}

/** Never rejects: a folder that cannot be removed now is removed before the next launch. */
export async function removeProfileFolder(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true, maxRetries: 5 }).catch(() => undefined)
}

async function isRunning(pid: number, instance: string | undefined): Promise<boolean> {
  try {
    return process.kill(pid, 0) && instance === (await instanceOf(pid))
  } catch (error) {
    return hasErrorCode(error, 'EPERM') && instance === (await instanceOf(pid))
  }
}

/**
 * Tells processes apart that have the same id one after the other, as the service has in a container after each restart: the
 * start of the machine, and that of the process on it. `undefined` where there is no `/proc`.
 */
async function instanceOf(pid: number): Promise<string | undefined> {
  try {
    const [bootId, stat] = await Promise.all(
      ['/proc/sys/kernel/random/boot_id', `/proc/${pid}/stat`].map((path) => readFile(path, 'latin1')),
    )
    const startTicks = stat?.split(') ').at(-1)?.split(' ')[19]
    return `${bootId?.slice(0, 8)}x${startTicks}`
  } catch {
    return undefined
  }
}
