import { chmod, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ensureChromium, findChromium, installChromium } from '../../../src/server/browser/index.js'

let home: string
let env: NodeJS.ProcessEnv
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'page-preview-chromium-test-'))
  env = { HOME: home, PATH: join(home, 'bin') }
})
afterEach(() => rm(home, { recursive: true, force: true }))

/** A program of its own, in the place of a Chromium or of npm. */
async function program(path: string, script = 'echo Chromium 143.0.1.2') {
  await mkdir(dirname(join(home, path)), { recursive: true })
  await writeFile(join(home, path), `#!/bin/sh\n${script}\n`)
  await chmod(join(home, path), 0o755)
  return join(home, path)
}

describe.runIf(process.platform === 'linux')('finding a Chromium', () => {
  it('prefers CHROMIUM_PATH to all else', async () => {
    await program('bin/chromium')
    const path = await program('mine/chrome')
    expect(await findChromium({ env: { ...env, CHROMIUM_PATH: path } })).toEqual({ path, source: 'CHROMIUM_PATH' })
  })

  it('refuses a CHROMIUM_PATH that is wrong, though there are others', async () => {
    await program('bin/chromium')
    const broken = await program('mine/chrome', 'echo "no libraries" >&2; exit 127')
    await expect(findChromium({ env: { ...env, CHROMIUM_PATH: '/nowhere' } })).rejects.toThrow('there is no such file')
    await expect(findChromium({ env: { ...env, CHROMIUM_PATH: broken } })).rejects.toThrow('no libraries')
  })

  it('takes the newest headless shell of Playwright, then its newest Chromium', async () => {
    const builds = '.cache/ms-playwright'
    await program('bin/chromium')
    const chrome = await program(`${builds}/chromium-1300/chrome-linux64/chrome`)
    expect(await findChromium({ env })).toEqual({ path: chrome, source: 'playwright' })
    await program(`${builds}/chromium_headless_shell-999/chrome-linux/headless_shell`)
    const shell = await program(
      `${builds}/chromium_headless_shell-1200/chrome-headless-shell-linux64/chrome-headless-shell`,
    )
    expect(await findChromium({ env })).toEqual({ path: shell, source: 'playwright' })
  })

  it('takes one of the system, and passes over what does not start', async () => {
    const events: unknown[] = []
    const broken = await program('bin/chromium-headless-shell', 'exit 1')
    const path = await program('bin/chromium')
    expect(await findChromium({ env, log: (event) => events.push(event) })).toEqual({ path, source: 'system' })
    expect(events).toEqual([expect.objectContaining({ event: 'chromium-passed-over', path: broken })])
  })

  it('takes the one of the package when it is unpacked', async () => {
    const path = await program('own/chromium')
    expect(await findChromium({ env: { ...env, PAGE_PREVIEW_CHROMIUM_DIR: dirname(path) } })).toEqual({
      path,
      source: 'package',
    })
  })

  it('adds the libraries and fonts that came with it where the system has none', async () => {
    const path = await program('own/chromium')
    await program('own/al2023/lib/libnss3.so')
    await program('bin/ldd', 'echo "libnss3.so => not found"')
    expect(await findChromium({ env: { ...env, CHROMIUM_PATH: path } })).toMatchObject({
      libraryPath: join(home, 'own/al2023/lib'),
    })
    await program('bin/ldd', 'echo "libnss3.so => /usr/lib/libnss3.so"')
    expect(await findChromium({ env: { ...env, CHROMIUM_PATH: path } })).not.toHaveProperty('libraryPath')
  })
})

describe.runIf(process.platform === 'linux' && process.arch === 'x64')('installing a Chromium', () => {
  it.each([
    ['npm is missing', undefined, /npm was not found/],
    ['the network is', 'echo "npm error network ENOTFOUND" >&2; exit 1', /Check the network/],
    ['the disk is full', 'echo "npm error ENOSPC: no space left" >&2; exit 1', /too little space/],
  ])('says what to do when %s', async (_, npm, sentence) => {
    if (npm) await program('bin/npm', npm)
    const folder = join(home, 'cache', 'chromium')
    await expect(installChromium({ env: { ...env, PAGE_PREVIEW_CHROMIUM_DIR: folder } })).rejects.toThrow(sentence)
    expect(await readdir(dirname(folder))).toEqual([])
  })

  it('asks npm for exactly what the lockfile says, without scripts', async () => {
    await program('bin/npm', `echo "$@" > ${home}/asked; /bin/cat package-lock.json > ${home}/lock; exit 1`)
    await expect(
      ensureChromium({ env: { ...env, PAGE_PREVIEW_CHROMIUM_DIR: join(home, 'cache', 'chromium') } }),
    ).rejects.toThrow()
    expect((await readdir(home)).toSorted()).toEqual(['asked', 'bin', 'cache', 'lock'])
  })
})
