import { execFile } from 'node:child_process'
import { createRequire } from 'node:module'

/** What a walk through a database file has found. */
export interface DatabaseCheck {
  isDamaged: boolean
  /** In a few words: a signal such as `SIGBUS`, or the error of lmdb. */
  reason: string
  /** One JSON text `[table, key, value]` for each row that was read, where they were asked for. */
  rows: string[]
}

const CRASHES = new Set(['SIGBUS', 'SIGSEGV', 'SIGABRT', 'SIGFPE', 'SIGILL', 'SIGKILL'])
const DAMAGED = 3
const MIN_TIMEOUT_MS = 10_000
/** A tenth of what a slow disk reads. */
const BYTES_PER_MS = 5_000
/** What is written before each abort must fit into the memory. */
const BATCH_ROWS = 2_000
const MAX_ROWS_BYTES = 256 * 1024 * 1024

/**
 * Reads and counts all rows, and writes each again in a transaction that is aborted, because some damage crashes only who
 * writes. It is passed as text, because Node loads no TypeScript.
 */
const WALK = `
import { writeSync } from 'node:fs'
import { createRequire } from 'node:module'
const [lmdb, path, withRows] = process.argv.slice(1)
const { open, ABORT } = createRequire(lmdb)(lmdb)
function walk(root) {
  for (const name of [...root.getKeys()]) {
    const table = root.openDB({ name, encoding: 'binary' })
    let count = 0
    let batch = []
    for (const row of table.getRange()) {
      count++
      if (withRows) writeSync(1, JSON.stringify([name, row.key, row.value.toString()]) + '\\n')
      batch.push(row)
      if (batch.length === ${BATCH_ROWS}) rewrite(root, table, batch.splice(0))
    }
    rewrite(root, table, batch)
    if (count !== table.getStats().entryCount) throw new Error('rows are missing in ' + name)
  }
}
function rewrite(root, table, rows) {
  root.transactionSync(() => {
    for (const { key, value } of rows) table.putSync(key, value)
    return ABORT
  })
}
try {
  const root = open({ path, maxDbs: 16, overlappingSync: false })
  walk(root)
  await root.close()
} catch (error) {
  writeSync(2, String(error.message))
  process.exit(/^(EACCES|EPERM|ENOSPC|EMFILE|ENOMEM)|MDB_READERS_FULL/.test(error.code ?? error.message) ? 1 : ${DAMAGED})
}
`

/**
 * Reads a database file as a whole in a child process, because lmdb crashes the process that reads a truncated or damaged
 * one: file and pages carry no checksums.
 *
 * @param options.withRows  Whether to return the rows, also those before the place of the damage.
 */
export async function checkDatabase(
  path: string,
  { size, withRows }: { size: number; withRows: boolean },
): Promise<DatabaseCheck> {
  const args = [
    '--input-type=module',
    '--eval',
    WALK,
    createRequire(import.meta.url).resolve('lmdb'),
    path,
    ...(withRows ? ['rows'] : []),
  ]
  return new Promise((resolve) => {
    const options = {
      // A library path is all that Node may need, and the environment contains secrets.
      env: { LD_LIBRARY_PATH: process.env.LD_LIBRARY_PATH },
      timeout: MIN_TIMEOUT_MS + Math.ceil(size / BYTES_PER_MS),
      killSignal: 'SIGKILL',
      maxBuffer: MAX_ROWS_BYTES,
    } as const
    execFile(process.execPath, args, options, (error, stdout, stderr) => {
      const isCrash = CRASHES.has(error?.signal ?? '') || error?.code === DAMAGED
      const reason = error?.signal ?? (stderr.slice(0, 200) || 'unknown')
      resolve({ isDamaged: isCrash, reason, rows: stdout.split('\n').filter(Boolean) })
    })
  })
}
