import { setMaxListeners } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { abortable } from './abortable.js'
import { BrowserUnavailableError } from './browser-unavailable-error.js'
import { ExcessWatch, respondsWithin } from './excess-watch.js'
import type { LogEvent } from './log-event.js'
import { openPage, type OpenPage, type PageProxy } from './open-page.js'
import { readActivityOf, respondInTime } from './respond-in-time.js'
import type { RunningBrowser } from './running-browser.js'

/** The exclusive use of one page. */
export interface Lease {
  page: OpenPage
  /** The user agent of a desktop Chrome. */
  userAgent: string
  /** Aborts when the tab or the browser is gone. */
  gone: AbortSignal
  /** Aborts when the browser is gone. */
  browserGone: AbortSignal
  /** Why the work on the page has failed, if that is not due to `failure`, with which it has failed. */
  endReason: (failure: unknown) => Promise<Error | undefined>
  /** Opens the page of the next lease in advance; best called while this page waits for the network. */
  openSparePage: () => void
  /** Closes the page. */
  release(): void
}

export interface SupervisedBrowserOptions {
  openProxy: () => Promise<PageProxy>
  /** A browser that does not respond for this long while pages are leased, and could do so, is killed. */
  watchdogMs: number
  /** After this many pages the browser drains: it opens no more pages and exits with the last lease. */
  recycleAfter: number
  log: LogEvent | undefined
}

const PROBE_INTERVAL_MS = 1_000
/** A running browser that leases its pages, is probed while pages are leased, and drains after a number of pages. */
export class SupervisedBrowser {
  readonly running: RunningBrowser
  readonly #options: SupervisedBrowserOptions
  #leaseCount = 0
  #pageCount = 0
  #isDraining = false
  #sparePage: Promise<OpenPage> | undefined
  #isProbing = false
  #isKilled = false
  readonly #excess: ExcessWatch

  constructor(running: RunningBrowser, options: SupervisedBrowserOptions) {
    this.running = running
    // Node warns of more than ten listeners, and each open page has one.
    setMaxListeners(0, running.gone)
    this.#options = options
    const { log } = options
    this.#excess = new ExcessWatch(running, { log, kill: () => this.#kill(), replace: () => this.#drain() })
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
      const openSparePage = () => this.openSparePage()
      return {
        page,
        userAgent,
        gone: page.gone,
        browserGone: gone,
        endReason: (failure) => this.#excess.endReasonOf(page, failure),
        openSparePage,
        release,
      }
    } catch (cause) {
      release()
      signal.throwIfAborted()
      throw new BrowserUnavailableError('The browser could not open a page.', 0, { cause })
    }
  }

  openSparePage(): void {
    if (this.#isDraining) return
    if (this.#sparePage) return
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

  respondsWithin(timeoutMs: number): Promise<boolean> {
    return respondsWithin(this.running, timeoutMs)
  }

  async close(): Promise<void> {
    this.#isDraining = true
    await this.running.close()
  }

  #openPage(): Promise<OpenPage> {
    const { openProxy } = this.#options
    const opening = openPage(this.running, { openProxy })
    // The lease that takes the page receives its failure.
    opening.then((page) => this.#excess.add(page)).catch(() => undefined)
    return opening
  }

  async #release(opening: Promise<OpenPage>): Promise<void> {
    if (--this.#leaseCount === 0) this.#excess.stop()
    this.#drainWhenDue()
    this.openSparePage()
    const page = await opening.catch(() => undefined)
    await page?.close()
    if (page) this.#excess.delete(page)
  }

  #drainWhenDue(): void {
    const { recycleAfter } = this.#options
    if (this.#pageCount >= recycleAfter) this.#drain()
    if (this.#isDraining && this.#leaseCount === 0) void this.running.close()
  }

  #drain(): void {
    if (this.#isDraining) return
    this.#isDraining = true
    this.#options.log?.({ event: 'browser-recycled', pid: this.running.pid, pages: this.#pageCount })
  }

  #kill(): void {
    this.#isKilled = true
    this.running.kill()
  }

  /** At most one loop runs, even if the number of leases returns to zero between two probes. */
  async #probeWhileLeased(): Promise<void> {
    if (this.#isProbing) return
    this.#isProbing = true
    const { running } = this
    const { watchdogMs, log } = this.#options
    while (this.#leaseCount && !running.gone.aborted) {
      if (!(await this.#respondsInTime()) && !running.gone.aborted) {
        log?.({ event: 'browser-unresponsive', pid: running.pid, ms: watchdogMs })
        this.#kill()
      }
      await sleep(Math.min(PROBE_INTERVAL_MS, watchdogMs), undefined, { ref: false })
    }
    this.#isProbing = false
  }

  /** The page that keeps the browser from running is ended before the browser is. */
  #respondsInTime(): Promise<boolean> {
    const { connection, pid, gone } = this.running
    const { watchdogMs } = this.#options
    const cpuMsAtStart = this.#excess.cpuMsOfRenderers()
    return respondInTime(abortable(connection.send('Browser.getVersion'), gone), {
      limitMs: watchdogMs,
      readActivity: () => (pid === undefined ? undefined : readActivityOf(pid)),
      onStarved: () => this.#excess.endBusiestRenderer(cpuMsAtStart, { minCpuMs: watchdogMs / 2 }),
    })
  }
}
