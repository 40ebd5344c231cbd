// Covers how one Chromium takes over from another one while pages are captured: `create-browser.ts`, `launch-browser.ts`, `supervisor.ts`.
import { chmod, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { ensureChromium } from '../../../src/server/browser/index.js'
import type { InstalledChromium } from '../../../src/server/browser/installed-chromiums.js'
import { startTestBrowser, type TestBrowser } from './test-browser.js'

let test: TestBrowser
beforeAll(async () => {
  test = await startTestBrowser(
    { '/': '<title>Page</title><p>A page with a sentence that can be read.' },
    { allowUnsandboxed: true },
  )
  await test.browser.warm()
})
afterAll(() => test.close())

/** The Chromium of the tests, or a shell script, as if it had been installed. */
async function installed(script?: string): Promise<InstalledChromium> {
  const folder = await mkdtemp(join(tmpdir(), 'page-preview-replace-'))
  // Otherwise it is copied for the user of the browser.
  await chmod(folder, 0o755)
  onTestFinished(() => rm(folder, { recursive: true }))
  const path = script === undefined ? (await ensureChromium()).path : join(folder, 'chromium')
  if (script !== undefined) await writeFile(path, script, { mode: 0o755 })
  return { folder: join(folder, '154.0.1.1'), path, version: '154.0.1.1', origin: 'a mirror', installedAt: 1 }
}

it.each([
  ['cannot be run', '#!/bin/sh\nexit 1\n', 'exited with 1'],
  ['does not start as a browser', '#!/bin/sh\n[ "$1" = --version ] && echo Chromium 154.0.1.1 && exit\nexit 1\n', /./],
])('keeps the old one if the new one %s', async (_, script, reason) => {
  const { pid, chromium } = test.browser.status()
  const next = await installed(script)
  await expect(test.browser.replaceChromium(next)).rejects.toThrow(reason)
  // Nothing keeps it from being removed.
  expect(await readdir(join(next.folder, '../in-use')).catch(() => [])).toEqual([])
  expect((await test.capture('/')).statusCode).toBe(200)
  expect(test.browser.status()).toMatchObject({ pid, chromium })
})

it('captures new pages in the new one while those that are open end in the old one, and none fails', async () => {
  const { pid } = test.browser.status()
  const done = new AbortController()
  const captureAll = async () => {
    const statuses: number[] = []
    while (!done.signal.aborted) statuses.push((await test.capture(`/?${statuses.length}`)).statusCode)
    return statuses
  }
  const clients = Promise.all([captureAll(), captureAll()])
  const countBefore = test.browser.status().captures
  await expect.poll(() => test.browser.status().captures).toBeGreaterThan(countBefore)

  const next = await installed()
  const { previousGone } = await test.browser.replaceChromium(next)
  const { captures, chromium, pid: newPid } = test.browser.status()
  expect(chromium).toMatchObject({ source: 'installed', installed: next })
  expect(newPid).not.toBe(pid)
  await previousGone
  await expect.poll(() => test.browser.status().captures).toBeGreaterThan(captures + 2)
  done.abort()
  expect(new Set((await clients).flat())).toEqual(new Set([200]))
  expect(test.events.filter(({ event }) => event === 'capture-failed')).toEqual([])
})

it('exits at once if no page is open', async () => {
  const { pid } = test.browser.status()
  const { previousGone } = await test.browser.replaceChromium(await installed())
  await previousGone
  await expect.poll(() => isRunning(pid!)).toBe(false)
})

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
