// Covers what is in a local store after its process was killed, or its machine lost power, while it wrote.
import SQLite from 'better-sqlite3'
import { execFile, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { openLocalStore } from '../../src/server/store/local/open-local-store.js'
import { temporaryDir } from '../server/store/temporary-dir.js'
import { diskAfterPowerCut, readTrace } from './power-cut.js'

const SCRIPT = join(import.meta.dirname, 'write-keys.ts')
const hasStrace = spawnSync('strace', ['-f', 'true']).status === 0
const KEYS = 60
const CUTS = 120

/** The stored keys, after a check of the whole database. */
async function readFolder(dataDir: string) {
  const messages: string[] = []
  const store = await openLocalStore({ dataDir, maxBytes: 10_000_000, onDamaged: (message) => messages.push(message) })
  const ids = (await store.apiKeys.listKeys()).map(({ id }) => id)
  const count = await store.counters.readCount('192.0.2.1', '2026-01-01')
  await store.close()
  const database = new SQLite(join(dataDir, 'keys.db'))
  expect(database.pragma('integrity_check', { simple: true })).toBe('ok')
  database.close()
  expect(messages).toEqual([])
  return { ids, count }
}

const storedIds = (output: string) => [...output.matchAll(/^stored (\w+)\n/gm)].map(([, id]) => id)

it('loses nothing that was stored when the process is killed', async () => {
  const dataDir = join(await temporaryDir(), 'data')
  const stored: (string | undefined)[] = []
  for (let round = 0; round < 10; round++) {
    const child = spawn(process.execPath, [...process.execArgv, SCRIPT, dataDir, `round${round}key`])
    let output = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text
      if (storedIds(output).length > 5 * round) child.kill('SIGKILL')
    })
    await once(child, 'close')
    stored.push(...storedIds(output))
    expect(stored.length).toBeGreaterThan(5 * round)
    expect((await readFolder(dataDir)).ids).toEqual(expect.arrayContaining(stored))
  }
})

it.runIf(hasStrace)('loses no API key when the power is cut at any moment', { timeout: 120_000 }, async () => {
  const folder = await temporaryDir()
  const [dataDir, tracePath] = [join(folder, 'data'), join(folder, 'trace')]
  // All that SQLite uses to change files, and what is printed, with all bytes.
  const trace = ['-f', '-y', '-xx', '-s', '100000', '-e', 'trace=write,pwrite64,fsync,fdatasync,ftruncate,unlink']
  const command = [process.execPath, ...process.execArgv, SCRIPT, dataDir, 'key', String(KEYS)]
  await promisify(execFile)('strace', ['-o', tracePath, ...trace, ...command])
  const steps = readTrace(readFileSync(tracePath, 'latin1'), dataDir)
  expect(storedIds(steps.map(({ printed = '' }) => printed).join(''))).toHaveLength(KEYS)

  let lostCounts = 0
  for (let cut = 1; cut <= CUTS; cut++) {
    const length = Math.floor((steps.length * cut) / CUTS)
    const dataDirAfter = join(folder, `after ${cut}`)
    mkdirSync(dataDirAfter, { mode: 0o700 })
    for (const [name, bytes] of diskAfterPowerCut(steps.slice(0, length), cut))
      writeFileSync(join(dataDirAfter, name), bytes, { mode: 0o600 })
    const stored = storedIds(
      steps
        .slice(0, length)
        .map(({ printed = '' }) => printed)
        .join(''),
    )
    const { ids, count } = await readFolder(dataDirAfter)
    expect(ids).toEqual(expect.arrayContaining(stored))
    if (count < 6 * stored.length) lostCounts++
  }
  // Counters are not waited for: without these losses, the simulation would not cut anything.
  expect(lostCounts).toBeGreaterThan(0)
})
