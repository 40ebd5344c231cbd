// Covers the start of a service on a disk without a free byte, with and without an earlier store on it.
import { execFileSync } from 'node:child_process'
import { closeSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { openStore, type ApiKeyRecord, type Store } from '../../src/server/store/index.js'
import { temporaryDir } from '../server/store/temporary-dir.js'

const CHUNK = Buffer.alloc(1_048_576)
const KEY: ApiKeyRecord = { id: 'key', name: 'n', verificationHash: 'h'.repeat(64), createdAt: 1 }
const CLIENT = '192.0.2.1'
const DAY = '2026-01-01'

const canMount = (() => {
  try {
    execFileSync('unshare', ['-m', 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
})()

/** A file system of 80 MB, more than the store leaves untouched. */
async function smallDisk() {
  const dir = join(await temporaryDir(), 'disk')
  mkdirSync(dir)
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=80m', 'tmpfs', dir])
  onTestFinished(() => void execFileSync('umount', ['-l', dir]))
  const filler = join(dir, 'filler')
  return {
    dataDir: join(dir, 'data'),
    fill() {
      const file = openSync(filler, 'w')
      try {
        for (;;) writeSync(file, CHUNK)
      } catch {
        closeSync(file)
      }
    },
    free: () => rmSync(filler),
  }
}

async function open(dataDir: string) {
  const events: string[] = []
  const store = await openStore({
    dataDir,
    redis: undefined,
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
  const image = await store.writeImage(Buffer.from(`image of ${key}`), 'png')
  const createdAt = Date.now()
  await store.writeEntry(key, { createdAt, expiresAt: createdAt + 60_000, images: [image], body: key })
  return image
}

it.skipIf(!canMount)('starts with what is stored, goes on in memory, and stores again when there is room', async () => {
  const disk = await smallDisk()
  const before = await open(disk.dataDir)
  const image = await writePage(before.store, 'before')
  await before.store.writeKey(KEY)
  await before.store.countRequest(CLIENT, DAY)
  await before.store.close()
  disk.fill()

  const { store, events } = await open(disk.dataDir)
  expect((await store.readEntry('before'))?.body).toBe('before')
  expect(Buffer.from((await store.readImage(image))!).toString()).toBe('image of before')
  expect(await store.readKey('key')).toEqual(KEY)
  const later = await writePage(store, 'later')
  expect((await store.readEntry('later'))?.body).toBe('later')
  expect(Buffer.from((await store.readImage(later))!).toString()).toBe('image of later')
  expect(await store.countRequest(CLIENT, DAY)).toBe(2)
  expect([await store.isWritable(), await store.isReady()]).toEqual([false, true])
  expect(events).toContain('store-not-writable')

  disk.free()
  await writePage(store, 'again')
  await store.close()
  const after = await open(disk.dataDir)
  expect(await after.store.readCount(CLIENT, DAY)).toBe(2)
  await after.store.close()
})

it.skipIf(!canMount)('does not take a store for damaged whose lock file is missing', async () => {
  const disk = await smallDisk()
  const before = await open(disk.dataDir)
  await before.store.writeKey(KEY)
  await before.store.close()
  for (const name of ['store.mdb-lock', 'keys.mdb-lock']) rmSync(join(disk.dataDir, name))
  disk.fill()
  await expect(open(disk.dataDir)).rejects.toThrow(/space/)
  disk.free()
  const { store, events } = await open(disk.dataDir)
  expect(await store.readKey('key')).toEqual(KEY)
  expect(events).toEqual([])
  await store.close()
})

it.skipIf(!canMount)('says in a sentence that a new store cannot be created', async () => {
  const disk = await smallDisk()
  disk.fill()
  await expect(open(disk.dataDir)).rejects.toThrow(/disk|space/i)
})
