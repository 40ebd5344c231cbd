import { setMaxListeners } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { abortable, withinTime } from './abortable.js'
import { SandboxError } from './browser-user.js'
import { ExcessWatch } from './excess-watch.js'
import type { LogEvent } from '../log.js'
import { openPage, type OpenPage, type PageProxy } from './open-page.js'
import { readActivityOf } from './processes.js'
import { respondInTime } from './respond-in-time.js'
import {
  BrowserUnavailableError,
  estimateBrowserAgeDays,
  OUTDATED_AFTER_DAYS,
  type LaunchBrowser,
  type RunningBrowser,
} from './running-browser.js'

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
  status(): BrowserStatus
  /**
   * Launches a browser that takes all new pages from then on; pages that are open stay where they are.
   *
   * @returns  Resolves once all browsers before it have exited, each with its last page.
   * @throws   {BrowserUnavailableError} when it does not start; the browser before stays.
   */
  replace(): Promise<{ previousGone: Promise<void> }>
  close(): Promise<void>
}

/** The state of the browser at this moment. */
export interface BrowserStatus {
  /** The version of the browser that was launched last, such as `143.0.7499.0`; `undefined` before the first launch. */
  version: string | undefined
  /** Process of the browser that takes new pages; `undefined` when none is running. */
  pid: number | undefined
  /** How many times the browser was replaced by a new one. */
  restarts: number
  /** Seconds since the latest browser was started; `undefined` when it is gone. */
  ageSeconds: number | undefined
}

/** The exclusive use of one page. */
export interface Lease {
  page: OpenPage
  /** The user agent of a desktop Chrome. */
  userAgent: string
  /** Aborts when the tab or the browser is gone. */
  gone: AbortSignal
  /** Aborts when the browser is gone. */
  browserGone: AbortSignal
  /** Why the page was ended although it has not crashed; awaited after its work has failed. */
  endReason: () => Promise<Error | undefined>
  /** What, besides the page, may keep it from responding right now; `undefined`: nothing. */
  delayCause: () => Error | undefined
  /** Opens the page of the next lease in advance; best called while this page waits for the network. */
  openSparePage: () => void
  /** Closes the page. */
  release(): void
}

export interface SupervisorOptions {
  launch: LaunchBrowser
  /** Opens the proxy through which all requests of one page go. */
  openProxy: () => Promise<PageProxy>
  /** A browser that does not respond for this long during a capture, and could do so, is killed and replaced. Default: 5000. */
  watchdogMs?: number | undefined
  /** After this many pages a new browser takes over: the old one opens no more, and exits with its last lease. Default: 500. */
  recycleAfter?: number | undefined
  log?: LogEvent | undefined
}

