import { closeSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openLocalStore, type CacheEntry, type ImageName, type Store } from '../../../../src/server/store/index.js'
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
  store: Store
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
  const store: Store = {
    ...local,
    writeEntry: (key, entry) => unlessFull(() => local.writeEntry(key, entry)),
    writeImage: (bytes, type) => unlessFull(() => local.writeImage(bytes, type)),
    countRequest: (...request) => unlessFull(() => local.countRequest(...request)),
    writeKey: (key) => unlessFull(() => local.writeKey(key)),
    isWritable: async () => !isFull,
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
    await store.writeEntry('before', createEntry('before', [await store.writeImage(Buffer.from('old image'), 'png')]))
    await store.countRequest(CLIENT, DAY)
    expect(await store.isWritable()).toBe(true)
    fill()
    return { store, disk, free, events }
  }

  it('serves results and images from memory, and counts on', async () => {
    const { store, events } = await openFull()
    const bytes = Buffer.alloc(50_000, 'new image')
    const image = await store.writeImage(bytes, 'png')
    await store.writeEntry('page', createEntry('new', [image]))
    expect(await store.readEntry('page')).toMatchObject({ body: 'new', images: [image] })
    expect(bytes.equals((await store.readImage(image))!)).toBe(true)
    const opened = (await store.openImage(image))!
    expect(opened.size).toBe(50_000)
    expect(await new Response(opened.stream({ start: 0, end: 8 })).text()).toBe('new image')
    expect(await store.readEntry('before')).toMatchObject({ body: 'before' })
    expect(await store.countRequest(CLIENT, DAY)).toBe(2)
    expect(await store.countRequest(CLIENT, DAY)).toBe(3)
    expect(await store.countRequest(CLIENT, DAY, -1)).toBe(2)
    expect(await store.readCount(CLIENT, DAY)).toBe(2)
    expect(await store.isWritable()).toBe(false)
    expect(await store.isReady()).toBe(true)
    expect(events).toEqual(['store-not-writable'])
    await expect(store.writeKey({ id: 'k', name: 'n', verificationHash: 'h', createdAt: 1 })).rejects.toMatchObject({
      code: 'ENOSPC',
    })
  })

  it('holds no more in memory than fits, and no entry without its image', async () => {
    const { store } = await openFull()
    for (let index = 0; index < 20; index++) {
      const image = await store.writeImage(Buffer.alloc(5_000_000, `image ${index}`), 'png')
      await store.writeEntry(`page ${index}`, createEntry(index, [image]))
    }
    expect(await store.readEntry('page 0')).toBeUndefined()
    expect(await store.readEntry('page 19')).toMatchObject({ body: 19 })
  })

  it('stores everything again as soon as there is room', async () => {
    const { store, disk, free, events } = await openFull()
    const image = await store.writeImage(Buffer.from('new image'), 'png')
    await store.writeEntry('page', createEntry('new', [image]))
    await store.countRequest(CLIENT, DAY)
    expect(await disk.readEntry('page')).toBeUndefined()
    free()
    expect(await store.isWritable()).toBe(true)
    await expect.poll(() => disk.readCount(CLIENT, DAY)).toBe(2)
    expect(await disk.readEntry('page')).toMatchObject({ body: 'new' })
    expect(await disk.readImage(image)).toBeDefined()
    expect(await store.countRequest(CLIENT, DAY)).toBe(3)
    expect(events).toEqual(['store-not-writable', 'store-writable'])
  })
})
