// A script: uses the store on a small disk that is mounted at `dataDir`, and fails where the store does something else than expected.
import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { argv, pid } from 'node:process'
import { openStore, type ApiKeyRecord, type Store } from '../../src/server/store/index.js'
import { fillSmallDisk } from '../drills/small-disk.js'

export type FullDiskCase = keyof typeof CASES

const KEY: ApiKeyRecord = { id: 'key', name: 'n', verificationHash: 'h'.repeat(64), createdAt: 1 }
const CLIENT = '192.0.2.1'
const DAY = '2026-01-01'

const CASES = { storedBefore, missingLockFiles, newStore }
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

async function missingLockFiles() {
  const before = await open()
  await before.store.apiKeys.writeKey(KEY)
  await before.store.close()
  for (const file of ['store.mdb-lock', 'keys.mdb-lock']) rmSync(join(dataDir, file))
  const makeRoom = fill()
  await assert.rejects(open(), /space/)

  makeRoom()
  const { store, events } = await open()
  assert.deepEqual(await store.apiKeys.readKey('key'), KEY)
  assert.deepEqual(events, [])
  await store.close()
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
