import { GpuWatch } from './gpu-watch.js'
import type { LogEvent } from './log-event.js'
import type { OpenPage } from './open-page.js'
import type { RunningBrowser } from './running-browser.js'
import { setTimeout as sleep } from 'node:timers/promises'
import { PageError } from '../../query/index.js'
import { captureLimits } from '../budget/index.js'
import { RendererThrottle } from './renderer-throttle.js'
import { totalBytes, watchProcesses, type BrowserProcessUsage } from './watch-processes.js'
import { withinTime } from './within-time.js'

/** The browser reports that a process was killed, and frees what it held for it, within this time; longer on a busy machine. */
const RELIEF_TIMEOUT_MS = 2_000
const RELIEF_INTERVAL_MS = 50
/** Of a page that goes on to fill the memory, while another one is closed. */
const FURTHER_GROWTH_BYTES = 400_000_000
/** A browser that needs this much more without pages than at its start is replaced. */
const MAX_LEAKED_BYTES = captureLimits.memoryBytes / 2
const SIGKILL = 9

interface ExcessWatchOptions {
  log: LogEvent | undefined
  /** Ends the browser at once. */
  kill: () => void
  /** Ends the browser with its last lease. */
  replace: () => void
}

/** Ends the page that uses so much of a browser that its other pages, or the machine, would suffer. */
export class ExcessWatch {
  readonly #running: RunningBrowser
  readonly #options: ExcessWatchOptions
  readonly #pages = new Set<OpenPage>()
  /** The least memory that the browser has used during each lease: what it uses beyond that may be of the page. */
  readonly #bytesWithout = new Map<OpenPage, number>()
  #processWatch: AbortController | undefined
  #processes: readonly BrowserProcessUsage[] = []
  #bytesAtStart: number | undefined
  #isClosingPages = false
  readonly #throttle = new RendererThrottle(signalProcess)
  readonly #gpuWatch: GpuWatch
  /** Called with the page of the renderer that was ended last. */
  #onEnded: ((page: OpenPage) => void) | undefined
  /** Resolves once that page is known. */
  #findingPage: Promise<unknown> | undefined

  constructor(running: RunningBrowser, options: ExcessWatchOptions) {
    this.#running = running
    this.#options = options
    const { log, replace } = options
    this.#gpuWatch = new GpuWatch({ log, replace, kill: (pid) => signalProcess(pid, 'SIGKILL') })
    if (running.pid !== undefined) running.connection.on('Target.targetCrashed', (event) => this.#onCrash(event))
  }

  /** A page that may not be leased yet. */
  add(page: OpenPage): void {
    this.#pages.add(page)
  }

  addLeased(page: OpenPage): void {
    if (!page.gone.aborted) this.#bytesWithout.set(page, Infinity)
  }

  delete(page: OpenPage): void {
    this.#pages.delete(page)
    this.#bytesWithout.delete(page)
  }

  start(): void {
    const { pid, connection, gone } = this.#running
    // The processes of an external browser are not on this machine.
    if (pid === undefined) return
    const watch = new AbortController()
    this.#processWatch = watch
    gone.addEventListener('abort', () => watch.abort(), { signal: watch.signal })
    void watchProcesses(connection, { signal: watch.signal, onRead: (...usage) => this.#onRead(...usage) })
  }

  stop(): void {
    this.#processWatch?.abort()
    this.#throttle.stop()
    const leastBytes = Math.max(...this.#bytesWithout.values())
    const hasLeaked = leastBytes < Infinity && leastBytes > (this.#bytesAtStart ?? Infinity) + MAX_LEAKED_BYTES
    if (hasLeaked) this.#options.replace()
  }

  /**
   * Closes a page of which one process, or with which all processes of the browser together, use too much memory. Other limits of
   * Chromium hold for the objects of scripts alone, and not for buffers, images, canvases and stored data.
   */
  #onRead(processes: readonly BrowserProcessUsage[], responds: boolean): void {
    this.#processes = processes
    const browser = processes.find(({ pid }) => pid === this.#running.pid)
    if (browser) this.#throttle.update(processes, browser, responds)
    const gpu = processes.find(({ isGpu }) => isGpu)
    if (gpu) this.#gpuWatch.update(gpu, [...this.#bytesWithout.keys()])
    const total = totalBytes(processes)
    if (!total) return
    this.#bytesAtStart ??= total
    for (const [page, bytes] of this.#bytesWithout) this.#bytesWithout.set(page, Math.min(bytes, total))
    const { memoryBytes, memoryBytesOfOthers } = captureLimits
    const large = processes.find((each) => each.isRenderer && bytesOf(each) > memoryBytes)
    // The page that was there before the others, or has started to grow with them, comes first.
    const byGrowth = [...this.#bytesWithout].toSorted(([, a], [, b]) => a - b)
    const [growth = 0, growthOfSecond = 0] = byGrowth.map(([, bytes]) => total - bytes)
    if (large) void this.#endRenderer(large)
    else if (growth > memoryBytes + (byGrowth.length - 1) * memoryBytesOfOthers)
      void this.#closePages(
        byGrowth.map(([page]) => page),
        // What the browser used before another page was opened is not of that page.
        { growth, total, isFirstCertain: growthOfSecond < growth / 2 },
      )
  }

  /** Closes pages until that helps. The last resort is to end the browser; the captures of all other pages are then retried. */
  async #closePages(
    pages: readonly OpenPage[],
    { growth, total, isFirstCertain }: { growth: number; total: number; isFirstCertain: boolean },
  ): Promise<void> {
    if (this.#isClosingPages) return
    this.#isClosingPages = true
    const running = this.#running
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
      this.#options.kill()
    }
    this.#isClosingPages = false
  }

  /** Ends one process, which is faster than closing its page; the page is found by its crash, and closed. */
  async #endRenderer(renderer: BrowserProcessUsage): Promise<void> {
    if (this.#onEnded) return
    this.#options.log?.({ event: 'page-out-of-memory', pid: renderer.pid, bytes: bytesOf(renderer) })
    let isPageFound = false
    this.#onEnded = (page) => {
      isPageFound = true
      page.end(Promise.resolve(memoryError()))
    }
    this.#findingPage = waitFor(() => isPageFound || undefined)
    signalProcess(renderer.pid, 'SIGKILL')
    await this.#findingPage
    this.#onEnded = undefined
  }

  /** The calls of a page fail before the browser reports its crash. */
  async endReasonOf(page: OpenPage): Promise<Error | undefined> {
    await this.#findingPage
    return page.endReason()
  }

  /** A process runs no two pages; other frames of its page may have processes of their own. */
  #onCrash({ targetId, errorCode }: { targetId: string; errorCode: number }): void {
    const page = errorCode === SIGKILL && [...this.#pages].find((each) => each.owns(targetId))
    if (page) this.#onEnded?.(page)
  }
}

export async function respondsWithin({ connection, gone }: RunningBrowser, timeoutMs: number): Promise<boolean> {
  try {
    await withinTime(connection.send('Browser.getVersion'), { timeoutMs, signal: gone })
    return true
  } catch {
    return false
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

function signalProcess(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch {
    // It has exited already.
  }
}
