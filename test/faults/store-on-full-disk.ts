// A script: uses the store on a small disk that is mounted at `dataDir`, and fails where the store does something else than expected.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { argv, pid } from 'node:process'
import { setTimeout } from 'node:timers/promises'
import { openLocalJobs } from '../../src/server/batches/local-jobs.js'
import { openStore, type ApiKeyRecord, type Store } from '../../src/server/store/index.js'
import { fillSmallDisk } from '../drills/small-disk.js'

export type FullDiskCase = keyof typeof CASES

const KEY: ApiKeyRecord = { id: 'key', name: 'n', verificationHash: 'h'.repeat(64), createdAt: 1 }
const CLIENT = '192.0.2.1'
const DAY = '2026-01-01'

const CASES = { storedBefore, afterCrash, deletions, otherProcesses, newJobs, newStore }
const [name = '', dataDir = ''] = argv.slice(2)
const fill = () => fillSmallDisk({ pid, dataDir })

await CASES[name as FullDiskCase]()

async function storedBefore() {
  const before = await open()
  const image = await writePage(before.store, 'before')
  await before.store.apiKeys.writeKey(KEY)
  await before.store.counters.countRequest(CLIENT, DAY)
  await before.store.close()
  const makeRoom = fill()

  const { store, events } = await open()
  await assertPage(store, 'before', image)
  assert.deepEqual(await store.apiKeys.readKey('key'), KEY)
  await assertPage(store, 'later', await writePage(store, 'later'))
  assert.equal(await store.counters.countRequest(CLIENT, DAY), 2)
  assert.deepEqual([await store.health.isWritable(), await store.health.isReady()], [false, true])
  assert.ok(events.includes('store-not-writable'), String(events))

  makeRoom()
  const again = await writePage(store, 'again')
  await store.close()
  const after = await open()
  await assertPage(after.store, 'again', again)
  assert.equal(await after.store.counters.readCount(CLIENT, DAY), 2)
  await after.store.close()
}

/** What was used last is in the log, which SQLite reads without an index in a file then. */
async function afterCrash() {
  const before = await open()
  const image = await writePage(before.store, 'before')
  await before.store.apiKeys.writeKey(KEY)
  await before.store.counters.countRequest(CLIENT, DAY)
  const files = readdirSync(dataDir).filter((name) => /\.db(-wal)?$/.test(name))
  const copies = files.map((name) => [join(dataDir, name), readFileSync(join(dataDir, name))] as const)
  await before.store.close()
  for (const [path, bytes] of copies) writeFileSync(path, bytes, { mode: 0o600 })
  fill()

  const { store, events } = await open()
  await assertPage(store, 'before', image)
  assert.deepEqual(await store.apiKeys.readKey('key'), KEY)
  assert.equal(await store.counters.readCount(CLIENT, DAY), 1)
  assert.ok(!events.includes('store-damaged'), String(events))
  await store.close()
}

/** Without a free byte, the log of SQLite has the room for the changes. */
async function deletions() {
  const { store, events } = await open()
  for (let index = 0; index < 100; index++) await writePage(store, `page ${index}`)
  await store.apiKeys.writeKey(KEY)
  await store.apiKeys.writeKey({ ...KEY, id: 'other' })
  fill()

  await store.apiKeys.writeKey({ ...KEY, revokedAt: 2 })
  assert.equal((await store.apiKeys.readKey('key'))?.revokedAt, 2)
  await assert.rejects(store.apiKeys.writeKey({ ...KEY, id: 'new' }), { code: 'ENOSPC' })
  assert.deepEqual(await store.purges.purge({ all: true }), { entries: 100, images: 100 })
  assert.equal(await store.entries.readEntry('page 0'), undefined)
  assert.equal(await store.health.usedBytes(), 0)
  await store.close()

  const after = await open()
  assert.equal((await after.store.apiKeys.readKey('key'))?.revokedAt, 2)
  assert.equal(await after.store.entries.readEntry('page 0'), undefined)
  await after.store.close()
  assert.ok(!events.includes('store-damaged'), String(events))
}

/** While the disk is full, one process has the files alone; later they are shared again. */
async function otherProcesses() {
  const before = await open()
  await before.store.apiKeys.writeKey(KEY)
  await before.store.close()
  const makeRoom = fill()
  const { store } = await open()
  assert.deepEqual(await store.apiKeys.readKey('key'), KEY)
  assert.throws(revokeInOtherProcess)
  makeRoom()
  for (;;) {
    try {
      revokeInOtherProcess()
      break
    } catch {
      await setTimeout(100)
    }
  }
  assert.equal((await store.apiKeys.readKey('key'))?.revokedAt, 2)
  await store.close()
}

function revokeInOtherProcess() {
  const program = `
    const SQLite = require('better-sqlite3')
    const database = new SQLite(process.argv[1], { timeout: 0 })
    database.prepare("UPDATE api_key SET json = json_set(json, '$.revokedAt', 2)").run()`
  execFileSync(process.execPath, ['--eval', program, join(dataDir, 'keys.db')], {
    stdio: 'ignore',
    cwd: import.meta.dirname,
  })
}

async function newJobs() {
  const errors: unknown[] = []
  const jobs = openLocalJobs(join(dataDir, 'jobs.db'), {
    clock: Date.now,
    onError: (error) => errors.push(error),
    onDamaged: assert.fail,
  })
  const addJob = (id: string) =>
    jobs.addJob(
      { id, keyId: 'key', base: 'http://pro.test', parameters: {}, webhook: undefined, createdAt: Date.now() },
      ['http://example.com'],
    )
  await addJob('before')
  const makeRoom = fill()
  await assert.rejects(addJob('full'), { code: 'EBUSY', message: /^The disk has no room for new jobs\./ })
  assert.equal(await jobs.readJob('full'), undefined)
  makeRoom()
  await addJob('again')
  assert.deepEqual(await jobs.countJobs('key'), { jobs: 2, pages: 2 })
  await jobs.close()
}

async function newStore() {
  fill()
  await assert.rejects(open(), /disk|space/i)
}

async function open() {
  const events: string[] = []
  const store = await openStore({
    dataDir,
    redis: undefined,
    redisPrefix: 'page-preview',
    s3: undefined,
    maxBytes: 4_000_000,
    clock: Date.now,
    onEvent: ({ event }) => events.push(event),
    onError: (error) => {
      throw error
    },
  })
  return { store, events }
}

async function writePage(store: Store, key: string) {
  const image = await store.images.writeImage(Buffer.from(`image of ${key}`), 'png')
  const createdAt = Date.now()
  await store.entries.writeEntry(key, { createdAt, expiresAt: createdAt + 60_000, images: [image], body: key })
  return image
}

async function assertPage(store: Store, key: string, image: Awaited<ReturnType<typeof writePage>>) {
  assert.equal((await store.entries.readEntry(key))?.body, key)
  assert.equal(Buffer.from((await store.images.readImage(image))!).toString(), `image of ${key}`)
}
