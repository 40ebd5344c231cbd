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
/** What a page uses is compared with what the browser uses without any; a browser that has grown by more is replaced. */
const MAX_BASE_GROWTH_BYTES = captureLimits.memoryBytes / 2
/** Of a page that goes on to fill the memory, after another one was ended. */
const FURTHER_GROWTH_BYTES = 100_000_000
const SIGKILL = 9

/** A renderer that was ended because its page may use too much. */
interface Ended {
  /** Called with its page, whose request fails if that has helped, and is retried otherwise. */
  onPage: (page: OpenPage) => void
}

interface Relief {
  event: string
  error: PageError
  /** Renderers, those first that are likeliest to be the reason. */
  suspects: readonly BrowserProcessUsage[]
  /** Whether the first one is the reason for certain. */
  isCertain: boolean
  /** Whether that has helped; `undefined` while neither is certain. */
  hasHelped: () => boolean | undefined
}

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
  #processWatch: AbortController | undefined
  #processes: readonly BrowserProcessUsage[] = []
  /** Of a browser without pages. */
  #emptyBytes: number | undefined
  #baseBytes = Infinity
  #isRelieving = false
  #ended: Ended | undefined
  /** Resolves once it is known which page had the renderer that was ended last. */
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
    return !this.#isDraining && !this.running.gone.aborted
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
    if (--this.#leaseCount === 0) this.#processWatch?.abort()
    this.#drainWhenDue()
    this.openSparePage()
    const page = await opening.catch(() => undefined)
    await page?.close()
    if (page) this.#pages.delete(page)
  }

  #drainWhenDue(): void {
    const { recycleAfter, log } = this.#options
    if (this.#pageCount >= recycleAfter && !this.#isDraining) {
      this.#isDraining = true
      log?.({ event: 'browser-recycled', pid: this.running.pid, pages: this.#pageCount })
    }
    if (this.#isDraining && this.#leaseCount === 0) void this.running.close()
  }

  #watchProcessesWhileLeased(): void {
    const { pid, connection, gone } = this.running
    // The processes of an external browser are not on this machine.
    if (pid === undefined) return
    const watch = new AbortController()
    this.#processWatch = watch
    this.#baseBytes = Infinity
    gone.addEventListener('abort', () => watch.abort(), { signal: watch.signal })
    void watchProcesses(connection, { signal: watch.signal, onRead: (processes) => this.#onRead(processes) })
  }

  /**
   * Ends a page of which one process, or with which all processes of the browser together, use too much memory. Other limits of
   * Chromium hold for the objects of scripts alone, and not for buffers, images, canvases and stored data.
   */
  #onRead(processes: readonly BrowserProcessUsage[]): void {
    this.#processes = processes
    const total = totalBytes(processes)
    if (!total) return
    this.#emptyBytes ??= total
    this.#baseBytes = Math.min(this.#baseBytes, total, this.#emptyBytes + MAX_BASE_GROWTH_BYTES)
    const { memoryBytes, memoryBytesOfOthers } = captureLimits
    const growth = total - this.#baseBytes
    const suspects = processes
      .filter(({ isRenderer }) => isRenderer)
      .toSorted((a, b) => suspicion(b, growth) - suspicion(a, growth))
    const isOneTooLarge = suspects.some((renderer) => bytesOf(renderer) > memoryBytes)
    if (!isOneTooLarge && growth <= memoryBytes + (this.#leaseCount - 1) * memoryBytesOfOthers) return
    void this.#relieve({
      event: 'page-out-of-memory',
      error: new PageError(
        'ETOOLARGE',
        `The page used more than ${memoryBytes / 1e6} MB of memory. Use a smaller viewport, or capture another page.`,
      ),
      suspects,
      isCertain: isOneTooLarge || this.#leaseCount === 1,
      // An innocent page, which uses less, is not blamed for the memory that its own end frees.
      hasHelped: () => {
        const difference = totalBytes(this.#processes) - total
        if (difference < -growth / 2) return true
        return difference > FURTHER_GROWTH_BYTES ? false : undefined
      },
    })
  }

  /** Ends pages until that helps. The last resort is to end the browser; the captures of other pages are then retried. */
  async #relieve({ event, error, suspects, isCertain, hasHelped }: Relief): Promise<void> {
    if (this.#isRelieving) return
    this.#isRelieving = true
    const { log } = this.#options
    for (const [index, renderer] of suspects.entries()) {
      log?.({ event, pid: renderer.pid, bytes: bytesOf(renderer) })
      const isReason = isCertain && index === 0 ? () => true : hasHelped
      if (await this.#endRenderer(renderer.pid, { error, hasHelped: isReason })) break
      if (index < suspects.length - 1 || this.running.gone.aborted) continue
      log?.({ event: 'browser-out-of-control', pid: this.running.pid })
      this.running.kill()
    }
    this.#isRelieving = false
  }

  /** Resolves to whether that has helped. */
  async #endRenderer(pid: number, { error, hasHelped }: Pick<Relief, 'error' | 'hasHelped'>): Promise<boolean> {
    killProcess(pid)
    const helping = waitFor(hasHelped)
    const verdict = helping.then((isReason) => (isReason ? error : undefined))
    let page: OpenPage | undefined
    this.#ended = {
      onPage: (owner) => {
        page = owner
        owner.end(verdict)
      },
    }
    this.#findingPage = waitFor(() => page && true)
    const [isReason] = await Promise.all([helping, this.#findingPage])
    this.#ended = undefined
    return isReason === true
  }

  /** The calls of a page fail before the browser reports its crash. */
  async #endReasonOf(page: OpenPage): Promise<Error | undefined> {
    await this.#findingPage
    return page.endReason()
  }

  /** Ends the rest of a page of which one process was ended, such as its other frames. */
  #onCrash({ targetId, errorCode }: { targetId: string; errorCode: number }): void {
    const page = errorCode === SIGKILL && [...this.#pages].find((each) => each.owns(targetId))
    if (page) this.#ended?.onPage(page)
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

const bytesOf = ({ privateBytes, sharedBytes }: BrowserProcessUsage) => privateBytes + sharedBytes

/** Memory that is not in the process of a page was filled by the page that computes. */
const suspicion = (renderer: BrowserProcessUsage, growth: number) =>
  bytesOf(renderer) / growth + renderer.recentCpuMs / 1_000

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
