import type { Connection } from 'puppeteer-core'
import { expect, it } from 'vitest'
import type { RunningBrowser } from '../../../src/server/browser/running-browser.js'
import { SupervisedBrowser } from '../../../src/server/browser/supervised-browser.js'

const INTERVAL_MS = 100

/** A browser that responds to everything, and the times at which it was probed. */
function respondingBrowser() {
  const probes: number[] = []
  const send = async (command: string) => {
    if (command === 'Browser.getVersion') probes.push(performance.now())
    return {}
  }
  const running: RunningBrowser = {
    connection: { send } as Partial<Connection> as Connection,
    captureScreenshot: () => Promise.reject(new Error('no screenshot is taken')),
    userAgent: 'Test',
    version: '1.0',
    pid: undefined,
    gone: new AbortController().signal,
    kill: () => undefined,
    close: async () => undefined,
  }
  return { running, probes }
}

it('is probed at intervals, however many pages were leased one after the other', async () => {
  const { running, probes } = respondingBrowser()
  const browser = new SupervisedBrowser(running, {
    openProxy: () => new Promise(() => undefined),
    watchdogMs: INTERVAL_MS,
    recycleAfter: 1_000,
    log: undefined,
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
