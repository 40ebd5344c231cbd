// Covers what a local store does with files that were damaged or removed; `database-file.ts` finds them.
import SQLite from 'better-sqlite3'
import { copyFileSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openLocalStore } from '../../src/server/store/local/open-local-store.js'
import type { ImageName } from '../../src/server/store/index.js'
import { databaseFiles } from '../../src/server/store/data-dir.js'
import type { LocalStore } from '../../src/server/store/store-parts.js'
import { temporaryDir } from '../server/store/temporary-dir.js'

const DAY = '2026-01-01'
const CLIENT = '192.0.2.1'
const KEYS = 40
const PAGE_BYTES = 4_096
const ENTRIES = 200
const imageBytes = (index: number) => Buffer.alloc(1_000 + index, `image ${index}`)
const keyOf = (index: number) => ({ id: `key ${index}`, name: 'n', verificationHash: 'h'.repeat(64), createdAt: index })

interface Folder {
  dataDir: string
  images: ImageName[]
  messages: string[]
  open(): Promise<LocalStore>
}

async function writeFolder(): Promise<Folder> {
  const dataDir = await temporaryDir()
  const messages: string[] = []
  const open = async () => {
    const onDamaged = (message: string) => messages.push(message)
    const store = await openLocalStore({ dataDir, maxBytes: 10_000_000, reserveBytes: 0, onDamaged })
    onTestFinished(() => store.close())
    return store
  }
  const store = await open()
  const images: ImageName[] = []
  for (let index = 0; index < ENTRIES; index++) {
    const image = await store.images.writeImage(imageBytes(index % 20), 'jpg')
    images[index % 20] = image
    await writeEntry(store, `page ${index}`, image)
  }
  for (let index = 0; index < KEYS; index++) await store.apiKeys.writeKey(keyOf(index))
  await store.counters.countRequest(CLIENT, DAY)
  await store.close()
  return { dataDir, images, messages, open }
}

const writeEntry = (store: LocalStore, key: string, image: ImageName) =>
  store.entries.writeEntry(key, {
    createdAt: Date.now(),
    expiresAt: Date.now() + 86_400_000,
    images: [image],
    body: { key, text: 'x'.repeat(500) },
  })

/** Every image that is served has the right bytes, and writing works. */
async function expectUsable(store: LocalStore, { images }: Folder) {
  for (let index = 0; index < ENTRIES; index++) {
    const entry = await store.entries.readEntry<{ key: string }>(`page ${index}`)
    if (entry) expect(entry.body.key).toBe(`page ${index}`)
  }
  for (const [index, image] of images.entries()) {
    const bytes = await store.images.readImage(image)
    if (bytes) expect(imageBytes(index).equals(bytes)).toBe(true)
  }
  const image = await store.images.writeImage(Buffer.from('new image'), 'png')
  await writeEntry(store, 'new', image)
  expect(await store.entries.readEntry('new')).toMatchObject({ body: { key: 'new' } })
  expect(Buffer.from((await store.images.readImage(image))!).toString()).toBe('new image')
  await store.apiKeys.writeKey(keyOf(1_000))
  expect(await store.apiKeys.readKey('key 1000')).toEqual(keyOf(1_000))
  expect(await store.health.isReady()).toBe(true)
}

const files = ['cache.db', 'keys.db']
const imageFiles = (dataDir: string) =>
  readdirSync(join(dataDir, 'images'), { recursive: true, encoding: 'utf8' })
    .map((name) => join(dataDir, 'images', name))
    .filter((path) => statSync(path).isFile())

const damages: Record<string, (path: string) => void> = {
  'cut in half': (path) => truncateSync(path, Math.floor(statSync(path).size / 2)),
  emptied: (path) => truncateSync(path, 0),
  'filled with random bytes': (path) => {
    const size = statSync(path).size
    writeFileSync(
      path,
      Uint8Array.from({ length: size }, (_, index) => (index * 7_919 + (index >> 8) * 31) & 255),
    )
  },
  'replaced by a text': (path) => writeFileSync(path, 'this is not a database'),
  'filled with zeros': (path) => writeFileSync(path, Buffer.alloc(statSync(path).size)),
  removed: (path) => rmSync(path),
}

describe.each(Object.entries(damages))('a data folder of which every file was %s', (_, damage) => {
  it('is usable again, and serves no broken image', async () => {
    const folder = await writeFolder()
    for (const path of [...files.map((name) => join(folder.dataDir, name)), ...imageFiles(folder.dataDir)]) damage(path)
    const store = await folder.open()
    await expectUsable(store, folder)
    await store.close()
    for (const name of readdirSync(folder.dataDir).filter((name) => name.includes('.db')))
      expect(statSync(join(folder.dataDir, name)).mode & 0o777, name).toBe(0o600)
  })
})

