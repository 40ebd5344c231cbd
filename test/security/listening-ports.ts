import { readdirSync, readFileSync, readlinkSync } from 'node:fs'

/**
 * Ports that a process of Linux listens on.
 *
 * @param address  IPv4, on which it does. Default: 127.0.0.1.
 */
export function listeningPorts(pid: number, address = '127.0.0.1'): number[] {
  const LISTEN = '0A'
  const hex = Buffer.from(address.split('.').map(Number).toReversed()).toString('hex').toUpperCase()
  const inodes = new Set(readdirSync(`/proc/${pid}/fd`).map((fd) => inodeOf(`/proc/${pid}/fd/${fd}`)))
  const rows = readFileSync(`/proc/${pid}/net/tcp`, 'utf8').trim().split('\n').slice(1)
  return rows
    .map((row) => row.trim().split(/\s+/))
    .filter(
      ([, local, , state, , , , , , inode]) => local?.startsWith(`${hex}:`) && state === LISTEN && inodes.has(inode),
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
