import { setMaxListeners } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { PageError } from '../../query/index.js'
import { captureLimits } from '../budget/index.js'
import { abortable } from './abortable.js'
import { BrowserUnavailableError } from './browser-unavailable-error.js'
import type { LogEvent } from './log-event.js'
import { openPage, type OpenPage, type PageProxy } from './open-page.js'
import type { RunningBrowser } from './running-browser.js'
import { totalBytes, watchProcesses, type BrowserProcessUsage } from './watch-processes.js'
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
  /** Why the page was ended although it has not crashed; awaited after its work has failed. */
  endReason: () => Promise<Error | undefined>
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
/** The browser reports that a process was killed, and frees what it held for it, within this time; longer on a busy machine. */
const RELIEF_TIMEOUT_MS = 2_000
const RELIEF_INTERVAL_MS = 50
/** Of a page that goes on to fill the memory, while another one is closed. */
const FURTHER_GROWTH_BYTES = 400_000_000
/** A browser that needs this much more without pages than at its start is replaced. */
const MAX_LEAKED_BYTES = captureLimits.memoryBytes / 2
/** CPU time of the latest second, of a page that may keep the browser from responding. */
const MIN_BUSY_MS = 100
/** A browser that does not respond, and needs this much more for what it has yet to do, has no time to waste. */
const FLOODED = { silentMs: 500, growthBytes: 50_000_000 }
const SIGKILL = 9

/** Whether closing a page has helped; `undefined` while neither is certain. */
type HasHelped = () => boolean | undefined

/** A running browser that leases its pages, is probed while pages are leased, and drains after a number of pages. */
export class SupervisedBrowser {
  readonly running: RunningBrowser
  readonly #options: SupervisedBrowserOptions
  #leaseCount = 0
  #pageCount = 0
  #isDraining = false
  #sparePage: Promise<OpenPage> | undefined
  #isProbing = false
  readonly #pages = new Set<OpenPage>()
  /** The least memory that the browser has used during each lease: what it uses beyond that may be of the page. */
  readonly #bytesWithout = new Map<OpenPage, number>()
  #processWatch: AbortController | undefined
  #processes: readonly BrowserProcessUsage[] = []
  #bytesAtStart: number | undefined
  #isClosingPages = false
  #isKilled = false
  #bytesWhenResponding = Infinity
  /** Called with the page of the renderer that was ended last. */
  #onEnded: ((page: OpenPage) => void) | undefined
  /** Resolves once that page is known. */
  #findingPage: Promise<unknown> | undefined