describe('a damaged cache', () => {
  it.each(['cut in half', 'filled with random bytes', 'replaced by a text', 'filled with zeros'])(
    'that was %s is set aside with a message, and API keys and counters stay',
    async (how) => {
      const folder = await writeFolder()
      damages[how]!(join(folder.dataDir, 'cache.db'))
      const store = await folder.open()
      expect(folder.messages).toEqual([expect.stringMatching(/cache\.db is damaged .* set aside as .* lost/)])
      expect(readdirSync(folder.dataDir).filter((name) => name.startsWith('cache.db.damaged-'))).toHaveLength(1)
      expect(await store.apiKeys.listKeys()).toHaveLength(KEYS)
      expect(await store.counters.readCount(CLIENT, DAY)).toBe(1)
      await expectUsable(store, folder)
    },
  )

  it('is kept twice at most', async () => {
    const folder = await writeFolder()
    const path = join(folder.dataDir, 'cache.db')
    for (let round = 0; round < 4; round++) {
      damages['replaced by a text']!(path)
      await (await folder.open()).close()
    }
    expect(folder.messages).toHaveLength(4)
    expect(readdirSync(folder.dataDir).filter((name) => name.includes('damaged'))).toHaveLength(2)
  })
})

describe('API keys and counters in a damaged file', () => {
  /** Overwrites each page that the test names, and opens the store. */
  async function openDamaged(pagesOf: (file: Buffer, roots: Record<string, number>) => number[]) {
    const folder = await writeFolder()
    const path = join(folder.dataDir, 'keys.db')
    const roots = rootsOf(path)
    const bytes = readFileSync(path)
    for (const page of pagesOf(bytes, roots)) bytes.fill(0xff, (page - 1) * PAGE_BYTES, page * PAGE_BYTES)
    writeFileSync(path, bytes)
    const store = await folder.open()
    const keys = await store.apiKeys.listKeys()
    const count = await store.counters.readCount(CLIENT, DAY)
    const message = folder.messages.join()
    expect(message).toMatch(
      new RegExp(`keys\\.db are damaged .* ${keys.length} keys and ${count} counters could be read`),
    )
    await expectUsable(store, folder)
    return { keys, count }
  }

  it.each(['sqlite_schema', 'api_key', 'sqlite_autoindex_api_key_1', 'usage'])(
    'are all in use again when the root page of %s is damaged',
    async (table) => {
      const { keys, count } = await openDamaged((_, roots) => [roots[table]!])
      expect(keys).toEqual(Array.from({ length: KEYS }, (_unused, index) => keyOf(index)))
      expect(count).toBe(1)
    },
  )

  it('are in use again but for those of the damaged pages', async () => {
    const { keys, count } = await openDamaged((file) => [Math.floor(file.indexOf('{"id":"key 7"') / PAGE_BYTES) + 1])
    expect(keys.length).toBeGreaterThan(KEYS / 4)
    expect(keys.length).toBeLessThan(KEYS)
    expect(count).toBe(1)
  })

  it('do not contain a key as it was before it was revoked', async () => {
    const folder = await writeFolder()
    const path = join(folder.dataDir, 'keys.db')
    const store = await folder.open()
    for (let index = 0; index < KEYS; index++) await store.apiKeys.writeKey({ ...keyOf(index), revokedAt: 1 })
    await store.close()
    const bytes = readFileSync(path)
    bytes.fill(0, 0, 100)
    writeFileSync(path, bytes)
    const damaged = await folder.open()
    expect(folder.messages).toEqual([expect.stringMatching(`${KEYS} keys`)])
    expect((await damaged.apiKeys.listKeys()).filter(({ revokedAt }) => revokedAt === undefined)).toEqual([])
  })

  it('are read from the log too, after a crash', async () => {
    const folder = await writeFolder()
    const paths = databaseFiles(join(folder.dataDir, 'keys.db'))
    const root = rootsOf(paths[0]!).api_key!
    const store = await folder.open()
    for (let count = 0; count < 5; count++) await store.counters.countRequest(CLIENT, DAY)
    const crashed = paths.slice(0, 2).map((path) => readFileSync(path))
    await store.close()
    crashed[0]!.fill(0xff, (root - 1) * PAGE_BYTES, root * PAGE_BYTES)
    crashed.forEach((bytes, index) => writeFileSync(paths[index]!, bytes, { mode: 0o600 }))
    const opened = await folder.open()
    expect(folder.messages).toEqual([expect.stringMatching(`${KEYS} keys and 1 counters`)])
    expect(await opened.counters.readCount(CLIENT, DAY)).toBe(6)
  })
})

/** The root page of each table and index. */
function rootsOf(path: string): Record<string, number> {
  const database = new SQLite(path)
  const rows = database.prepare<[], [string, number]>('SELECT name, rootpage FROM sqlite_schema').raw().all()
  database.close()
  return { sqlite_schema: 1, ...Object.fromEntries(rows) }
}

