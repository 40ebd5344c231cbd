import { readdirSync, readFileSync } from 'node:fs'

/** The memory of a process and all its descendants, in bytes; what several of them share counts once. */
export function residentBytes(root: number): number {
  const parents = new Map(readdirSync('/proc').flatMap((name) => parentOf(Number(name))))
  const isWithin = (pid: number | undefined): boolean =>
    pid === root || (pid !== undefined && pid > 1 && isWithin(parents.get(pid)))
  return [...parents.keys()].filter(isWithin).reduce((sum, pid) => sum + proportionalBytes(pid), 0)
}

function parentOf(pid: number): [pid: number, parent: number][] {
  if (!pid) return []
  const stat = readUnlessEnded(`/proc/${pid}/stat`)
  return stat ? [[pid, Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])]] : []
}

const proportionalBytes = (pid: number): number =>
  1_024 * Number(/^Pss:\s+(\d+) kB/m.exec(readUnlessEnded(`/proc/${pid}/smaps_rollup`))?.[1] ?? 0)

function readUnlessEnded(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
