import { mkdir, readdir, utimes } from 'node:fs/promises'
import { dirname } from 'node:path'
import { expect, it } from 'vitest'
import { addToLock } from '../../../../src/static/freeze/lock/add-to-lock.js'
import { readLock } from '../../../../src/static/freeze/lock/read-lock.js'
import { temporarySite } from '../temporary-site.js'

const entryOf = (name: string) => new Map([[name, { url: `https://site.test/${name}` }]])

it('keeps what others write at the same time', async () => {
  const { lock } = (await temporarySite({})).paths
  const names = Array.from({ length: 20 }, (_, index) => `page-${index}`)
  await Promise.all(names.map((name) => addToLock(lock, entryOf(name))))
  expect([...(await readLock(lock)).keys()]).toEqual(names.toSorted())
  expect(await readdir(dirname(lock))).not.toContain('page-preview.lock.json.saving')
})

it('does not wait for a process that was killed', async () => {
  const { lock } = (await temporarySite({})).paths
  await mkdir(`${lock}.saving`)
  const minuteAgo = Date.now() / 1_000 - 60
  await utimes(`${lock}.saving`, minuteAgo, minuteAgo)
  await addToLock(lock, entryOf('page'))
  expect((await readLock(lock)).size).toBe(1)
})

it('creates no file when there is nothing to add', async () => {
  const { folder, paths } = await temporarySite({})
  await addToLock(paths.lock, new Map())
  expect(await readdir(folder)).toEqual([])
})
