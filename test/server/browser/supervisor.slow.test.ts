import { readdir, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest'
import { createCpuGroup } from './cpu-group.js'
import { createFakeHome } from './fake-home.js'
import { ensureChromium } from '../../../src/server/browser/index.js'
import { processesOfGroup, processGroupOf } from './process-group.js'
import { startTestBrowser, type TestBrowser } from './test-browser.js'

const routes = {
  '/': '<!doctype html><h1>Hello</h1>',
  '/slow': '<!doctype html><h1>Hello</h1><img src="/never">',
  '/never': () => undefined,
}

/** Longer than a browser that is just being started takes to respond on a busy machine. */
const WATCHDOG_MS = 2_000

let test: TestBrowser
afterEach(() => test.close())

const expectGroupGone = (group: number) =>
  vi.waitFor(async () => expect(await processesOfGroup(group)).toEqual([]), { timeout: 5_000 })

describe('a browser that is killed', () => {
  it('is replaced, and the running capture is retried', async () => {
    test = await startTestBrowser(routes)
    await test.capture('/')
    const killed = test.browser.status().pid!
    const group = await processGroupOf(killed)
    const running = test.capture('/slow', { timeout: 5_000 })
    await vi.waitFor(() => expect(test.site.requests).toContain('GET /never'), { timeout: 10_000 })
    process.kill(killed, 'SIGKILL')
    expect(await running).toMatchObject({ width: 2560, statusCode: 200 })
    expect(await test.capture('/')).toMatchObject({ width: 2560 })
    expect(test.browser.status().pid).not.toBe(killed)
    expect(test.events).toContainEqual(expect.objectContaining({ event: 'browser-exited', pid: killed }))
    await expectGroupGone(group)
  })

  it('twice during a capture fails that as unavailable, which is neither charged nor remembered', async () => {
    test = await startTestBrowser(routes)
    const running = test.capture('/slow')
    const failed = expect(running).rejects.toMatchObject({
      code: 'EBUSY',
      status: 503,
      retryAfterMs: expect.any(Number) as number,
    })
    for (const count of [1, 2]) {
      const opened = () => test.site.requests.filter((request) => request === 'GET /never').length
      await vi.waitFor(() => expect(opened()).toBe(count), { timeout: 15_000 })
      process.kill(test.browser.status().pid!, 'SIGKILL')
    }
    await failed
    expect(await test.capture('/')).toMatchObject({ width: 2560 })
  })

  it('while it is idle is replaced for the next capture', async () => {
    test = await startTestBrowser(routes)
    await test.capture('/')
    process.kill(test.browser.status().pid!, 'SIGKILL')
    expect(await test.capture('/')).toMatchObject({ width: 2560 })
    expect(test.browser.status().captures).toBe(2)
  })
})

it('kills a browser that does not respond, and captures the page with another', async () => {
  test = await startTestBrowser(routes, { watchdogMs: WATCHDOG_MS })
  await test.capture('/')
  const stopped = test.browser.status().pid!
  const group = await processGroupOf(stopped)
  process.kill(stopped, 'SIGSTOP')
  expect(await test.capture('/')).toMatchObject({ width: 2560 })
  expect(test.events).toContainEqual(expect.objectContaining({ event: 'browser-unresponsive', pid: stopped }))
  expect(test.browser.status().pid).not.toBe(stopped)
  await expectGroupGone(group)
})

const cpuGroup = await createCpuGroup()
afterAll(() => cpuGroup?.remove())

it.runIf(cpuGroup)('keeps a browser that does not respond because it waits for a CPU', async () => {
  test = await startTestBrowser(routes, { watchdogMs: WATCHDOG_MS })
  await test.capture('/')
  const pid = test.browser.status().pid!
  await cpuGroup!.limit()
  await cpuGroup!.add(pid)
  // A browser that is not waiting is given up within the first half of this time.
  await expect(test.capture('/', {}, { timeoutMs: 2 * WATCHDOG_MS })).rejects.toMatchObject({
    code: expect.stringMatching(/^(ETIMEOUT|EBRWSRTIMEOUT)$/) as string,
  })
  await cpuGroup!.lift()
  expect(await test.capture('/')).toMatchObject({ width: 2560 })
  expect(test.events.map(({ event }) => event)).not.toContain('browser-unresponsive')
  expect(test.browser.status().pid).toBe(pid)
})

it('supervises the browser itself when a wrapper script launches it', async () => {
  const { path, libraryPath, fontsPath } = await ensureChromium()
  const home = await createFakeHome()
  const variables = Object.entries({ LD_LIBRARY_PATH: libraryPath, FONTCONFIG_PATH: fontsPath })
    .map(([name, value]) => (value ? `export ${name}='${value}'\n` : ''))
    .join('')
  // As Debian's script does: without `exec`, so that the browser is a child of the shell.
  const wrapper = await home.addProgram('bin/wrapper', `${variables}'${path}' "$@"\nexit $?`)
  try {
    // As root the browser's user cannot run it in a folder of its owner alone: it is copied, or run without a sandbox.
    test = await startTestBrowser(routes, { executable: wrapper, watchdogMs: WATCHDOG_MS, allowUnsandboxed: true })
    await test.capture('/')
    const stopped = test.browser.status().pid!
    const group = await processGroupOf(stopped)
    expect(await readFile(`/proc/${stopped}/cmdline`, 'utf8')).not.toContain('/wrapper')
    expect(await readFile(`/proc/${group}/cmdline`, 'utf8')).toContain('/wrapper')
    process.kill(stopped, 'SIGSTOP')
    expect(await test.capture('/')).toMatchObject({ width: 2560 })
    expect(test.events).toContainEqual(expect.objectContaining({ event: 'browser-unresponsive', pid: stopped }))
    await expectGroupGone(group)
  } finally {
    await home.remove()
  }
})

it('replaces the browser after a number of captures', async () => {
  test = await startTestBrowser(routes, { recycleAfter: 2 })
  await test.capture('/')
  const retired = test.browser.status().pid!
  const group = await processGroupOf(retired)
  await test.capture('/')
  await test.capture('/')
  expect(test.browser.status().pid).not.toBe(retired)
  await expectGroupGone(group)
})

it('leaves no process and no profile behind', async () => {
  test = await startTestBrowser(routes)
  const profiles = await profileFolders()
  await Promise.all([test.capture('/'), test.capture('/')])
  const group = await processGroupOf(test.browser.status().pid!)
  expect((await processesOfGroup(group)).length).toBeGreaterThan(1)
  await test.browser.close()
  await expectGroupGone(group)
  expect((await profileFolders()).filter((name) => !profiles.includes(name))).toEqual([])
  await expect(test.capture('/')).rejects.toMatchObject({ code: 'EBUSY' })
})

describe('readiness', () => {
  it('means that a browser can be launched and responds', async () => {
    test = await startTestBrowser(routes)
    expect(await test.browser.isReady()).toBe(true)
    expect(test.browser.status().captures).toBe(0)
  })

  it('is denied when no browser starts, and a capture reports the reason', async () => {
    test = await startTestBrowser(routes, { executable: '/nowhere/chromium' })
    expect(await test.browser.isReady()).toBe(false)
    await expect(test.capture('/')).rejects.toMatchObject({
      code: 'EBUSY',
      status: 503,
      retryAfterMs: expect.any(Number) as number,
      message: expect.not.stringContaining('/nowhere') as string,
    })
    expect(test.events).toContainEqual(
      expect.objectContaining({
        event: 'browser-launch-failed',
        reason: expect.stringContaining('/nowhere') as string,
      }),
    )
  })
})

const profileFolders = async () =>
  (await readdir(tmpdir())).filter((name) => name.startsWith(`page-preview-browser-${process.pid}-`))
