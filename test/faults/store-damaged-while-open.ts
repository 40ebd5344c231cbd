// A script: damages a file of a store that it has open, and fails where the store does something else than expected.
import { execFileSync } from 'node:child_process'
import assert from 'node:assert/strict'
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { argv } from 'node:process'
import SQLite from 'better-sqlite3'
import { openStore, type ApiKeyRecord, type Store } from '../../src/server/store/index.js'

export type Damage = keyof typeof DAMAGES

/** More than SQLite has in its memory. */
const ENTRIES = 1_000
const ENTRY_BYTES = 20_000
const KEYS = 100
const DAY = '2026-01-01'
const CLIENT = '192.0.2.1'

/** Programs, which get the path of the file. */
const DAMAGES = {
  emptied: 'truncateSync(path)',
  'cut in half': 'truncateSync(path, Math.floor(size / 2))',
  'filled with zeros': 'overwrite(0, Buffer.alloc(size))',
  'filled with random bytes in its middle': 'overwrite(Math.floor(size / 4), crypto.randomBytes(Math.floor(size / 2)))',
  'given another header': `overwrite(0, Buffer.alloc(100, 'no database'))`,
  removed: 'rmSync(path)',
  'replaced by a text': `writeFileSync(path + '.text', 'no database', { mode: 0o600 }); renameSync(path + '.text', path)`,
}

/** In another process, because closing a file releases the locks that SQLite has on it in the same process. */
function damageFile(program: string, path: string) {
  const prelude = `
    const { closeSync, openSync, renameSync, rmSync, statSync, truncateSync, writeFileSync, writeSync } = require('node:fs')
    const path = process.argv[1]
    const { size } = statSync(path)
    function overwrite(at, bytes) {
      const descriptor = openSync(path, 'r+')
      writeSync(descriptor, bytes, 0, bytes.length, at)
      closeSync(descriptor)
    }`
  execFileSync(process.execPath, ['--eval', prelude + program, path])
}

const [damage = '', file = '', dataDir = ''] = argv.slice(2)
const keyOf = (index: number): ApiKeyRecord => ({
  id: `key${index}`,
  name: 'n',
  verificationHash: 'h'.repeat(64),
  createdAt: index,
  ...(index % 10 === 0 && { revokedAt: 1 }),
})
const allKeys = Array.from({ length: KEYS }, (_, index) => keyOf(index))

await use(async (store) => {
  for (let index = 0; index < ENTRIES; index++) await writePage(store, index)
  for (const { revokedAt: _, ...key } of allKeys) await store.apiKeys.writeKey(key)
  for (const key of allKeys) if (key.revokedAt) await store.apiKeys.writeKey(key)
  await store.counters.countRequest(CLIENT, DAY)
  assert.equal(statSync(join(dataDir, file)).mode & 0o777, 0o600)
  damageFile(DAMAGES[damage as Damage], join(dataDir, file))
  await assertUsable(store)
  await assertUsable(store)
})
await use(assertUsable)

const damaged = readdirSync(dataDir).filter((name) => name.includes('damaged'))
// SQLite writes the header again, unless it has read the damaged one.
if (file.endsWith('.db') && /emptied|cut|filled/.test(damage)) assert.notDeepEqual(damaged, [])
for (const name of readdirSync(dataDir).filter((each) => each.includes('.db')))
  assert.equal(statSync(join(dataDir, name)).mode & 0o777, 0o600, name)
for (const name of ['cache.db', 'keys.db']) {
  const database = new SQLite(join(dataDir, name))
  assert.equal(database.pragma('integrity_check', { simple: true }), 'ok', name)
  database.close()
}

async function use(work: (store: Store) => Promise<void>) {
  const store = await openStore({
    dataDir,
    redis: undefined,
    redisPrefix: 'page-preview',
    s3: undefined,
    maxBytes: 100_000_000,
    clock: Date.now,
    onEvent: ({ event, reason }) => console.log(event, reason),
    onError: (error) => {
      throw error
    },
  })
  await work(store)
  await store.close()
}

/** Every entry is right or missing, every key is there, and everything can be written. */
async function assertUsable(store: Store) {
  for (let index = 0; index < ENTRIES; index++) {
    const entry = await store.entries.readEntry<string>(`page ${index}`)
    if (entry) assert.equal(entry.body, String(index).padEnd(ENTRY_BYTES))
  }
  const keys = await store.apiKeys.listKeys()
  assert.equal(keys.length, KEYS)
  assert.deepEqual(keys, allKeys)
  const count = await store.counters.readCount(CLIENT, DAY)
  assert.equal(await store.counters.countRequest(CLIENT, DAY), count + 1)
  assert.ok(count > 0)
  await store.apiKeys.writeKey(keyOf(0))
  await writePage(store, 0)
  const entry = await store.entries.readEntry('page 0')
  assert.equal(Buffer.from((await store.images.readImage(entry!.images[0]!))!).toString(), 'image 0')
  assert.deepEqual([await store.health.isReady(), await store.health.isWritable()], [true, true])
}

async function writePage(store: Store, index: number) {
  const image = await store.images.writeImage(Buffer.from(`image ${index % 20}`), 'png')
  const [createdAt, body] = [Date.now(), String(index).padEnd(ENTRY_BYTES)]
  await store.entries.writeEntry(`page ${index}`, {
    createdAt,
    expiresAt: createdAt + 3_600_000,
    images: [image],
    body,
  })
}
