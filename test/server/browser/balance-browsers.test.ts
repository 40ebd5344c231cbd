import { expect, it } from 'vitest'
import { balanceBrowsers } from '../../../src/server/browser/balance-browsers.js'
import { BrowserUnavailableError } from '../../../src/server/browser/browser-unavailable-error.js'
import type { Lease } from '../../../src/server/browser/supervised-browser.js'
import type { Supervisor } from '../../../src/server/browser/supervise-browser.js'

const { signal } = new AbortController()

/** A browser whose pages are named after it. */
function fakeBrowser(name: string) {
  const browser = { isRunning: true, canStart: true, retryAfterMs: 500, probes: 0, pages: 0 }
  const supervisor: Supervisor = {
    async lease() {
      if (!browser.canStart) throw new BrowserUnavailableError('gone', browser.retryAfterMs)
      browser.isRunning = true
      browser.pages++
      return { userAgent: name, release: () => void browser.pages-- } as unknown as Lease
    },
    isRunning: () => browser.isRunning,
    async respondsWithin() {
      browser.probes++
      browser.isRunning = browser.canStart
      return browser.canStart
    },
    warm: async () => undefined,
    version: () => (browser.isRunning ? '143.0.0.0' : undefined),
    pid: () => undefined,
    close: async () => undefined,
  }
  return { name, browser, supervisor }
}

it('opens each page in the browser with the fewest pages', async () => {
  const [a, b, c] = [fakeBrowser('a'), fakeBrowser('b'), fakeBrowser('c')]
  const all = balanceBrowsers([a.supervisor, b.supervisor, c.supervisor])
  const leases = [await all.lease(signal), await all.lease(signal), await all.lease(signal)]
  expect(leases.map(({ userAgent }) => userAgent)).toEqual(['a', 'b', 'c'])
  leases[1]!.release()
  expect((await all.lease(signal)).userAgent).toBe('b')
  expect([a, b, c].map(({ browser }) => browser.pages)).toEqual([1, 1, 1])
})

it('leaves out a browser that is away, and connects to it in the background', async () => {
  const [a, b] = [fakeBrowser('a'), fakeBrowser('b')]
  const all = balanceBrowsers([a.supervisor, b.supervisor])
  Object.assign(a.browser, { isRunning: false, canStart: false })
  const leases = [await all.lease(signal), await all.lease(signal)]
  expect(leases.map(({ userAgent }) => userAgent)).toEqual(['b', 'b'])
  expect(a.browser.probes).toBe(2)
  expect(await all.respondsWithin(1_000)).toBe(true)
  a.browser.canStart = true
  await all.lease(signal)
  expect((await all.lease(signal)).userAgent).toBe('a')
})

it('tries the next one when a browser cannot open a page', async () => {
  const [a, b] = [fakeBrowser('a'), fakeBrowser('b')]
  a.browser.canStart = false
  expect((await balanceBrowsers([a.supervisor, b.supervisor]).lease(signal)).userAgent).toBe('b')
})

it('says when the first of them is tried again where none is available', async () => {
  const [a, b] = [fakeBrowser('a'), fakeBrowser('b')]
  Object.assign(a.browser, { canStart: false, retryAfterMs: 4_000 })
  Object.assign(b.browser, { canStart: false, retryAfterMs: 1_000 })
  const all = balanceBrowsers([a.supervisor, b.supervisor])
  await expect(all.lease(signal)).rejects.toMatchObject({ name: 'BrowserUnavailableError', retryAfterMs: 1_000 })
  expect(await all.respondsWithin(1_000)).toBe(false)
})

it('is the browser itself where there is one', () => {
  const { supervisor } = fakeBrowser('a')
  expect(balanceBrowsers([supervisor])).toBe(supervisor)
})
