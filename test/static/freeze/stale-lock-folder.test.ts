// Covers `addToLock` while other processes act on the folder of a process that was killed.
import type * as Files from 'node:fs/promises'
import { mkdir, readdir, rmdir, stat, utimes } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest'
import { temporarySite } from './temporary-site.js'

/** What happens around the renaming of a file or folder. */
const renaming = { around: (_from: string, rename: () => Promise<void>) => rename() }
const { around } = renaming
// The tests of other files share modules with this one.
vi.resetModules()
vi.doMock('node:fs/promises', async (original) => {
  const files = await original<typeof Files>()
  const rename = (from: string, to: string) => renaming.around(from, () => files.rename(from, to))
  return { ...files, rename }
})
const { addToLock, readLock } = await import('../../../src/static/freeze/lock.js')
afterEach(() => void (renaming.around = around))
afterAll(() => {
  vi.doUnmock('node:fs/promises')
  vi.resetModules()
})

const entryOf = (name: string) => new Map([[name, { url: `https://site.test/${name}` }]])

describe('while the folder of a process that was killed is removed', () => {
  const age = (path: string, seconds: number) =>
    utimes(path, Date.now() / 1_000 - seconds, Date.now() / 1_000 - seconds)

  it('says that this user may not do that', async () => {
    const { lock } = (await temporarySite({})).paths
    await mkdir(`${lock}.saving`)
    await age(`${lock}.saving`, 60)
    renaming.around = () => Promise.reject(Object.assign(new Error('not permitted'), { code: 'EPERM' }))
    await expect(addToLock(lock, entryOf('page'))).rejects.toThrow(
      `${lock}.saving cannot be written: this user has no permission.`,
    )
    expect(await readdir(dirname(lock))).toEqual(['page-preview.lock.json.saving'])
  })

  it('keeps the folder that a third process has created when it is not that of the killed one', async () => {
    const { lock } = (await temporarySite({})).paths
    const saving = `${lock}.saving`
    await mkdir(saving)
    await age(saving, 60)
    let third: number | undefined
    renaming.around = async (from, rename) => {
      if (from !== saving || third) return rename()
      await age(saving, 0)
      await rename()
      await mkdir(saving)
      third = (await stat(saving)).ino
    }
    const added = addToLock(lock, entryOf('page'))
    await expect.poll(() => third).toBeDefined()
    await expect.poll(() => readdir(dirname(lock))).toEqual(['page-preview.lock.json.saving'])
    expect((await stat(saving)).ino).toBe(third)
    await rmdir(saving)
    await added
    expect((await readLock(lock)).size).toBe(1)
  })

  it('puts nothing back in place of the folder that a third process has created', async () => {
    const { lock } = (await temporarySite({})).paths
    const saving = `${lock}.saving`
    await mkdir(join(saving, 'notes'), { recursive: true })
    await age(saving, 60)
    let third: number | undefined
    renaming.around = async (_, rename) => {
      await rename()
      if (third) return
      await mkdir(saving)
      third = (await stat(saving)).ino
    }
    await expect(addToLock(lock, entryOf('page'))).rejects.toThrow(
      /\.saving\.[\da-f-]+ prevents saving, because it is not an empty folder\. Remove it\./,
    )
    expect((await stat(saving)).ino).toBe(third)
  })
})
