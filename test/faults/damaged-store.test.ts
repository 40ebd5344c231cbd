// Covers what a local store does with files that were damaged or removed; `open-databases.ts` finds them.
import { copyFileSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openLocalStore } from '../../src/server/store/local/open-local-store.js'
import type { ImageName } from '../../src/server/store/index.js'
import type { LocalStore } from '../../src/server/store/store-parts.js'
import { temporaryDir } from '../server/store/temporary-dir.js'

const DAY = '2026-01-01'
const CLIENT = '192.0.2.1'
const KEYS = 40
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

const files = ['store.mdb', 'keys.mdb', 'store.mdb-lock', 'keys.mdb-lock']
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
    for (const name of readdirSync(folder.dataDir).filter((name) => /mdb/.test(name)))
      expect(statSync(join(folder.dataDir, name)).mode & 0o777, name).toBe(0o600)
  })
})

describe('a damaged cache', () => {
  it.each(['cut in half', 'filled with random bytes', 'replaced by a text', 'filled with zeros'])(
    'that was %s is set aside with a message, and API keys and counters stay',
    async (how) => {
      const folder = await writeFolder()
      damages[how]!(join(folder.dataDir, 'store.mdb'))
      const store = await folder.open()
      expect(folder.messages).toEqual([expect.stringMatching(/store\.mdb is damaged .* set aside as .* lost/)])
      expect(readdirSync(folder.dataDir).filter((name) => name.startsWith('store.mdb.damaged-'))).toHaveLength(1)
      expect(await store.apiKeys.listKeys()).toHaveLength(KEYS)
      expect(await store.counters.readCount(CLIENT, DAY)).toBe(1)
      await expectUsable(store, folder)
    },
  )

  it('is kept twice at most', async () => {
    const folder = await writeFolder()
    const path = join(folder.dataDir, 'store.mdb')
    for (let round = 0; round < 4; round++) {
      damages['replaced by a text']!(path)
      await (await folder.open()).close()
    }
    expect(folder.messages).toHaveLength(4)
    expect(readdirSync(folder.dataDir).filter((name) => name.includes('damaged'))).toHaveLength(2)
  })
})

it('uses the API keys and counters again that can be read in a damaged file', async () => {
  const folder = await writeFolder()
  const path = join(folder.dataDir, 'keys.mdb')
  const bytes = readFileSync(path)
  // Damages the leaf that has this key, and its former versions.
  for (let at = bytes.indexOf('"id":"key 7"'); at >= 0; at = bytes.indexOf('"id":"key 7"', at + 1))
    bytes.fill(0xff, at - (at % 4_096), at - (at % 4_096) + 24)
  writeFileSync(path, bytes)
  const store = await folder.open()
  const message = folder.messages.join()
  expect(message).toMatch(/keys\.mdb are damaged .* \d+ keys and 1 counters could be read/)
  expect((await store.apiKeys.listKeys()).length).toBe(Number(/(\d+) keys and/.exec(message)![1]))
  expect(await store.counters.readCount(CLIENT, DAY)).toBe(1)
})

it('survives a flipped bit anywhere in its files', async () => {
  const folder = await writeFolder()
  for (const name of ['store.mdb', 'keys.mdb']) {
    const path = join(folder.dataDir, name)
    const intact = `${path}.intact`
    copyFileSync(path, intact)
    const size = statSync(path).size
    for (let round = 0; round < 12; round++) {
      const bytes = readFileSync(intact)
      // The start of a page is what lmdb relies on.
      const page = Math.floor((size / 4_096) * (round / 12)) * 4_096
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
  expect(folder.messages).toEqual([expect.stringMatching(/was removed and has been created again.* lost/)])
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
  await expect.poll(() => folder.messages, { timeout: 5_000 }).toHaveLength(1)
  expect(await store.entries.readEntry('page 0')).toBeUndefined()
  expect(await store.apiKeys.listKeys()).toHaveLength(KEYS)

  rmSync(folder.dataDir, { recursive: true })
  const other = await folder.open()
  await other.apiKeys.writeKey(keyOf(2_000))
  await expect.poll(() => folder.messages, { timeout: 5_000 }).toHaveLength(2)
  expect(await store.apiKeys.readKey('key 2000')).toEqual(keyOf(2_000))
  expect(await store.apiKeys.listKeys()).toHaveLength(KEYS + 1)
})
