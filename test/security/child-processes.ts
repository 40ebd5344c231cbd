import { readFileSync, readdirSync } from 'node:fs'
import { expect } from 'vitest'

/** One child process of the service. */
export interface ChildProcessState {
  pid: number
  command: string
  /** Bytes. */
  rssBytes: number
  /** CPU time used so far, in milliseconds. */
  cpuMs: number
}

const POLL_MS = 50
const IDLE_POLL_MS = 200
/** The end of a process included, which takes longer on a busy machine. */
const MAX_BUSY_MS = 5_000
/** Of `/proc`, on every Linux that Node runs on. */
const MS_PER_TICK = 10

/** The children of a process that run a script of Node, which are not browsers. */
export function nodeChildrenOf(pid: number): ChildProcessState[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => readProcess(Number(name), pid))
}

/** Records the memory of all children together. */
export function watchNodeChildren(pid: number): { stop(): { maxRssBytes: number } } {
  let maxRssBytes = 0
  const read = () => {
    const rssBytes = nodeChildrenOf(pid).reduce((sum, child) => sum + child.rssBytes, 0)
    maxRssBytes = Math.max(maxRssBytes, rssBytes)
  }
  const timer = setInterval(read, POLL_MS)
  return {
    stop() {
      clearInterval(timer)
      return { maxRssBytes }
    },
  }
}

/** Records the memory of all processes of the browser together: what several of them share counts once. */
export function watchBrowserProcesses(pid: number): { stop(): { maxBytes: number } } {
  let maxBytes = 0
  const read = () => {
    const scripts = new Set(nodeChildrenOf(pid).map((child) => child.pid))
    const roots = childrenOf(pid).filter((child) => !scripts.has(child))
    maxBytes = Math.max(
      maxBytes,
      roots.flatMap(withDescendants).reduce((sum, each) => sum + proportionalBytes(each), 0),
    )
  }
  const timer = setInterval(read, POLL_MS)
  return {
    stop() {
      clearInterval(timer)
      return { maxBytes }
    },
  }
}

const withDescendants = (pid: number): number[] => [pid, ...childrenOf(pid).flatMap(withDescendants)]

/** Each thread has its own; empty for a process that has ended meanwhile. */
function childrenOf(pid: number): number[] {
  try {
    return readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
      (readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8').match(/\d+/g) ?? []).map(Number),
    )
  } catch {
    return []
  }
}

/** Pages of memory that several processes share count in parts; files, such as the program, do not count. */
function proportionalBytes(pid: number): number {
  try {
    const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')
    return [...rollup.matchAll(/^Pss_(?:Anon|Shmem):\s+(\d+) kB/gm)].reduce(
      (sum, [, kb]) => sum + Number(kb) * 1_024,
      0,
    )
  } catch {
    return 0
  }
}

/** CPU time in milliseconds that the main thread of a process has used so far. */
export const mainThreadCpuMs = (pid: number): number => cpuMsOf(readStat(`/proc/${pid}/task/${pid}/stat`))

/** Values after the name, which may contain spaces in its parentheses. */
function readStat(path: string): string[] {
  const stat = readFileSync(path, 'utf8')
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
}

/** Of user and system. */
const cpuMsOf = (stat: readonly string[]) => (Number(stat[11]) + Number(stat[12])) * MS_PER_TICK

function readProcess(pid: number, parentPid: number): ChildProcessState[] {
  try {
    const stat = readStat(`/proc/${pid}/stat`)
    if (Number(stat[1]) !== parentPid) return []
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
    if (!/^\S*node\b/.test(command)) return []
    const rssKb = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
    return [{ pid, command, rssBytes: Number(rssKb ?? 0) * 1_024, cpuMs: cpuMsOf(stat) }]
  } catch {
    // It has ended meanwhile.
    return []
  }
}

/** CPU time in milliseconds that all children together have used so far. */
const cpuMsOfChildren = (pid: number): number => nodeChildrenOf(pid).reduce((sum, { cpuMs }) => sum + cpuMs, 0)

/** Waits until all children together compute for less than a tenth of the time. */
export async function waitForIdleChildren(pid: number): Promise<void> {
  let previousMs = Infinity
  const usedMs = () => {
    const totalMs = cpuMsOfChildren(pid)
    const difference = Math.abs(totalMs - previousMs)
    previousMs = totalMs
    return difference
  }
  await expect.poll(usedMs, { interval: IDLE_POLL_MS, timeout: MAX_BUSY_MS }).toBeLessThanOrEqual(IDLE_POLL_MS / 10)
}
