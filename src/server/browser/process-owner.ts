import { readFile } from 'node:fs/promises'
import { hasErrorCode } from '../node-errors.js'
import { startTicksOf } from './processes.js'

/**
 * Names this process, for files that belong to it: another process can tell whether it still runs, even if a later process has its
 * id, as the service has in a container after each restart.
 *
 * @returns  The process id and, if there is a `/proc`, the start times of the machine and of the process: `123-1f2e3d4cx5678`.
 */
export const ownerName = async (): Promise<string> =>
  [process.pid, await instanceOf(process.pid)].filter(Boolean).join('-')

/** @param name  What `ownerName` returned in any process. */
export async function isOwnerRunning(name: string): Promise<boolean> {
  const [, pid, instance] = /^(\d+)(?:-([\da-z]+))?$/.exec(name) ?? []
  if (!pid) return false
  try {
    return process.kill(Number(pid), 0) && instance === (await instanceOf(Number(pid)))
  } catch (error) {
    return hasErrorCode(error, 'EPERM') && instance === (await instanceOf(Number(pid)))
  }
}

async function instanceOf(pid: number): Promise<string | undefined> {
  const startTicks = startTicksOf(pid)
  const bootId = await readFile('/proc/sys/kernel/random/boot_id', 'latin1').catch(() => undefined)
  return startTicks && bootId && `${bootId.slice(0, 8)}x${startTicks}`
}
