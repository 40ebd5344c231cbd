// What `/proc` of Linux says about processes; nothing on other systems. The reads are synchronous: they take microseconds each, and
// must not wait for the threads that look up names.
import type { Connection } from 'puppeteer-core'
import { closeSync, openSync, readdirSync, readSync } from 'node:fs'
import { setPriority } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'

/** What a process has done so far. */
export interface ProcessActivity {
  /** CPU time since its start. */
  cpuMs: number
  /** Whether one of its threads runs, or waits for a CPU. */
  isRunnable: boolean
}

/** One process of a browser. */
export interface ProcessUsage {
  pid: number
  /** Whether it runs pages; other processes serve all pages. */
  isRenderer: boolean
  /** Whether it draws for all pages. */
  isGpu: boolean
  /** Memory that the process does not share, and that it shares with others. */
  privateBytes: number
  sharedBytes: number
  /** CPU time since its start. */
  cpuMs: number
  /** Whether one of its threads runs, or waits for a CPU; read of the GPU process alone. */
  isRunnable: boolean
}

/** A page can fill more than a gigabyte in a second. */
const INTERVAL_MS = 50
/** Of renderers and the GPU process. It is lower than that of the browser, which so handles what renderers send it before they send more. */
const PAGE_PRIORITY = 7
/** The length of a clock tick on every Linux that Node runs on. */
const MS_PER_TICK = 10

/**
 * Reads the use of all processes of a browser at short intervals, until `signal` aborts, and lowers the priority of those that work for
 * pages. What is read of a process that has exited is zero.
 */
export async function watchProcesses(
  connection: Connection,
  {
    signal,
    onRead,
  }: {
    signal: AbortSignal
    /** @param responds  Whether the browser has responded since the last call. */
    onRead: (processes: readonly ProcessUsage[], responds: boolean) => void
  },
): Promise<void> {
  let listed: readonly BrowserProcess[] = []
  const setListed = (processes: readonly BrowserProcess[]) => {
    lowerPriorities(processes, listed)
    listed = processes
  }
  let isListing = false
  // A browser that does not respond starts no further processes.
  const list = () => {
    if (isListing) return
    isListing = true
    connection
      .send('SystemInfo.getProcessInfo')
      .then(({ processInfo }) => setListed(processInfo))
      // Fails only when the browser is gone.
      .catch(() => setListed([]))
      .finally(() => (isListing = false))
  }
  list()
  while (await waitForNextRead(signal)) {
    const processes = listed.map(({ type, id: pid }) => ({
      pid,
      isRenderer: type === 'renderer',
      isGpu: type === 'GPU',
      isRunnable: type === 'GPU' && isRunnable(pid),
      ...readUsage(pid),
    }))
    onRead(processes, !isListing)
    list()
  }
}

interface BrowserProcess {
  type: string
  id: number
}

/** @param before  Those whose priority is lower already. */
function lowerPriorities(processes: readonly BrowserProcess[], before: readonly BrowserProcess[]): void {
  const known = new Set(before.map(({ id }) => id))
  const started = processes.filter(({ type, id }) => (type === 'renderer' || type === 'GPU') && !known.has(id))
  for (const { id } of started) lowerPriority(id, PAGE_PRIORITY)
}

/** Lowers the priority of a process. On Linux each thread has its own, which its threads and child processes inherit. */
export function lowerPriority(pid: number, priority: number): void {
  for (const id of [pid, ...threadsOf(pid)]) {
    try {
      setPriority(Number(id), priority)
    } catch {
      // It has ended already, or has a lower priority, as the service itself.
    }
  }
}

/** The same processes, with the memory and the CPU time that they have used by now. */
export const readAgain = (processes: readonly ProcessUsage[]): ProcessUsage[] =>
  processes.map((each) => ({ ...each, ...readUsage(each.pid) }))

/** Resolves to whether to go on. */
const waitForNextRead = (signal: AbortSignal): Promise<boolean> =>
  sleep(INTERVAL_MS, true, { ref: false, signal }).catch(() => false)

function readUsage(pid: number): Pick<ProcessUsage, 'privateBytes' | 'sharedBytes' | 'cpuMs'> {
  const status = readText(`/proc/${pid}/status`)
  const bytesOf = (line: RegExp) => Number(line.exec(status)?.[1] ?? 0) * 1_024
  return {
    privateBytes: bytesOf(/^RssAnon:\s+(\d+) kB/m),
    sharedBytes: bytesOf(/^RssShmem:\s+(\d+) kB/m),
    cpuMs: cpuMsOf(readStat(`/proc/${pid}/stat`)) ?? 0,
  }
}

export const bytesOf = ({ privateBytes, sharedBytes }: ProcessUsage): number => privateBytes + sharedBytes

/**
 * The memory of all processes together. What a renderer shares with a process that serves it is resident in both, and counts
 * once; code and other files do not count.
 */
export function totalBytes(processes: readonly ProcessUsage[]): number {
  const sum = { private: 0, sharedByRenderers: 0, sharedByOthers: 0 }
  for (const { isRenderer, privateBytes, sharedBytes } of processes) {
    sum.private += privateBytes
    sum[isRenderer ? 'sharedByRenderers' : 'sharedByOthers'] += sharedBytes
  }
  return sum.private + Math.max(sum.sharedByRenderers, sum.sharedByOthers)
}

/** `undefined` for a process that has exited. */
export function readActivityOf(pid: number): ProcessActivity | undefined {
  const cpuMs = cpuMsOf(readStat(`/proc/${pid}/stat`))
  return cpuMs === undefined ? undefined : { cpuMs, isRunnable: isRunnable(pid) }
}

/** Whether a thread of a process runs, or waits for a CPU. */
const isRunnable = (pid: number): boolean =>
  threadsOf(pid).some((id) => readStat(`/proc/${pid}/task/${id}/stat`)[0] === 'R')

/** The child processes of all of its threads; empty for a process that has exited. */
export const childrenOf = (pid: number): number[] =>
  threadsOf(pid)
    .flatMap((id) => readText(`/proc/${pid}/task/${id}/children`).match(/\d+/g) ?? [])
    .map(Number)

/** When a process was started, in units since the start of the machine; `undefined` if it has exited. */
export function startTicksOf(pid: number): string | undefined {
  const stat = readStat(`/proc/${pid}/stat`)
  // A zombie is in the list until its parent, or the init process of a container, takes notice.
  return stat[0] === 'Z' ? undefined : stat[19]
}

export function signalProcess(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch {
    // It has exited already.
  }
}

function threadsOf(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/task`)
  } catch {
    return []
  }
}

function cpuMsOf(stat: readonly string[]): number | undefined {
  const ticks = Number(stat[11]) + Number(stat[12])
  return Number.isNaN(ticks) ? undefined : ticks * MS_PER_TICK
}

/**
 * The values after the name, which may contain spaces in its parentheses: the state comes first.
 *
 * @see https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html
 */
const readStat = (path: string): string[] => readText(path).split(') ').at(-1)!.split(' ')

/** Longer than any file that is read. For a file without a size, as these are, `readFileSync` allocates as much each time. */
const buffer = Buffer.allocUnsafe(65_536)

/** Empty for a process that has exited. */
function readText(path: string): string {
  let file: number | undefined
  try {
    file = openSync(path, 'r')
    let end = 0
    for (let count = -1; count !== 0 && end < buffer.length; end += count)
      count = readSync(file, buffer, end, buffer.length - end, null)
    return buffer.toString('latin1', 0, end)
  } catch {
    return ''
  } finally {
    if (file !== undefined) closeSync(file)
  }
}