it('refuses the keys of a newer version, and sets its cache aside', async () => {
  const folder = await writeFolder()
  const setVersion = (name: string, version: number) => {
    const database = new SQLite(join(folder.dataDir, name))
    database.pragma(`user_version=${version}`)
    database.close()
  }
  setVersion('keys.db', 99)
  await expect(folder.open()).rejects.toThrow(/keys\.db was written by a newer version .* choose another folder/)
  expect(folder.messages).toEqual([])
  setVersion('keys.db', 1)
  setVersion('cache.db', 99)
  const store = await folder.open()
  expect(folder.messages).toEqual([expect.stringMatching(/cache\.db is damaged \(its schema 99 is unknown\)/)])
  expect(await store.apiKeys.listKeys()).toHaveLength(KEYS)
  await expectUsable(store, folder)
})

it('survives a flipped bit anywhere in its files', async () => {
  const folder = await writeFolder()
  for (const name of ['cache.db', 'keys.db']) {
    const path = join(folder.dataDir, name)
    const intact = `${path}.intact`
    copyFileSync(path, intact)
    const size = statSync(path).size
    for (let round = 0; round < 12; round++) {
      const bytes = readFileSync(intact)
      // The start of a page says how to read the rest.
      const page = Math.floor((size / PAGE_BYTES) * (round / 12)) * PAGE_BYTES
      bytes[page + ((round * 7) % 40)]! ^= 1 << (round & 7)
      writeFileSync(path, bytes)
      const store = await folder.open()
      await expectUsable(store, folder)
      await store.close()
    }
  }
})

it('treats an image with a flipped bit as lost, and removes it', async () => {
  const folder = await writeFolder()
  const [damaged, streamed] = folder.images as [ImageName, ImageName]
  for (const name of [damaged, streamed]) {
    const path = join(folder.dataDir, 'images', name.slice(0, 2), name)
    const bytes = readFileSync(path)
    bytes[500]! ^= 4
    writeFileSync(path, bytes)
  }
  const store = await folder.open()
  expect(await store.images.readImage(damaged)).toBeUndefined()
  expect(await store.images.openImage(streamed)).toBeUndefined()
  expect(await store.entries.readEntry('page 0')).toBeUndefined()
  expect(imageFiles(folder.dataDir)).toHaveLength(18)
  expect(await store.images.writeImage(imageBytes(0), 'jpg')).toBe(damaged)
  expect(await store.images.readImage(damaged)).toHaveLength(1_000)
})

it('goes on when its folder is removed while it is open, with its API keys and counters', async () => {
  const folder = await writeFolder()
  const secretPath = join(folder.dataDir, 'signing-secret')
  writeFileSync(secretPath, 'the secret of the keys\n', { mode: 0o600 })
  const store = await folder.open()
  rmSync(folder.dataDir, { recursive: true })
  expect(await store.images.readImage(folder.images[0]!)).toBeUndefined()
  await expectUsable(store, folder)
  expect(await store.apiKeys.listKeys()).toHaveLength(KEYS + 1)
  expect(await store.counters.countRequest(CLIENT, DAY)).toBe(2)
  expect(readFileSync(secretPath, 'utf8')).toBe('the secret of the keys\n')
  expect(statSync(secretPath).mode & 0o777).toBe(0o600)
  expect(folder.messages).toEqual([
    expect.stringMatching(/cache .* was removed or replaced, and has been created again.* lost/),
    expect.stringMatching(`API keys .* were removed or replaced; ${KEYS} keys and 1 counters are in use again`),
  ])
  await store.close()
  const reopened = await folder.open()
  expect(await reopened.apiKeys.listKeys()).toHaveLength(KEYS + 1)
  expect(await reopened.entries.readEntry('new')).toBeDefined()
  expect(statSync(folder.dataDir).mode & 0o777).toBe(0o700)
})

it('notices that its folder was removed, although nothing is written, and that another process has created it again', async () => {
  const folder = await writeFolder()
  const store = await folder.open()
  rmSync(folder.dataDir, { recursive: true })
  await expect.poll(() => folder.messages, { timeout: 5_000 }).toHaveLength(2)
  expect(await store.entries.readEntry('page 0')).toBeUndefined()
  expect(await store.apiKeys.listKeys()).toHaveLength(KEYS)

  rmSync(folder.dataDir, { recursive: true })
  const other = await folder.open()
  await other.apiKeys.writeKey(keyOf(2_000))
  await expect.poll(() => folder.messages, { timeout: 5_000 }).toHaveLength(4)
  expect(await store.apiKeys.readKey('key 2000')).toEqual(keyOf(2_000))
  expect(await store.apiKeys.listKeys()).toHaveLength(KEYS + 1)
})
