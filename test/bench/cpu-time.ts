import { readdirSync, readFileSync } from 'node:fs'

export const cpuParts = [
  'main process',
  'image processes',
  'browser process',
  'renderers',
  'other processes of the browser',
] as const
type CpuPart = (typeof cpuParts)[number]

/** The CPU time of a process and all its descendants, by part, milliseconds. */
export type CpuTime = Record<CpuPart, number>

const TICK_MS = 10

interface ProcessTimes {
  parent: number
  command: string
  ownMs: number
  /** Of children that have exited. */
  endedMs: number
}

/** @returns  CPU time since the processes were started. */
export function readCpuTime(root: number): CpuTime {
  const processes = readProcesses()
  const time = createCpuTime(() => 0)
  for (const [pid, { command, ownMs, endedMs }] of processes) {
    if (!isWithin(root, pid, processes)) continue
    const part = partOf(command, pid === root)
    time[part] += ownMs
    // Renderers are children of a zygote, and the main process has the time of image processes that have exited.
    time[part === 'main process' ? 'image processes' : part] += endedMs
  }
  return time
}

export const subtractCpuTime = (after?: CpuTime, before?: CpuTime): CpuTime =>
  createCpuTime((part) => (after?.[part] ?? 0) - (before?.[part] ?? 0))

export const addCpuTime = (one: CpuTime, other: CpuTime): CpuTime => createCpuTime((part) => one[part] + other[part])

export const totalMs = (time: CpuTime): number => cpuParts.reduce((total, part) => total + time[part], 0)

const createCpuTime = (valueOf: (part: CpuPart) => number) =>
  Object.fromEntries(cpuParts.map((part) => [part, valueOf(part)])) as CpuTime

function partOf(command: string, isRoot: boolean): CpuPart {
  if (/--type=(renderer|zygote)/.test(command)) return 'renderers'
  if (command.includes('--type=')) return 'other processes of the browser'
  if (command.includes('--remote-debugging')) return 'browser process'
  return isRoot ? 'main process' : 'image processes'
}

function isWithin(root: number, pid: number, processes: ReadonlyMap<number, ProcessTimes>): boolean {
  for (let at: number | undefined = pid; at; at = processes.get(at)?.parent) if (at === root) return true
  return false
}

function readProcesses(): Map<number, ProcessTimes> {
  const processes = new Map<number, ProcessTimes>()
  for (const name of readdirSync('/proc')) {
    const pid = Number(name)
    if (!pid) continue
    try {
      processes.set(pid, readProcess(pid))
    } catch {
      // It has ended since the folder was read.
    }
  }
  return processes
}

/** The fields behind the name, which is in parentheses and may contain spaces, as in the manual page proc_pid_stat(5). */
function readProcess(pid: number): ProcessTimes {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const [parent = 0, user = 0, system = 0, endedUser = 0, endedSystem = 0] = [1, 11, 12, 13, 14].map((at) =>
    Number(fields[at]),
  )
  return {
    parent,
    command: readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' '),
    ownMs: (user + system) * TICK_MS,
    endedMs: (endedUser + endedSystem) * TICK_MS,
  }
}
