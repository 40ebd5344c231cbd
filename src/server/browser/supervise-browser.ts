import { abortable } from './abortable.js'
import type { RunningBrowser } from './running-browser.js'
import { SupervisedBrowser, type Lease, type SupervisedBrowserOptions } from './supervised-browser.js'

/** Keeps one browser running: launches it on demand and replaces it when it crashed, hung or retired. */
export interface Supervisor {
  /** @throws {Error} when no browser starts or it cannot open a page; an aborted `signal` throws its own reason. */
  lease(signal: AbortSignal): Promise<Lease>
  /** Launches a browser if none is running, and probes it. */
  respondsWithin(timeoutMs: number): Promise<boolean>
  /** Launches a browser in the background if none is running. */
  warm(): void
  /** Of the browser that takes new pages; `undefined` when none is running or it is external. */
  pid(): number | undefined
  close(): Promise<void>
}

export interface SuperviseBrowserOptions extends SupervisedBrowserOptions {
  launch: (signal: AbortSignal) => Promise<RunningBrowser>
}

export function superviseBrowser(options: SuperviseBrowserOptions): Supervisor {
  const { log } = options
  const closing = new AbortController()
  const browsers = new Set<SupervisedBrowser>()
  let current: Promise<SupervisedBrowser> | undefined

  const usableBrowser = async (): Promise<SupervisedBrowser> => {
    closing.signal.throwIfAborted()
    const previous = current
    const browser = await previous?.catch(() => undefined)
    // Another caller may have launched one in the meantime.
    if (current !== previous) return usableBrowser()
    if (browser?.isUsable) return browser
    current = launchSupervised(options, { browsers, closing: closing.signal })
    return current
  }

  return {
    async lease(signal) {
      const browser = await abortable(usableBrowser(), signal)
      return browser.lease(signal)
    },
    async respondsWithin(timeoutMs) {
      try {
        const browser = await abortable(usableBrowser(), AbortSignal.timeout(timeoutMs))
        return await browser.respondsWithin(timeoutMs)
      } catch {
        return false
      }
    },
    warm: () =>
      void usableBrowser().catch((error: unknown) => log?.({ event: 'browser-launch-failed', reason: String(error) })),
    pid: () => [...browsers].findLast(({ isRetired }) => !isRetired)?.running.pid,
    async close() {
      closing.abort(new Error('The browser is closed.'))
      await current?.catch(() => undefined)
      await Promise.all([...browsers].map((browser) => browser.close()))
    },
  }
}

async function launchSupervised(
  { launch, ...options }: SuperviseBrowserOptions,
  { browsers, closing }: { browsers: Set<SupervisedBrowser>; closing: AbortSignal },
): Promise<SupervisedBrowser> {
  const { log } = options
  const startedAt = performance.now()
  const running = await launch(closing)
  const browser = new SupervisedBrowser(running, options)
  browsers.add(browser)
  running.gone.addEventListener('abort', () => {
    browsers.delete(browser)
    if (!browser.isRetired) log?.({ event: 'browser-exited', pid: running.pid, reason: String(running.gone.reason) })
  })
  log?.({ event: 'browser-started', pid: running.pid, ms: Math.round(performance.now() - startedAt) })
  if (closing.aborted) await browser.close()
  else browser.openSparePage()
  return browser
}