  constructor(running: RunningBrowser, options: SupervisedBrowserOptions) {
    this.running = running
    // Node warns of more than ten listeners, and each open page has one.
    setMaxListeners(0, running.gone)
    this.#options = options
    if (running.pid !== undefined) running.connection.on('Target.targetCrashed', (event) => this.#onCrash(event))
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
      this.#watchProcessesWhileLeased()
    }
    this.#pageCount++
    const opening = this.#sparePage ?? this.#openPage()
    this.#sparePage = undefined
    const release = () => void this.#release(opening)
    try {
      const { gone, userAgent } = this.running
      const page = await abortable(abortable(opening, gone), signal)
      if (!page.gone.aborted) this.#bytesWithout.set(page, Infinity)
      const openSparePage = () => this.openSparePage()
      return {
        page,
        userAgent,
        gone: page.gone,
        browserGone: gone,
        endReason: () => this.#endReasonOf(page),
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
    const opening = openPage(this.running, { openProxy })
    // The lease that takes the page receives its failure.
    opening.then((page) => void this.#pages.add(page)).catch(() => undefined)
    return opening
  }

  async #release(opening: Promise<OpenPage>): Promise<void> {
    if (--this.#leaseCount === 0) this.#endProcessWatch()
    this.#drainWhenDue()
    this.openSparePage()
    const page = await opening.catch(() => undefined)
    await page?.close()
    if (!page) return
    this.#pages.delete(page)
    this.#bytesWithout.delete(page)
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

  #watchProcessesWhileLeased(): void {
    const { pid, connection, gone } = this.running
    // The processes of an external browser are not on this machine.
    if (pid === undefined) return
    const watch = new AbortController()
    this.#processWatch = watch
    gone.addEventListener('abort', () => watch.abort(), { signal: watch.signal })
    void watchProcesses(connection, { signal: watch.signal, onRead: (...usage) => this.#onRead(...usage) })
  }

  #endProcessWatch(): void {
    this.#processWatch?.abort()
    const leastBytes = Math.max(...this.#bytesWithout.values())
    const hasLeaked = leastBytes < Infinity && leastBytes > (this.#bytesAtStart ?? Infinity) + MAX_LEAKED_BYTES
    if (hasLeaked) this.#drain()
  }

  /**
   * Closes a page of which one process, or with which all processes of the browser together, use too much memory. Other limits of
   * Chromium hold for the objects of scripts alone, and not for buffers, images, canvases and stored data.
   */
  #onRead(processes: readonly BrowserProcessUsage[], silentMs: number): void {
    this.#processes = processes
    this.#endFlood(silentMs)
    const total = totalBytes(processes)
    if (!total) return
    this.#bytesAtStart ??= total
    for (const [page, bytes] of this.#bytesWithout) this.#bytesWithout.set(page, Math.min(bytes, total))
    const { memoryBytes, memoryBytesOfOthers } = captureLimits
    const large = processes.find((each) => each.isRenderer && bytesOf(each) > memoryBytes)
    // The page that was there before the others, or has started to grow with them, comes first.
    const byGrowth = [...this.#bytesWithout].toSorted(([, a], [, b]) => a - b)
    const [growth = 0, growthOfSecond = 0] = byGrowth.map(([, bytes]) => total - bytes)
    if (large)
      void this.#endRenderer(large, { event: 'page-out-of-memory', error: memoryError(), hasHelped: () => true })
    else if (growth > memoryBytes + (byGrowth.length - 1) * memoryBytesOfOthers)
      void this.#closePages(
        byGrowth.map(([page]) => page),
        // What the browser used before another page was opened is not of that page.
        { growth, total, isFirstCertain: growthOfSecond < growth / 2 },
      )
  }

  /** What a page has the browser do in a loop would take it longer and longer, also after the page is closed. */
  #endFlood(silentMs: number): void {
    const browser = this.#processes.find(({ pid }) => pid === this.running.pid)
    if (!browser) return
    const bytes = bytesOf(browser)
    if (silentMs < FLOODED.silentMs) this.#bytesWhenResponding = bytes
    else if (bytes > this.#bytesWhenResponding + FLOODED.growthBytes) this.#endBusiestRenderer()
  }

  /** Its page is the reason if the browser then responds. */
  #endBusiestRenderer(): void {
    const [busiest] = this.#processes
      .filter(({ isRenderer, recentCpuMs }) => isRenderer && recentCpuMs > MIN_BUSY_MS)
      .toSorted((a, b) => b.recentCpuMs - a.recentCpuMs)
    if (!busiest || this.#onEnded) return
    let hasResponded: boolean | undefined
    void this.respondsWithin(RELIEF_TIMEOUT_MS).then((responds) => (hasResponded = responds))
    const error = new PageError('ETOOLARGE', 'The page kept the browser too busy to respond. Capture another page.')
    void this.#endRenderer(busiest, { event: 'page-unresponsive', error, hasHelped: () => hasResponded })
  }

  #kill(): void {
    this.#isKilled = true
    this.running.kill()
  }

  /** Closes pages until that helps. The last resort is to end the browser; the captures of all other pages are then retried. */
  async #closePages(
    pages: readonly OpenPage[],
    { growth, total, isFirstCertain }: { growth: number; total: number; isFirstCertain: boolean },
  ): Promise<void> {
    if (this.#isClosingPages) return
    this.#isClosingPages = true
    const { running } = this
    // A page that uses less than the others is not blamed for the memory that its own end frees.
    const hasFreedMemory = () => {
      const change = totalBytes(this.#processes) - total
      if (change < -growth / 2) return true
      return change > FURTHER_GROWTH_BYTES ? false : undefined
    }
    let hasHelped: boolean | undefined
    for (const [index, page] of pages.entries()) {
      if (hasHelped || running.gone.aborted) break
      this.#options.log?.({ event: 'page-out-of-memory', pid: running.pid, bytes: growth })
      this.#bytesWithout.delete(page)
      const helping = waitFor(hasFreedMemory)
      const isCertain = isFirstCertain && index === 0
      page.end(helping.then((isReason) => (isCertain || isReason ? memoryError() : undefined)))
      hasHelped = await helping
    }
    if (!hasHelped && !running.gone.aborted) {
      this.#options.log?.({ event: 'browser-out-of-memory', pid: running.pid, bytes: totalBytes(this.#processes) })
      this.#kill()
    }
    this.#isClosingPages = false
  }

  /** Ends one process, which is faster than closing its page; the page is found by its crash, and closed. */
  async #endRenderer(
    renderer: BrowserProcessUsage,
    { event, error, hasHelped }: { event: string; error: PageError; hasHelped: HasHelped },
  ): Promise<void> {
    if (this.#onEnded) return
    this.#options.log?.({ event, pid: renderer.pid, bytes: bytesOf(renderer) })
    let isPageFound = false
    const helping = waitFor(hasHelped)
    this.#onEnded = (page) => {
      isPageFound = true
      page.end(helping.then((isReason) => (isReason ? error : undefined)))
    }
    this.#findingPage = waitFor(() => isPageFound || undefined)
    killProcess(renderer.pid)
    await Promise.all([helping, this.#findingPage])
    this.#onEnded = undefined
  }

  /** The calls of a page fail before the browser reports its crash. */
  async #endReasonOf(page: OpenPage): Promise<Error | undefined> {
    await this.#findingPage
    return page.endReason()
  }

  /** A process runs no two pages; other frames of its page may have processes of their own. */
  #onCrash({ targetId, errorCode }: { targetId: string; errorCode: number }): void {
    const page = errorCode === SIGKILL && [...this.#pages].find((each) => each.owns(targetId))
    if (page) this.#onEnded?.(page)
  }

  /** Like `respondsWithin`; in the second half of the time, the busiest page is closed first. */
  async #respondsInTime(timeoutMs: number): Promise<boolean> {
    const timer = setTimeout(() => this.#endBusiestRenderer(), timeoutMs / 2)
    const responds = await this.respondsWithin(timeoutMs)
    clearTimeout(timer)
    return responds
  }

  /** At most one loop runs, even if the number of leases returns to zero between two probes. */
  async #probeWhileLeased(): Promise<void> {
    if (this.#isProbing) return
    this.#isProbing = true
    const { running } = this
    const { watchdogMs, log } = this.#options
    while (this.#leaseCount && !running.gone.aborted) {
      if (!(await this.#respondsInTime(watchdogMs)) && !running.gone.aborted) {
        log?.({ event: 'browser-unresponsive', pid: running.pid, ms: watchdogMs })
        this.#kill()
      }
      await sleep(Math.min(PROBE_INTERVAL_MS, watchdogMs), undefined, { ref: false })
    }
    this.#isProbing = false
  }
}

const bytesOf = ({ privateBytes, sharedBytes }: BrowserProcessUsage) => privateBytes + sharedBytes

const memoryError = () =>
  new PageError(
    'ETOOLARGE',
    `The page used more than ${captureLimits.memoryBytes / 1e6} MB of memory. Use a smaller viewport, or capture another page.`,
  )

/** Resolves to the first result; `undefined` when there is none in time. */
async function waitFor(check: () => boolean | undefined): Promise<boolean | undefined> {
  for (let waitedMs = 0; waitedMs < RELIEF_TIMEOUT_MS && check() === undefined; waitedMs += RELIEF_INTERVAL_MS)
    await sleep(RELIEF_INTERVAL_MS, undefined, { ref: false })
  return check()
}

function killProcess(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has exited already.
  }
}
