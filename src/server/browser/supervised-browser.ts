import { setMaxListeners } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { PageError } from '../../query/index.js'
import { captureLimits } from '../budget/index.js'
import { abortable } from './abortable.js'
import { BrowserUnavailableError } from './browser-unavailable-error.js'
import type { LogEvent } from './log-event.js'
import { openPage, type OpenPage, type PageProxy } from './open-page.js'
import type { RunningBrowser } from './running-browser.js'
import { watchMemory } from './watch-memory.js'
import { withinTime } from './within-time.js'

/** The exclusive use of one page. */
export interface Lease {
  page: OpenPage
  /** The user agent of a desktop Chrome. */
  userAgent: string
  /** Aborts when the tab or the browser is gone. */
  gone: AbortSignal
  /** Aborts when the browser is gone. */
  browserGone: AbortSignal
  /** Opens the page of the next lease in advance; best called while this page waits for the network. */
  openSparePage: () => void
  /** Closes the page. */
  release(): void
}

export interface SupervisedBrowserOptions {
  openProxy: () => Promise<PageProxy>
  /** A browser that does not respond for this long while pages are leased is killed. */
  watchdogMs: number
  /** After this many pages the browser drains: it opens no more pages and exits with the last lease. */
  recycleAfter: number
  log: LogEvent | undefined
}

const PROBE_INTERVAL_MS = 1_000
/** A crash is noticed within this time after its process was killed. */
const CRASH_DELAY_MS = 5_000

/** A running browser that leases its pages, is probed while pages are leased, and drains after a number of pages. */
export class SupervisedBrowser {
  readonly running: RunningBrowser
  readonly #options: SupervisedBrowserOptions
  #leaseCount = 0
  #pageCount = 0
  #isDraining = false
  #sparePage: Promise<OpenPage> | undefined
  #isProbing = false
  #memoryWatch: AbortController | undefined
  #lastMemoryKillAt = -Infinity

  constructor(running: RunningBrowser, options: SupervisedBrowserOptions) {
    this.running = running
    // Node warns of more than ten listeners, and each open page has one.
    setMaxListeners(0, running.gone)
    this.#options = options
  }

  get isDraining(): boolean {
    return this.#isDraining
  }

  /** Whether new pages can be leased. */
  get isUsable(): boolean {
    return !this.#isDraining && !this.running.gone.aborted
  }

  /** @throws {BrowserUnavailableError} when the page cannot be opened; an aborted `signal` throws its own reason. */
  async lease(signal: AbortSignal): Promise<Lease> {
    if (this.#leaseCount++ === 0) {
      void this.#probeWhileLeased()
      this.#watchMemoryWhileLeased()
    }
    this.#pageCount++
    const opening = this.#sparePage ?? this.#openPage()
    this.#sparePage = undefined
    const release = () => void this.#release(opening)
    try {
      const { gone, userAgent } = this.running
      const page = await abortable(abortable(opening, gone), signal)
      const openSparePage = () => this.openSparePage()
      return { page, userAgent, gone: page.gone, browserGone: gone, openSparePage, release }
    } catch (cause) {
      release()
      signal.throwIfAborted()
      throw new BrowserUnavailableError('The browser could not open a page.', 0, { cause })
    }
  }

  openSparePage(): void {
    if (this.#isDraining) return
    this.#sparePage ??= this.#openPage()
    // The lease that takes the page receives its failure.
    this.#sparePage.catch(() => undefined)
  }

  async respondsWithin(timeoutMs: number): Promise<boolean> {
    const { connection, gone } = this.running
    try {
      await withinTime(connection.send('Browser.getVersion'), { timeoutMs, signal: gone })
      return true
    } catch {
      return false
    }
  }

  async close(): Promise<void> {
    this.#isDraining = true
    await this.running.close()
  }

  #openPage(): Promise<OpenPage> {
    const { openProxy } = this.#options
    return openPage(this.running, { openProxy, crashReason: () => this.#crashReason() })
  }

  async #release(opening: Promise<OpenPage>): Promise<void> {
    if (--this.#leaseCount === 0) this.#memoryWatch?.abort()
    this.#drainWhenDue()
    this.openSparePage()
    await opening.then(
      (page) => page.close(),
      () => undefined,
    )
  }

  #drainWhenDue(): void {
    const { recycleAfter, log } = this.#options
    if (this.#pageCount >= recycleAfter && !this.#isDraining) {
      this.#isDraining = true
      log?.({ event: 'browser-recycled', pid: this.running.pid, pages: this.#pageCount })
    }
    if (this.#isDraining && this.#leaseCount === 0) void this.running.close()
  }

  /** Ends the process of a page that uses too much memory; the page's capture then fails with `ETOOLARGE`. */
  #watchMemoryWhileLeased(): void {
    const { pid, connection, gone } = this.running
    // The processes of an external browser are not on this machine.
    if (pid === undefined) return
    const watch = new AbortController()
    this.#memoryWatch = watch
    gone.addEventListener('abort', () => watch.abort(), { signal: watch.signal })
    void watchMemory(connection, {
      maxBytes: captureLimits.memoryBytes,
      signal: watch.signal,
      onExceeded: (renderer, bytes) => {
        this.#options.log?.({ event: 'page-out-of-memory', pid: renderer, bytes })
        this.#lastMemoryKillAt = performance.now()
        killProcess(renderer)
      },
    })
  }

  #crashReason(): Error {
    const wasKilled = performance.now() - this.#lastMemoryKillAt < CRASH_DELAY_MS
    return wasKilled
      ? new PageError(
          'ETOOLARGE',
          `The page used more than ${captureLimits.memoryBytes / 1e6} MB of memory. Use a smaller viewport, or capture another page.`,
        )
      : new Error('The tab crashed.')
  }

  /** At most one loop runs, even if the number of leases returns to zero between two probes. */
  async #probeWhileLeased(): Promise<void> {
    if (this.#isProbing) return
    this.#isProbing = true
    const { running } = this
    const { watchdogMs, log } = this.#options
    while (this.#leaseCount && !running.gone.aborted) {
      if (!(await this.respondsWithin(watchdogMs)) && !running.gone.aborted) {
        log?.({ event: 'browser-unresponsive', pid: running.pid, ms: watchdogMs })
        running.kill()
      }
      await sleep(Math.min(PROBE_INTERVAL_MS, watchdogMs), undefined, { ref: false })
    }
    this.#isProbing = false
  }
}

function killProcess(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has exited already.
  }
}
