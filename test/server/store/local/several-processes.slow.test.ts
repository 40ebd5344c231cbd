// Covers a local store that several processes use at the same time; no single source file is responsible for that.
import { expect, it } from 'vitest'
import { openLocalStore } from '../../../../src/server/store/local/open-local-store.js'
import { findLeftovers, noLeftovers } from './find-leftovers.js'
import { startSecondProcess } from './start-second-process.js'
import { temporaryDir } from '../temporary-dir.js'

const MAX_BYTES = 2_000_000

it('sees at once that another process has revoked a key', async () => {
  const dataDir = await temporaryDir()
  const store = await openLocalStore({ dataDir, maxBytes: MAX_BYTES })
  const key = { id: 'k1', name: 'shop', verificationHash: 'h', createdAt: 1 }
  await store.apiKeys.writeKey(key)
  expect(await store.apiKeys.readKey('k1')).toEqual(key)
  const other = await startSecondProcess(dataDir, MAX_BYTES)
  expect(await other.call('readKey', 'k1')).toEqual(key)
  await other.call('writeKey', { ...key, revokedAt: 2 })
  expect(await store.apiKeys.readKey('k1')).toMatchObject({ revokedAt: 2 })
  await store.close()
})

it('shares entries, images and the size limit with a process that writes at the same time', async () => {
  const dataDir = await temporaryDir()
  const store = await openLocalStore({ dataDir, maxBytes: MAX_BYTES })
  const other = await startSecondProcess(dataDir, MAX_BYTES)
  const theirs = other.call('writeMany', 'same-', 200)
  for (let index = 0; index < 200; index++) {
    const image = await store.images.writeImage(Buffer.alloc(20_000, `same-${index}`), 'jpg')
    const createdAt = Date.now()
    const body = { key: index, text: 'x'.repeat(2_000) }
    await store.entries.writeEntry(`same-${index}`, { createdAt, expiresAt: createdAt + 60_000, images: [image], body })
    if (index % 20 === 0) await other.call('readEntry', 'same-0')
  }
  await theirs
  let foundEntries = 0
  for (let index = 0; index < 200; index++) {
    const entry = await store.entries.readEntry(`same-${index}`)
    for (const image of entry?.images ?? [])
      expect(await store.images.readImage(image)).toEqual(Buffer.alloc(20_000, `same-${index}`))
    if (entry) foundEntries++
  }
  expect(foundEntries).toBeGreaterThan(50)
  expect(foundEntries).toBeLessThan(100)
  await other.call('close')
  await store.close()
  expect(await findLeftovers(dataDir)).toEqual(noLeftovers)
})

it('is consistent after another process was killed while writing', async () => {
  const dataDir = await temporaryDir()
  for (const round of ['a', 'b', 'c']) {
    const other = await startSecondProcess(dataDir, MAX_BYTES)
    const killed = expect(other.call('writeForever', round)).rejects.toThrow('ended')
    await other.untilWritten(60)
    await other.kill()
    await killed
    const store = await openLocalStore({ dataDir, maxBytes: MAX_BYTES })
    for (const key of other.written.slice(-20)) {
      const entry = await store.entries.readEntry(key)
      expect(entry?.body).toEqual({ key })
      expect(await store.images.readImage(entry!.images[0]!)).toHaveLength(20_000)
    }
    await store.close()
  }
  expect(await findLeftovers(dataDir)).toEqual(noLeftovers)
})
