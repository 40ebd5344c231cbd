import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { findChromium, type FindChromiumOptions } from '../../../src/server/browser/find-chromium.js'
import { findExecutableFault } from '../../../src/server/browser/probe-chromium.js'
import { temporaryDir } from '../store/temporary-dir.js'
import { createFakeHome, type FakeHome } from './fake-home.js'

let home: FakeHome
beforeEach(async () => {
  home = await createFakeHome()
})
afterEach(() => home.remove())

/** Searches the fake home alone, whatever browsers this machine has. */
const find = (env: NodeJS.ProcessEnv = {}, options: FindChromiumOptions = {}) =>
  findChromium({ env: { ...home.env, ...env }, installedPaths: [], ...options })

describe.runIf(process.platform === 'linux')('finding a Chromium', () => {
  it('prefers CHROMIUM_PATH to everything else', async () => {
    await home.addProgram('bin/chromium')
    const path = await home.addProgram('mine/chrome')
    expect(await find({ CHROMIUM_PATH: path })).toMatchObject({ path, source: 'CHROMIUM_PATH' })
  })

  it('rejects a wrong CHROMIUM_PATH even if there are other browsers', async () => {
    await home.addProgram('bin/chromium')
    const broken = await home.addProgram('mine/chrome', 'echo "no libraries" >&2; exit 127')
    await expect(find({ CHROMIUM_PATH: '/nowhere' })).rejects.toThrow('that file does not exist')
    await expect(find({ CHROMIUM_PATH: broken })).rejects.toThrow('no libraries')
  })

  it('prefers the newest headless shell of Playwright, then its newest Chromium', async () => {
    const builds = '.cache/ms-playwright'
    await home.addProgram('bin/chromium')
    const chrome = await home.addProgram(`${builds}/chromium-1300/chrome-linux64/chrome`)
    expect(await find()).toMatchObject({ path: chrome, source: 'playwright' })
    await home.addProgram(`${builds}/chromium_headless_shell-999/chrome-linux/headless_shell`)
    const shell = await home.addProgram(
      `${builds}/chromium_headless_shell-1200/chrome-headless-shell-linux64/chrome-headless-shell`,
    )
    expect(await find()).toMatchObject({ path: shell, source: 'playwright' })
  })

  it('finds one on PATH, and skips any that does not start', async () => {
    const events: unknown[] = []
    const broken = await home.addProgram('bin/chromium-headless-shell', 'exit 1')
    const path = await home.addProgram('bin/chromium')
    expect(await find({}, { log: (event) => events.push(event) })).toMatchObject({ path, source: 'system' })
    expect(events).toEqual([expect.objectContaining({ event: 'chromium-skipped', path: broken })])
  })

  it('finds one where installers put it, after those on PATH', async () => {
    const installed = await home.addProgram('opt/google/chrome')
    expect(await find({}, { installedPaths: [installed] })).toMatchObject({ path: installed, source: 'system' })
    const onPath = await home.addProgram('bin/google-chrome')
    expect(await find({}, { installedPaths: [installed] })).toMatchObject({ path: onPath, source: 'system' })
  })

  it('finds the newest that the service has installed, after all others', async () => {
    expect(await find()).toBeUndefined()
    const env = { PAGE_PREVIEW_CHROMIUM_DIR: join(home.path, 'own') }
    const install = async (version: string) => {
      const path = await home.addProgram(`own/${version}/shell`, `echo Chromium ${version}`)
      const record = { executable: 'shell', origin: 'a mirror', installedAt: 1 }
      await writeFile(join(dirname(path), 'installed.json'), JSON.stringify(record))
      return path
    }
    await install('99.0.1.2')
    const newest = await install('153.0.8010.0')
    await install('153.0.8009.9')
    await home.addProgram('own/154.0.1.2/shell')
    expect(await find(env)).toMatchObject({
      path: newest,
      version: '153.0.8010.0',
      source: 'installed',
      installed: { version: '153.0.8010.0', origin: 'a mirror', installedAt: 1 },
    })
    const path = await home.addProgram('bin/chromium')
    expect(await find(env)).toMatchObject({ path, source: 'system' })
  })

  it('adds bundled libraries where the system lacks some', async () => {
    const path = await home.addProgram('own/chromium')
    await home.addProgram('own/al2023/lib/libnss3.so')
    await home.addProgram('bin/ldd', 'echo "libnss3.so => not found"')
    expect(await find({ CHROMIUM_PATH: path })).toMatchObject({ libraryPath: join(home.path, 'own/al2023/lib') })
    await home.addProgram('bin/ldd', 'echo "libnss3.so => /usr/lib/libnss3.so"')
    expect(await find({ CHROMIUM_PATH: path })).not.toHaveProperty('libraryPath')
  })

  it('adds bundled libraries that only LD_LIBRARY_PATH has, which the user of the browser may not be able to read', async () => {
    const path = await home.addProgram('own/chromium')
    await home.addProgram('own/al2023/lib/libnss3.so')
    await home.addProgram('bin/ldd', 'echo "libnss3.so => ${LD_LIBRARY_PATH:-not found}"')
    const libraryPath = join(home.path, 'own/al2023/lib')
    expect(await find({ CHROMIUM_PATH: path, LD_LIBRARY_PATH: libraryPath })).toMatchObject({ libraryPath })
  })
})

it('names what was tried where a file is missing, is none or may not be run', async () => {
  const folder = await temporaryDir()
  const path = join(folder, 'chromium')
  expect(await findExecutableFault(path)).toBe(`there is no file ${path}`)
  expect(await findExecutableFault(relative('.', path))).toBe(`there is no file ${path}`)
  await writeFile(path, '#!/bin/sh\n')
  await chmod(path, 0o644)
  expect(await findExecutableFault(path)).toBe(`this user may not run ${path}`)
  expect(await findExecutableFault(join(path, 'chrome'))).toBe(`there is no file ${join(path, 'chrome')}`)
  await chmod(path, 0o755)
  expect(await findExecutableFault(path)).toBeUndefined()
  await mkdir(join(folder, 'chrome'))
  expect(await findExecutableFault(join(folder, 'chrome'))).toBe(`${join(folder, 'chrome')} is not a file`)
})

it('says so where this user may not enter the folder of the file', async () => {
  const folder = await temporaryDir()
  const path = join(folder, 'chromium')
  await writeFile(path, '#!/bin/sh\n', { mode: 0o755 })
  await chmod(folder, 0o000)
  const isRoot = process.geteuid?.() === 0
  if (isRoot) process.seteuid!(65_534)
  try {
    expect(await findExecutableFault(path)).toBe(`this user may not run ${path}`)
  } finally {
    if (isRoot) process.seteuid!(0)
    await chmod(folder, 0o700)
  }
})
