import { expect, it } from 'vitest'
import { openLocalStore } from '../../../../src/server/store/index.js'
import { leftoversWithoutRoom, nothingLeft } from './database-audit.js'
import { secondProcess } from './second-process.js'
import { temporaryDir } from '../temporary-dir.js'

const MAX_BYTES = 2_000_000

it('sees a key that another process revokes as soon as that has written it', async () => {
  const dataDir = await temporaryDir()
  const store = await openLocalStore({ dataDir, maxBytes: MAX_BYTES })
  const key = { id: 'k1', name: 'shop', secretHash: 'h', createdAt: 1 }
  await store.writeKey(key)
  expect(await store.readKey('k1')).toEqual(key)
  const other = await secondProcess(dataDir, MAX_BYTES)
  expect(await other.run('readKey', 'k1')).toEqual(key)
  await other.run('writeKey', { ...key, revokedAt: 2 })
  expect(await store.readKey('k1')).toMatchObject({ revokedAt: 2 })
  await store.close()
})

it('shares answers, images and the bound with another process that writes at the same time', async () => {
  const dataDir = await temporaryDir()
  const store = await openLocalStore({ dataDir, maxBytes: MAX_BYTES })
  const other = await secondProcess(dataDir, MAX_BYTES)
  const theirs = other.run('writeMany', 'same-', 200)
  for (let index = 0; index < 200; index++) {
    const image = await store.writeImage(Buffer.alloc(20_000, `same-${index}`), 'jpg')
    const createdAt = Date.now()
    const body = { key: index, text: 'x'.repeat(2_000) }
    await store.writeEntry(`same-${index}`, { createdAt, expiresAt: createdAt + 60_000, images: [image], body })
    if (index % 20 === 0) await other.run('readEntry', 'same-0')
  }
  await theirs
  let found = 0
  for (let index = 0; index < 200; index++) {
    const answer = await store.readEntry(`same-${index}`)
    for (const image of answer?.images ?? []) expect(await store.readImage(image)).toBeDefined()
    if (answer) found++
  }
  expect(found).toBeGreaterThan(50)
  expect(found).toBeLessThan(100)
  await other.run('close')
  await store.close()
  expect(await leftoversWithoutRoom(dataDir)).toEqual(nothingLeft)
})

it('is whole after another process was killed in the middle of writing', async () => {
  const dataDir = await temporaryDir()
  for (const round of ['a', 'b', 'c']) {
    const other = await secondProcess(dataDir, MAX_BYTES)
    const killed = expect(other.run('writeForEver', round)).rejects.toThrow('ended')
    await other.hasWritten(60)
    await other.kill()
    await killed
    const store = await openLocalStore({ dataDir, maxBytes: MAX_BYTES })
    for (const key of other.written.slice(-20)) {
      const answer = await store.readEntry(key)
      expect(answer?.body).toEqual({ key })
      expect(await store.readImage(answer!.images[0]!)).toHaveLength(20_000)
    }
    await store.close()
  }
  expect(await leftoversWithoutRoom(dataDir)).toEqual(nothingLeft)
})
