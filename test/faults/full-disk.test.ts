// Covers a store on a disk without a free byte: its start, with and without an earlier store on it, and what it can still change.
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { it } from 'vitest'
import { withSmallDisk } from '../drills/small-disk.js'
import { temporaryDir } from '../server/store/temporary-dir.js'
import type { FullDiskCase } from './store-on-full-disk.js'

const SCRIPT = join(import.meta.dirname, 'store-on-full-disk.ts')

it.each<[string, FullDiskCase]>([
  ['starts with what is stored, goes on in memory, and stores again when there is room', 'storedBefore'],
  ['starts after a crash with what is in the log', 'afterCrash'],
  ['revokes keys and purges results', 'deletions'],
  ['lets other processes in again when there is room', 'otherProcesses'],
  ['refuses new jobs until there is room', 'newJobs'],
  ['says in a sentence that a new store cannot be created', 'newStore'],
])('%s', async (_, name) => {
  const dataDir = join(await temporaryDir(), 'data')
  const [program, ...args] = withSmallDisk(dataDir) as [string, ...string[]]
  // The hooks that read TypeScript come from this process.
  await promisify(execFile)(program, [...args, process.execPath, ...process.execArgv, SCRIPT, name, dataDir])
})
