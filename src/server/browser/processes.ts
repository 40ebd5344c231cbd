import type { Connection } from 'puppeteer-core'
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

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
}

/** A page can fill more than a gigabyte in a second. */
const INTERVAL_MS = 50
/** Of `/proc`, on every Linux that Node runs on. */
const MS_PER_TICK = 10

/**
 * Reads the use of all processes of a browser at short intervals, until `signal` aborts. Calls back with no processes if there
 * is no `/proc`. The reads are synchronous: they take microseconds each, and must not wait for the threads that look up names.
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
  let listed: { type: string; id: number }[] = []
  let isListing = false
  // A browser that does not respond starts no further processes.
  const list = () => {
    if (isListing) return
    isListing = true
    connection
      .send('SystemInfo.getProcessInfo')
      .then(({ processInfo }) => (listed = processInfo))
      // Fails only when the browser is gone.
      .catch(() => (listed = []))
      .finally(() => (isListing = false))
  }
  list()
  while (await waitForNextRead(signal)) {
    const processes = listed.map(({ type, id: pid }) => ({
      pid,
      isRenderer: type === 'renderer',
      isGpu: type === 'GPU',
      ...readUsage(pid),
    }))
    onRead(processes, !isListing)
    list()
  }
}

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

/** Resolves to whether to go on. */
const waitForNextRead = (signal: AbortSignal): Promise<boolean> =>
  sleep(INTERVAL_MS, true, { ref: false, signal }).catch(() => false)

function readUsage(pid: number): Omit<ProcessUsage, 'pid' | 'isRenderer' | 'isGpu'> {
  const status = readProcFile(pid, 'status')
  const bytesOf = (line: RegExp) => Number(line.exec(status)?.[1] ?? 0) * 1_024
  // The values after the name, which may contain spaces in its parentheses.
  const values = readProcFile(pid, 'stat').split(') ').at(-1)?.split(' ') ?? []
  const cpuMs = (Number(values[11] ?? 0) + Number(values[12] ?? 0)) * MS_PER_TICK
  return {
    privateBytes: bytesOf(/^RssAnon:\s+(\d+) kB/m),
    sharedBytes: bytesOf(/^RssShmem:\s+(\d+) kB/m),
    cpuMs,
  }
}

/** Empty if the process has exited, or there is no `/proc`. */
function readProcFile(pid: number, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'latin1')
  } catch {
    return ''
  }
}
