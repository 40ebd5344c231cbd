import { spawnSync } from 'node:child_process'
import { closeSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'

/** Enough for the databases and what the service reserves. */
const DISK_MB = 300
const CHUNK = Buffer.alloc(1_000_000)
const MOUNT = `mount -t tmpfs -o size=${DISK_MB}m,mode=700 tmpfs "$1" && shift && exec "$@"`

/**
 * The command that gives an instance its own small disk at `dataDir`, which only this instance sees.
 *
 * @throws {Error} if this user may not mount anything, even in its own namespace.
 */
export function withSmallDisk(dataDir: string): string[] {
  mkdirSync(dataDir, { recursive: true })
  const candidates = [['--mount'], ['--mount', '--map-root-user']].map((flags) => [
    'unshare',
    ...flags,
    '--',
    'sh',
    '-c',
    MOUNT,
    'sh',
    dataDir,
  ])
  const found = candidates.find(([program = '', ...args]) => spawnSync(program, [...args, 'true']).status === 0)
  if (!found) throw new Error('This user may not create a mount namespace, which the small disk of a drill needs.')
  return found
}

/** Fills that disk to the last block. @returns A function that makes room again. */
export function fillSmallDisk({ pid, dataDir }: { pid: number; dataDir: string }): () => void {
  const folder = `/proc/${pid}/root${dataDir}`
  const path = join(folder, 'filler')
  const file = openSync(path, 'w')
  try {
    for (;;) writeSync(file, CHUNK)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error
  } finally {
    closeSync(file)
  }
  return () => rmSync(path)
}
