import { readdir, readFile } from 'node:fs/promises'

interface ProcessStatus {
  pid: number
  group: number
  isDead: boolean
}

/** The process group of a running process. */
export async function processGroupOf(pid: number): Promise<number> {
  const status = await readStatus(pid)
  if (!status) throw new Error(`There is no process ${pid}.`)
  return status.group
}

/** Running processes of a group; those that are dead, and only not yet reaped by init, do not count. */
export async function processesOfGroup(group: number): Promise<number[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number)
  const processes = await Promise.all(pids.map(readStatus))
  return processes.flatMap((status) => (status && !status.isDead && status.group === group ? [status.pid] : []))
}

/** @see https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html */
async function readStatus(pid: number): Promise<ProcessStatus | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined)
  if (stat === undefined) return undefined
  const [state, , group] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return { pid, group: Number(group), isDead: state === 'Z' }
}
