import { setTimeout as sleep } from 'node:timers/promises'
import { abortable } from './abortable.js'
import { BrowserUnavailableError } from './browser-unavailable-error.js'
import { estimateBrowserAgeDays, OUTDATED_AFTER_DAYS } from './estimate-browser-age.js'
import type { LogEvent } from './log-event.js'
import { launchWithBackoff, type LaunchBrowser } from './launch-with-backoff.js'
import { SandboxError } from './sandbox-error.js'
import { SupervisedBrowser, type Lease, type SupervisedBrowserOptions } from './supervised-browser.js'

/** Keeps one browser running: launches it on demand and replaces it after it has crashed, hung or drained. */
export interface Supervisor {
  /** @throws {BrowserUnavailableError} when no browser starts or it cannot open a page; an aborted `signal` throws its own reason. */
  lease(signal: AbortSignal): Promise<Lease>
  /** Launches a browser if none is running, and probes it. */
  respondsWithin(timeoutMs: number): Promise<boolean>
  /**
   * Launches a browser if none is running, and waits for it at most `timeoutMs`; a failure is logged.
   *
   * @throws  {SandboxError}
   */
  warm(timeoutMs: number): Promise<void>
  /** Whether a browser runs that takes new pages, so that none need be launched for the next one. */
  isRunning(): boolean
  /** Version of the browser that was launched last; `undefined` before the first one. */
  version(): string | undefined
  /** Process of the browser that takes new pages; `undefined` when none is running or it is external. */
  pid(): number | undefined
  close(): Promise<void>
}

export interface SuperviseBrowserOptions extends SupervisedBrowserOptions {
  launch: LaunchBrowser
}

export function superviseBrowser(options: SuperviseBrowserOptions): Supervisor {
  const { log } = options
  const launch = launchWithBackoff(options.launch, { log })
  const closing = new AbortController()
  const browsers = new Set<SupervisedBrowser>()
  let current: Promise<SupervisedBrowser> | undefined
  let version: string | undefined

  const usableBrowser = async (): Promise<SupervisedBrowser> => {
    closing.signal.throwIfAborted()
    const previous = current
    const browser = await previous?.catch(() => undefined)
    // Another caller may have launched one in the meantime.
    if (current !== previous) return usableBrowser()
    if (browser?.isUsable) return browser
    current = launchSupervised({ ...options, launch }, { browsers, closing: closing.signal })
    const launched = await current
    version = launched.running.version
    return launched
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
    async warm(timeoutMs) {
      const launching = usableBrowser().then(
        () => undefined,
        (error: unknown) => {
          if (error instanceof BrowserUnavailableError && error.cause instanceof SandboxError) throw error.cause
        },
      )
      // Captures wait for a slow launch; its failure was logged.
      launching.catch(() => undefined)
      const timer = new AbortController()
      const timeout = sleep(timeoutMs, undefined, { signal: timer.signal }).catch(() => undefined)
      await Promise.race([launching, timeout]).finally(() => timer.abort())
    },
    isRunning: () => [...browsers].some(({ isUsable }) => isUsable),
    version: () => version,
    pid: () => [...browsers].findLast(({ isDraining }) => !isDraining)?.running.pid,
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
    if (!browser.isDraining) log?.({ event: 'browser-exited', pid: running.pid, reason: String(running.gone.reason) })
  })
  log?.({
    event: 'browser-started',
    pid: running.pid,
    ms: Math.round(performance.now() - startedAt),
    version: running.version,
  })
  warnOfOldBrowser(running.version, log)
  if (closing.aborted) await browser.close()
  else browser.openSparePage()
  return browser
}

function warnOfOldBrowser(version: string, log: LogEvent | undefined): void {
  const estimatedAgeDays = estimateBrowserAgeDays(version, Date.now())
  if (estimatedAgeDays === undefined || estimatedAgeDays < OUTDATED_AFTER_DAYS) return
  const advice =
    'bugs of it that pages can exploit are public: install a current Chromium, and set --browser to its path'
  log?.({ event: 'browser-outdated', level: 'warn', version, estimatedAgeDays, advice })
}
