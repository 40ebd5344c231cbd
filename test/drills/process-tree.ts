// Reads processes in /proc; empty for one that has ended meanwhile.
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'

export interface ProcessOfTree {
  pid: number
  command: string
}

/** A process and all below it. */
export function descendantsOf(root: number): ProcessOfTree[] {
  const parents = new Map(readdirSync('/proc').flatMap((name) => parentOf(Number(name))))
  const isWithin = (pid: number | undefined): boolean =>
    pid === root || (pid !== undefined && pid > 1 && isWithin(parents.get(pid)))
  return [...parents.keys()].filter(isWithin).map((pid) => ({ pid, command: read(pid, 'cmdline') }))
}

/** The memory of a process and all below it, in bytes; what several of them share counts once. */
export const residentBytes = (root: number): number =>
  descendantsOf(root).reduce((sum, { pid }) => sum + proportionalBytes(pid), 0)

export const environmentOf = (pid: number): string => read(pid, 'environ')

/** The remote ports of the TCP connections of processes. */
export function connectionsOf(pids: readonly number[]): number[] {
  const inodes = new Set(pids.flatMap(socketsOf))
  // Each process shows all sockets of its network.
  const rows = pids.flatMap((pid) => ['net/tcp', 'net/tcp6'].flatMap((name) => read(pid, name).split('\n').slice(1)))
  return [...new Set(rows)].flatMap((row) => {
    const fields = row.trim().split(/\s+/)
    return inodes.has(fields[9] ?? '') ? [Number.parseInt(fields[2]!.split(':')[1]!, 16)] : []
  })
}

function socketsOf(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/fd`).flatMap((descriptor) => {
      const target = readlinkSync(`/proc/${pid}/fd/${descriptor}`)
      return /^socket:\[(\d+)\]$/.exec(target)?.[1] ?? []
    })
  } catch {
    return []
  }
}

function parentOf(pid: number): [pid: number, parent: number][] {
  if (!pid) return []
  const stat = read(pid, 'stat')
  return stat ? [[pid, Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])]] : []
}

const proportionalBytes = (pid: number): number =>
  1_024 * Number(/^Pss:\s+(\d+) kB/m.exec(read(pid, 'smaps_rollup'))?.[1] ?? 0)

function read(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8')
  } catch {
    return ''
  }
}
