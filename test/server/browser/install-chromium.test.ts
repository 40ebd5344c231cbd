import { readdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import lockfile from '../../../src/server/browser/chromium-package/package-lock.json' with { type: 'json' }
import { ensureChromium, installChromium } from '../../../src/server/browser/install-chromium.js'
import { createFakeHome, type FakeHome } from './fake-home.js'

let home: FakeHome
let env: NodeJS.ProcessEnv
let folder: string
beforeEach(async () => {
  home = await createFakeHome()
  folder = join(home.path, 'cache', 'chromium')
  env = { ...home.env, PAGE_PREVIEW_CHROMIUM_DIR: folder }
})
afterEach(() => home.remove())

describe.runIf(process.platform === 'linux' && process.arch === 'x64')('installing a Chromium', () => {
  it.each([
    ['npm is missing', undefined, /npm was not found/],
    ['the network is down', 'echo "npm error network ENOTFOUND" >&2; exit 1', /Check the network/],
    ['the disk is full', 'echo "npm error ENOSPC: no space left" >&2; exit 1', /not have enough space left/],
  ])('explains what to do when %s, and leaves no folder behind', async (_, npm, message) => {
    if (npm) await home.addProgram('bin/npm', npm)
    await expect(installChromium({ env })).rejects.toThrow(message)
    expect(await readdir(dirname(folder))).toEqual([])
  })

  it('happens when none is found, and requests exactly the locked version from npm, without scripts', async () => {
    const [args, lock] = [join(home.path, 'npm-args'), join(home.path, 'npm-lock')]
    await home.addProgram('bin/npm', `echo "$@" > ${args}; /bin/cat package-lock.json > ${lock}; exit 1`)
    await expect(ensureChromium({ env, installedPaths: [] })).rejects.toThrow('none could be installed')
    expect(await readFile(args, 'utf8')).toMatch(/^ci --ignore-scripts /)
    expect(JSON.parse(await readFile(lock, 'utf8'))).toEqual(lockfile)
  })
})