export function superviseBrowser(options: SupervisorOptions): Supervisor {
  const { log } = options
  const launch = launchWithBackoff(options.launch, { log })
  const closing = new AbortController()
  const browsers = new Set<SupervisedBrowser>()
  let launches = 0
  let latest: SupervisedBrowser | undefined
  let current: Promise<SupervisedBrowser> | undefined

  const usableBrowser = async (): Promise<SupervisedBrowser> => {
    closing.signal.throwIfAborted()
    const previous = current
    const browser = await previous?.catch(() => undefined)
    // Another caller may have launched one in the meantime.
    if (current !== previous) return usableBrowser()
    if (browser?.isUsable) return browser
    current = launchSupervised()
    return current
  }

  const launchSupervised = async (): Promise<SupervisedBrowser> => {
    const startedAt = performance.now()
    const running = await launch(closing.signal)
    const { pid, version, gone } = running
    const browser = new SupervisedBrowser(running, options)
    launches++
    latest = browser
    browsers.add(browser)
    gone.addEventListener('abort', () => {
      browsers.delete(browser)
      if (!browser.isDraining) log?.({ event: 'browser-exited', pid, reason: String(gone.reason) })
    })
    log?.({ event: 'browser-started', pid, ms: Math.round(performance.now() - startedAt), version })
    warnOfOldBrowser(version, log)
    if (closing.signal.aborted) await browser.close()
    else browser.openSparePage()
    return browser
  }

  return {
    async lease(signal) {
      let browser = await abortable(usableBrowser(), signal)
      // Another one may have replaced it a moment ago.
      if (!browser.isUsable) browser = await abortable(usableBrowser(), signal)
      return browser.lease(signal)
    },
    async respondsWithin(timeoutMs) {
      try {
        const { running } = await abortable(usableBrowser(), AbortSignal.timeout(timeoutMs))
        await withinTime(running.connection.send('Browser.getVersion'), { timeoutMs, signal: running.gone })
        return true
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
    async replace() {
      const launching = launchSupervised()
      const browser = await launching
      current = launching
      const previous = [...browsers].filter((other) => other !== browser)
      for (const other of previous) other.drain()
      return { previousGone: Promise.all(previous.map(({ running }) => aborted(running.gone))).then(() => undefined) }
    },
    isRunning: () => [...browsers].some(({ isUsable }) => isUsable),
    status: () => ({
      version: latest?.running.version,
      pid: [...browsers].findLast(({ isDraining }) => !isDraining)?.running.pid,
      restarts: Math.max(0, launches - 1),
      ageSeconds: latest && !latest.running.gone.aborted ? (performance.now() - latest.startedAt) / 1_000 : undefined,
    }),
    async close() {
      closing.abort(new Error('The browser is closed.'))
      await current?.catch(() => undefined)
      await Promise.all([...browsers].map((browser) => browser.close()))
    },
  }
}

const aborted = (signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    if (signal.aborted) resolve()
    signal.addEventListener('abort', () => resolve(), { once: true })
  })

function warnOfOldBrowser(version: string, log: LogEvent | undefined): void {
  const estimatedAgeDays = estimateBrowserAgeDays(version, Date.now())
  if (estimatedAgeDays === undefined || estimatedAgeDays < OUTDATED_AFTER_DAYS) return
  const advice =
    'pages can exploit publicly known bugs of this version: run page-preview-server browser update, or install a current Chromium and set --browser to its path'
  log?.({ event: 'browser-outdated', level: 'warn', version, estimatedAgeDays, advice })
}

const FIRST_DELAY_MS = 500
const MAX_DELAY_MS = 8_000

/**
 * Allows a second launch at once after a failure, and further launches with exponential backoff of at most 8 seconds, so that a
 * browser which does not start costs no process or connection for each request.
 *
 * @param clock  Milliseconds from any fixed time. Default: `performance.now`.
 * @returns      Launches a browser; throws `BrowserUnavailableError` when that fails, and until the next launch is allowed.
 */
export function launchWithBackoff(
  launch: LaunchBrowser,
  { log, clock = () => performance.now() }: { log: LogEvent | undefined; clock?: () => number },
): LaunchBrowser {
  let failures = 0
  let latest: { error: unknown; retryAt: number } | undefined

  return async (signal) => {
    if (latest && clock() < latest.retryAt) throw unavailable(latest.error, latest.retryAt - clock())
    try {
      const browser = await launch(signal)
      failures = 0
      latest = undefined
      return browser
    } catch (error) {
      signal.throwIfAborted()
      const delayMs = delayAfter(++failures)
      latest = { error, retryAt: clock() + delayMs }
      log?.({ event: 'browser-launch-failed', level: 'warn', reason: String(error), failures, retryAfterMs: delayMs })
      throw unavailable(error, delayMs)
    }
  }
}

const delayAfter = (failures: number) =>
  failures === 1 ? 0 : Math.min(FIRST_DELAY_MS * 2 ** Math.min(failures - 2, 10), MAX_DELAY_MS)

const unavailable = (cause: unknown, retryAfterMs: number) =>
  new BrowserUnavailableError('No browser could be started.', retryAfterMs, { cause })

const PROBE_INTERVAL_MS = 1_000

/** A running browser that leases its pages, is probed while pages are leased, and drains after a number of pages. */
class SupervisedBrowser {
  readonly running: RunningBrowser
  readonly startedAt = performance.now()
  readonly #openProxy: () => Promise<PageProxy>
  readonly #watchdogMs: number
  readonly #recycleAfter: number
  readonly #log: LogEvent | undefined
  readonly #excess: ExcessWatch
  #leaseCount = 0
  #pageCount = 0
  #isDraining = false
  #sparePage: Promise<OpenPage> | undefined
  #isProbing = false
  #isKilled = false

  constructor(running: RunningBrowser, options: SupervisorOptions) {
    const { openProxy, watchdogMs = 5_000, recycleAfter = 500, log } = options
    this.running = running
    // Node warns of more than ten listeners, and each open page has one.
    setMaxListeners(0, running.gone)
    this.#openProxy = openProxy
    this.#watchdogMs = watchdogMs
    this.#recycleAfter = recycleAfter
    this.#log = log
    this.#excess = new ExcessWatch(running, { log, killBrowser: () => this.#kill(), drainBrowser: () => this.drain() })
  }

  get isDraining(): boolean {
    return this.#isDraining
  }

  /** Whether new pages can be leased. */
  get isUsable(): boolean {
    return !this.#isDraining && !this.#isKilled && !this.running.gone.aborted
  }

  /** @throws {BrowserUnavailableError} when the page cannot be opened; an aborted `signal` throws its own reason. */
  async lease(signal: AbortSignal): Promise<Lease> {
    if (this.#leaseCount++ === 0) {
      void this.#probeWhileLeased()
      this.#excess.start()
    }
    this.#pageCount++
    const opening = this.#sparePage ?? this.#openPage()
    this.#sparePage = undefined
    const release = () => void this.#release(opening)
    try {
      const { gone, userAgent } = this.running
      const page = await abortable(abortable(opening, gone), signal)
      this.#excess.addLeased(page)
      return {
        page,
        userAgent,
        gone: page.gone,
        browserGone: gone,
        endReason: () => this.#excess.endReasonOf(page),
        delayCause: () => this.#excess.delayCause(),
        openSparePage: () => this.openSparePage(),
        release,
      }
    } catch (cause) {
      release()
      signal.throwIfAborted()
      throw new BrowserUnavailableError('The browser could not open a page.', 0, { cause })
    }
  }

  openSparePage(): void {
    if (!this.isUsable || this.#sparePage) return
    const opening = this.#openPage()
    this.#sparePage = opening
    const discard = (page: OpenPage) => {
      if (this.#sparePage !== opening) return
      this.#sparePage = undefined
      this.#excess.delete(page)
      void page.close()
    }
    // The lease that takes the page receives its failure.
    opening.then(
      (page) => page.gone.addEventListener('abort', () => discard(page)),
      () => undefined,
    )
  }

  /** Opens no more pages, and exits with the last one. */
  drain(): void {
    if (!this.#isDraining) this.#log?.({ event: 'browser-recycled', pid: this.running.pid, pages: this.#pageCount })
    this.#isDraining = true
    if (this.#leaseCount === 0) void this.running.close()
  }

  async close(): Promise<void> {
    this.#isDraining = true
    await this.running.close()
  }

  #openPage(): Promise<OpenPage> {
    const opening = openPage(this.running, { openProxy: this.#openProxy })
    // The lease that takes the page receives its failure.
    opening.then((page) => this.#excess.add(page)).catch(() => undefined)
    return opening
  }

  async #release(opening: Promise<OpenPage>): Promise<void> {
    if (--this.#leaseCount === 0) this.#excess.stop()
    if (this.#pageCount >= this.#recycleAfter) this.drain()
    else if (this.#isDraining && this.#leaseCount === 0) void this.running.close()
    this.openSparePage()
    const page = await opening.catch(() => undefined)
    await page?.close()
    if (page) this.#excess.delete(page)
  }

  #kill(): void {
    this.#isKilled = true
    this.running.kill()
  }

  /** At most one loop runs, even if the number of leases returns to zero between two probes. */
  async #probeWhileLeased(): Promise<void> {
    if (this.#isProbing) return
    this.#isProbing = true
    const { pid, gone } = this.running
    while (this.#leaseCount && !gone.aborted) {
      if (!(await this.#respondsInTime()) && !gone.aborted) {
        this.#log?.({ event: 'browser-unresponsive', pid, ms: this.#watchdogMs })
        this.#kill()
      }
      await sleep(Math.min(PROBE_INTERVAL_MS, this.#watchdogMs), undefined, { ref: false })
    }
    this.#isProbing = false
  }

  /** The page that keeps the browser from running is ended before the browser is. */
  #respondsInTime(): Promise<boolean> {
    const { connection, pid, gone } = this.running
    const cpuMsBefore = this.#excess.cpuMsOfRenderers()
    return respondInTime(abortable(connection.send('Browser.getVersion'), gone), {
      limitMs: this.#watchdogMs,
      readActivity: () => readActivityOf(pid),
      onStarved: () => this.#excess.killBusiestRenderer(cpuMsBefore, { minCpuMs: this.#watchdogMs / 2 }),
    })
  }
}
