import { chmod, mkdir, readdir, readFile, rm, symlink, utimes, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { findBrowserUser, readableChromium } from '../../../src/server/browser/browser-user.js'
import { createFakeHome, type FakeHome } from './fake-home.js'

const isRoot = process.platform === 'linux' && process.getuid?.() === 0
const { signal } = new AbortController()
const DAY_MS = 86_400_000

describe.runIf(isRoot)('a Chromium that only root can read', () => {
  let home: FakeHome
  let cacheFolder: string
  beforeEach(async () => {
    home = await createFakeHome()
    await chmod(home.path, 0o755)
    cacheFolder = join(home.path, 'copies')
  })
  afterEach(() => home.remove())

  const copy = async (folder: string) => {
    const path = await home.addProgram(`${folder}/chromium`)
    await chmod(join(home.path, folder), 0o700)
    return readable(path)
  }
  const readable = async (path: string) =>
    readableChromium({ path }, { user: (await findBrowserUser())!, cacheFolder, signal })
  const addCopy = async (name: string, unusedMs: number) => {
    const usedAt = new Date(Date.now() - unusedMs)
    await mkdir(join(cacheFolder, name), { recursive: true })
    await utimes(join(cacheFolder, name), usedAt, usedAt)
  }

  it('is copied once', async () => {
    const { path } = await copy('first')
    expect(path).toMatch(/copies\/browser-[\da-f]{16}\/chromium$/)
    expect(await readable(join(home.path, 'first/chromium'))).toEqual({ path })
    expect(await readdir(cacheFolder)).toContain(path.split('/').at(-2))
  })

  it('is copied with the links between its libraries', async () => {
    const libraries = join(home.path, 'first/al2023/lib')
    await mkdir(libraries, { recursive: true })
    await writeFile(join(libraries, 'libgtk.so.1.2'), 'a library')
    await symlink('libgtk.so.1.2', join(libraries, 'libgtk.so.1'))
    const { path } = await copy('first')
    await rm(join(home.path, 'first'), { recursive: true })
    expect(await readFile(join(dirname(path), 'al2023/lib/libgtk.so.1'), 'utf8')).toBe('a library')
  })

  it('is copied although another service removes its own copy at the same time', async () => {
    await mkdir(cacheFolder)
    // Is listed, and is missing when it is examined.
    await symlink('/nope', join(cacheFolder, 'browser-0123456789abcdef.part-a1B2c3'))
    const { path } = await copy('first')
    expect(await readdir(cacheFolder)).toContain(path.split('/').at(-2))
  })

  it('replaces copies that have not been used for a week, and nothing else', async () => {
    await addCopy('browser-0123456789abcdef', 8 * DAY_MS)
    await addCopy('browser-0123456789abcdef.part-a1B2c3', 8 * DAY_MS)
    await addCopy('browser-fedcba9876543210', 6 * DAY_MS)
    await addCopy('other', 8 * DAY_MS)
    const { path } = await copy('first')
    expect(new Set(await readdir(cacheFolder))).toEqual(
      new Set([path.split('/').at(-2), 'browser-fedcba9876543210', 'other']),
    )
  })
})
