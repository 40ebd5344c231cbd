import type { Connection } from 'puppeteer-core'
import { expect, it, vi } from 'vitest'
import type { RunningBrowser } from '../../../src/server/browser/running-browser.js'
import { launchWithBackoff, superviseBrowser } from '../../../src/server/browser/supervisor.js'

const INTERVAL_MS = 100

/** A browser that responds to everything, and the times at which it was probed. */
function respondingBrowser() {
  const probes: number[] = []
  const send = async (command: string) => {
    if (command === 'Browser.getVersion') probes.push(performance.now())
    return { processInfo: [] }
  }
  const running: RunningBrowser = {
    connection: { send, on: vi.fn() } as Partial<Connection> as Connection,
    captureScreenshot: () => Promise.reject(new Error('no screenshot is taken')),
    userAgent: 'Test',
    version: '1.0',
    // Of no process.
    pid: 0,
    gone: new AbortController().signal,
    kill: () => undefined,
    close: async () => undefined,
  }
  return { running, probes }
}

it('is probed at intervals, however many pages were leased one after the other', async () => {
  const { running, probes } = respondingBrowser()
  const browser = superviseBrowser({
    launch: async () => running,
    openProxy: () => new Promise(() => undefined),
    watchdogMs: INTERVAL_MS,
  })
  for (let count = 0; count < 20; count++) {
    const ending = new AbortController()
    const lease = browser.lease(ending.signal)
    ending.abort()
    await expect(lease).rejects.toThrow('aborted')
  }
  const ending = new AbortController()
  const lease = browser.lease(ending.signal)
  await expect.poll(() => probes.length, { interval: 10 }).toBeGreaterThanOrEqual(5)
  expect(probes[4]! - probes[0]!).toBeGreaterThan(3 * INTERVAL_MS)
  ending.abort()
  await expect(lease).rejects.toThrow('aborted')
})

it('opens no further page while it is killed, but not gone yet', async () => {
  const { running } = respondingBrowser()
  let isKilled = false
  let pages = 0
  const hangs = { send: () => new Promise(() => undefined), on: vi.fn() }
  const browser = superviseBrowser({
    launch: async () => ({
      ...running,
      connection: hangs as Partial<Connection> as Connection,
      kill: () => void (isKilled = true),
    }),
    openProxy() {
      pages++
      return new Promise(() => undefined)
    },
    watchdogMs: INTERVAL_MS,
  })
  const ending = new AbortController()
  const lease = browser.lease(ending.signal)
  await expect.poll(() => isKilled).toBe(true)
  ending.abort()
  await expect(lease).rejects.toThrow('aborted')
  expect(pages).toBe(1)
})

const signal = new AbortController().signal

it('repeats a failed launch at once, then after growing pauses, and forgets failures after a success', async () => {
  let now = 0
  let launches = 0
  let error: Error | undefined = new Error('no such file')
  const events: Record<string, unknown>[] = []
  const launch = launchWithBackoff(
    async () => {
      launches++
      if (error) throw error
      return {} as RunningBrowser
    },
    { log: (event) => void events.push(event), clock: () => now },
  )
  const fail = () =>
    launch(signal).then(
      () => ({}),
      (thrown: unknown) => thrown,
    )
  expect(await fail()).toMatchObject({ name: 'BrowserUnavailableError', retryAfterMs: 0, cause: error })
  for (const pauseMs of [500, 1_000, 2_000, 4_000, 8_000, 8_000]) {
    const before = launches
    expect(await fail()).toMatchObject({ name: 'BrowserUnavailableError', retryAfterMs: pauseMs })
    expect(launches).toBe(before + 1)
    now += pauseMs - 1
    expect(await fail()).toMatchObject({ name: 'BrowserUnavailableError', retryAfterMs: 1 })
    expect(launches).toBe(before + 1)
    now += 1
  }
  expect(events).toHaveLength(7)
  expect(events[1]).toMatchObject({ event: 'browser-launch-failed', failures: 2, retryAfterMs: 500 })
  error = undefined
  await launch(signal)
  error = new Error('again')
  expect(await fail()).toMatchObject({ retryAfterMs: 0 })
})

it('does not count a launch that was aborted', async () => {
  const abort = new AbortController()
  const events: unknown[] = []
  const launch = launchWithBackoff(
    async () => {
      abort.abort(new Error('The browser is closed.'))
      throw new Error('killed')
    },
    { log: (event) => void events.push(event) },
  )
  await expect(launch(abort.signal)).rejects.toThrow('The browser is closed.')
  expect(events).toEqual([])
})
