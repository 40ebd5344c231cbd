import { closeSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openLocalStore } from '../../../../src/server/store/local/open-local-store.js'
import type { CacheEntry, ImageName } from '../../../../src/server/store/index.js'
import type { LocalStore } from '../../../../src/server/store/store-parts.js'
import { storeInMemoryWhenFull } from '../../../../src/server/store/local/memory-fallback.js'
import { canMount, mountSmallDisk } from '../../../shared/mount-small-disk.js'
import { slowCases } from '../../../shared/slow-cases.js'
import { temporaryDir } from '../temporary-dir.js'

const CLIENT = '192.0.2.1'
const DAY = '2026-01-01'
const createEntry = (body: unknown, images: ImageName[] = []): CacheEntry => ({
  createdAt: Date.now(),
  expiresAt: Date.now() + 86_400_000,
  images,
  body,
})

interface Disk {
  store: LocalStore
  fill: () => void
  free: () => void
}

/** A disk that says it is full. */
async function simulatedDisk(): Promise<Disk> {
  const local = await openLocalStore({ dataDir: await temporaryDir(), maxBytes: 10_000_000, reserveBytes: 0 })
  let isFull = false
  const unlessFull = async <Result>(write: () => Promise<Result>): Promise<Result> => {
    if (isFull) throw Object.assign(new Error('full'), { code: 'ENOSPC' })
    return write()
  }
  const store: LocalStore = {
    ...local,
    entries: { ...local.entries, writeEntry: (...entry) => unlessFull(() => local.entries.writeEntry(...entry)) },
    images: { ...local.images, writeImage: (...image) => unlessFull(() => local.images.writeImage(...image)) },
    counters: {
      ...local.counters,
      countRequest: (...request) => unlessFull(() => local.counters.countRequest(...request)),
    },
    apiKeys: { ...local.apiKeys, writeKey: (key) => unlessFull(() => local.apiKeys.writeKey(key)) },
    health: { ...local.health, isWritable: async () => !isFull },
  }
  return { store, fill: () => void (isFull = true), free: () => void (isFull = false) }
}

/** A real file system of 8 MB. */
async function smallDisk(): Promise<Disk> {
  const dir = join(await temporaryDir(), 'disk')
  mountSmallDisk(dir, '8m')
  const store = await openLocalStore({ dataDir: join(dir, 'data'), maxBytes: 10_000_000, reserveBytes: 0 })
  const filler = join(dir, 'filler')
  return {
    store,
    fill() {
      const file = openSync(filler, 'w')
      try {
        for (;;) writeSync(file, Buffer.alloc(4_096))
      } catch {
        closeSync(file)
      }
    },
    free: () => rmSync(filler),
  }
}

describe.each([
  { name: 'that is simulated', open: simulatedDisk, isPossible: true },
  ...slowCases({ name: 'of 8 MB', open: smallDisk, isPossible: canMount }),
])('on a full disk $name', ({ open, isPossible }) => {
  if (!isPossible) return it.skip('needs the right to mount a file system')

  async function openFull() {
    const { store: disk, fill, free } = await open()
    const events: string[] = []
    const onEvent = (event: string) => events.push(event)
    const onError = (error: unknown) => {
      throw error
    }
    const store = storeInMemoryWhenFull(disk, { clock: Date.now, onEvent, onError })
    onTestFinished(() => store.close())
    await store.entries.writeEntry(
      'before',
      createEntry('before', [await store.images.writeImage(Buffer.from('old image'), 'png')]),
    )
    await store.counters.countRequest(CLIENT, DAY)
    expect(await store.health.isWritable()).toBe(true)
    fill()
    return { store, disk, free, events }
  }

  it('serves results and images from memory, and counts on', async () => {
    const { store, events } = await openFull()
    const bytes = Buffer.alloc(50_000, 'new image')
    const image = await store.images.writeImage(bytes, 'png')
    await store.entries.writeEntry('page', createEntry('new', [image]))
    expect(await store.entries.readEntry('page')).toMatchObject({ body: 'new', images: [image] })
    expect(bytes.equals((await store.images.readImage(image))!)).toBe(true)
    const opened = (await store.images.openImage(image))!
    expect(opened.size).toBe(50_000)
    expect(await new Response(opened.stream({ start: 0, end: 8 })).text()).toBe('new image')
    expect(await store.entries.readEntry('before')).toMatchObject({ body: 'before' })
    expect(await store.counters.countRequest(CLIENT, DAY)).toBe(2)
    expect(await store.counters.countRequest(CLIENT, DAY)).toBe(3)
    expect(await store.counters.countRequest(CLIENT, DAY, -1)).toBe(2)
    expect(await store.counters.readCount(CLIENT, DAY)).toBe(2)
    expect(await store.health.isWritable()).toBe(false)
    expect(await store.health.isReady()).toBe(true)
    expect(events).toEqual(['store-not-writable'])
    await expect(
      store.apiKeys.writeKey({ id: 'k', name: 'n', verificationHash: 'h', createdAt: 1 }),
    ).rejects.toMatchObject({
      code: 'ENOSPC',
    })
  })

  it('holds no more in memory than fits, and no entry without its image', async () => {
    const { store } = await openFull()
    for (let index = 0; index < 20; index++) {
      const image = await store.images.writeImage(Buffer.alloc(5_000_000, `image ${index}`), 'png')
      await store.entries.writeEntry(`page ${index}`, createEntry(index, [image]))
    }
    expect(await store.entries.readEntry('page 0')).toBeUndefined()
    expect(await store.entries.readEntry('page 19')).toMatchObject({ body: 19 })
  })

  it('stores everything again as soon as there is room', async () => {
    const { store, disk, free, events } = await openFull()
    const image = await store.images.writeImage(Buffer.from('new image'), 'png')
    await store.entries.writeEntry('page', createEntry('new', [image]))
    await store.counters.countRequest(CLIENT, DAY)
    expect(await disk.entries.readEntry('page')).toBeUndefined()
    free()
    expect(await store.health.isWritable()).toBe(true)
    await expect.poll(() => disk.counters.readCount(CLIENT, DAY)).toBe(2)
    expect(await disk.entries.readEntry('page')).toMatchObject({ body: 'new' })
    expect(await disk.images.readImage(image)).toBeDefined()
    expect(await store.counters.countRequest(CLIENT, DAY)).toBe(3)
    expect(events).toEqual(['store-not-writable', 'store-writable'])
  })
})
