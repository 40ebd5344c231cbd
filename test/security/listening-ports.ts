import { readdirSync, readFileSync, readlinkSync } from 'node:fs'

/** Ports on 127.0.0.1 that a process of Linux listens on. */
export function listeningPorts(pid: number): number[] {
  const LISTEN = '0A'
  const inodes = new Set(readdirSync(`/proc/${pid}/fd`).map((fd) => inodeOf(`/proc/${pid}/fd/${fd}`)))
  const rows = readFileSync(`/proc/${pid}/net/tcp`, 'utf8').trim().split('\n').slice(1)
  return rows
    .map((row) => row.trim().split(/\s+/))
    .filter(
      ([, local, , state, , , , , , inode]) => local?.startsWith('0100007F:') && state === LISTEN && inodes.has(inode),
    )
    .map(([, local = '']) => Number.parseInt(local.split(':')[1]!, 16))
}

function inodeOf(path: string): string | undefined {
  try {
    return /^socket:\[(\d+)\]$/.exec(readlinkSync(path))?.[1]
  } catch {
    return undefined
  }
}
