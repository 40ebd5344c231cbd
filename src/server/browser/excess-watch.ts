import { setTimeout as sleep } from 'node:timers/promises'
import { PageError } from '../../query/index.js'
import { captureLimits } from '../budget/index.js'
import { TransientError } from '../jobs/index.js'
import type { LogEvent } from '../log.js'
import { GpuWatch } from './gpu-watch.js'
import type { OpenPage } from './open-page.js'
import { bytesOf, signalProcess, totalBytes, watchProcesses, type ProcessUsage } from './processes.js'
import { RendererThrottle } from './renderer-throttle.js'
import { BrowserUnavailableError, type RunningBrowser } from './running-browser.js'

/** The browser reports that a process was killed, and frees what it held for it, within this time; longer on a busy machine. */
const RELIEF_TIMEOUT_MS = 2_000
/** A page with many processes is closed within this time, also on a busy machine. */
const CLOSE_TIMEOUT_MS = 10_000
/** A browser that has waited for a CPU first has to handle what the page has sent it meanwhile. */
const STARVED_RELIEF_TIMEOUT_MS = 10_000
const RELIEF_INTERVAL_MS = 50
/** If the memory grows by this much more after a page was ended, it was the wrong page. */
const FURTHER_GROWTH_BYTES = 400_000_000
/** A browser that needs this much more without pages than at its start is replaced. */
const MAX_LEAKED_BYTES = captureLimits.memoryBytes / 2
const SIGKILL = 9

/** What the end of a page has done: it freed the memory, or this goes on to grow, so it was the wrong page, or neither. */
type Relief = 'freed' | 'grows' | 'unchanged'

interface ExcessWatchOptions {
  log: LogEvent | undefined
  /** Ends the browser at once. */
  kill: () => void
  /** Ends the browser with its last lease. */
  replace: () => void
}

/**
 * Ends a page that uses so much memory or CPU that other pages of its browser, or the machine, would suffer. It also reads the
 * processes for the watch over the GPU process and for the throttle of renderers.
 */
export class ExcessWatch {
  readonly #running: RunningBrowser
  readonly #options: ExcessWatchOptions
  readonly #pages = new Set<OpenPage>()
  /** The least memory that the browser has used during each lease; anything above it may belong to the page. */
  readonly #leastBytes = new Map<OpenPage, number>()
  #reading: AbortController | undefined
  #processes: readonly ProcessUsage[] = []
  #bytesAtStart: number | undefined
  #isFreeing = false
  /** Called with the page of the renderer that was ended last. */
  #onEnded: ((page: OpenPage) => void) | undefined
  /** Resolves once that page is known. */
  #findingPage: Promise<unknown> | undefined
  readonly #gpu: GpuWatch
  readonly #throttle = new RendererThrottle()

  constructor(running: RunningBrowser, options: ExcessWatchOptions) {
    this.#running = running
    this.#options = options
    this.#gpu = new GpuWatch(options)
    if (running.pid !== undefined) running.connection.on('Target.targetCrashed', (event) => this.#onCrash(event))
  }

  /** A page that may not be leased yet. */
  add(page: OpenPage): void {
    this.#pages.add(page)
  }

  addLeased(page: OpenPage): void {
    if (!page.gone.aborted) this.#leastBytes.set(page, Infinity)
  }

  delete(page: OpenPage): void {
    this.#pages.delete(page)
    this.#leastBytes.delete(page)
  }

  start(): void {
    const { pid, connection, gone } = this.#running
    // The processes of an external browser are not on this machine.
    if (pid === undefined) return
    const reading = new AbortController()
    this.#reading = reading
    gone.addEventListener('abort', () => reading.abort(), { signal: reading.signal })
    void watchProcesses(connection, { signal: reading.signal, onRead: (...usage) => this.onRead(...usage) })
  }

  stop(): void {
    this.#reading?.abort()
    this.#throttle.stop()
    const leastBytes = Math.max(...this.#leastBytes.values())
    const hasLeaked = leastBytes < Infinity && leastBytes > (this.#bytesAtStart ?? Infinity) + MAX_LEAKED_BYTES
    if (hasLeaked) this.#options.replace()
  }

  /**
   * Called for each read of the processes, from `start` to `stop`.
   *
   * @param responds  Whether the browser has responded since the last call.
   */
  onRead(processes: readonly ProcessUsage[], responds: boolean): void {
    this.#processes = processes
    const browser = processes.find(({ pid }) => pid === this.#running.pid)
    if (browser) this.#throttle.update(processes, browser, responds)
    const gpu = processes.find(({ isGpu }) => isGpu)
    if (gpu) this.#gpu.update(gpu, [...this.#leastBytes.keys()])
    this.#limitMemory()
  }

  /** The calls of a page fail before the browser reports its crash, or the cause is found. */
  async endReasonOf(page: OpenPage): Promise<Error | undefined> {
    await Promise.all([this.#findingPage, this.#gpu.ending])
    return page.endReason()
  }

  /** What may have kept any page from responding for a while; `undefined`: nothing. */
  delayCause(): Error | undefined {
    return this.#gpu.isBusy() ? new TransientError('The GPU process was busy, maybe for another page.') : undefined
  }

  /**
   * Ends pages if all processes of the browser together, or one renderer, use too much memory. Other limits of Chromium hold for the
   * objects of scripts alone, and not for buffers, images, canvases and stored data.
   */
  #limitMemory(): void {
    const total = totalBytes(this.#processes)
    if (!total) return
    this.#bytesAtStart ??= total
    for (const [page, bytes] of this.#leastBytes) this.#leastBytes.set(page, Math.min(bytes, total))
    const growth = this.#excessiveGrowth()
    if (growth !== undefined && !this.#isFreeing) void this.#freeMemory(growth)
  }

  /** What pages may have added to the memory; `undefined` while that is within the limits. */
  #excessiveGrowth(): number | undefined {
    if (this.#leastBytes.size === 0) return undefined
    const { memoryBytes, memoryBytesOfOthers } = captureLimits
    const growth = totalBytes(this.#processes) - Math.min(...this.#leastBytes.values())
    const isFull = growth > memoryBytes + (this.#leastBytes.size - 1) * memoryBytesOfOthers
    return isFull || isTooLarge(this.#renderersBySize()[0]) ? growth : undefined
  }

  /** The largest first. */
  #renderersBySize(): ProcessUsage[] {
    return this.#processes.filter(({ isRenderer }) => isRenderer).toSorted((a, b) => bytesOf(b) - bytesOf(a))
  }

  /** Ends pages until that helps. The last resort is to end the browser; the captures of all other pages are then retried. */
  async #freeMemory(growth: number): Promise<void> {
    this.#isFreeing = true
    const { pid, gone } = this.#running
    const [first, second] = this.#pagesByGrowth()
    // Memory that was in use before a page was opened does not belong to that page.
    const isFirstCertain = totalBytes(this.#processes) - this.#bytesBefore(second) < growth / 2
    let relief = await this.#endSuspect(growth, isFirstCertain ? first : undefined)
    while (relief !== 'freed' && this.#leastBytes.size > 0 && !gone.aborted) relief = await this.#endSuspect(growth)
    if (relief !== 'freed' && !gone.aborted) {
      this.#options.log?.({ event: 'browser-out-of-memory', pid, bytes: totalBytes(this.#processes) })
      this.#options.kill()
    }
    // The last processes of a page may exit later than it is closed; no other page is blamed for them.
    await waitUntil(() => this.#excessiveGrowth() === undefined)
    this.#isFreeing = false
  }

  /** First the page that was there before the others, or has started to grow with them. */
  #pagesByGrowth(): OpenPage[] {
    return [...this.#leastBytes.keys()].toSorted((a, b) => this.#bytesBefore(a) - this.#bytesBefore(b))
  }

  #bytesBefore(page: OpenPage | undefined): number {
    return (page && this.#leastBytes.get(page)) ?? Infinity
  }

  /**
   * Ends one page: `cause`, or the page of the largest renderer if renderers fill the memory, or the oldest page. It is not
   * blamed for memory that its own end does not free, unless it is certain.
   *
   * @param cause  `undefined` if it is not certain.
   */
  async #endSuspect(growth: number, cause?: OpenPage): Promise<Relief> {
    const before = this.#processes
    const renderers = this.#renderersBySize()
    const [largest] = renderers
    const mayBeOfRenderer = isTooLarge(largest) || (!cause && totalBytes(renderers) > growth / 2)
    this.#options.log?.({ event: 'page-out-of-memory', pid: this.#running.pid, bytes: growth })
    let decide: (reason: Error) => void = () => undefined
    const reason = new Promise<Error>((resolve) => (decide = resolve))
    // Until the page is closed, nothing grows, and the browser gets the CPUs.
    this.#throttle.hold(renderers)
    const owner =
      largest && mayBeOfRenderer ? await this.#endRenderer(largest.pid, reason, RELIEF_TIMEOUT_MS) : undefined
    const page = owner ?? cause ?? this.#pagesByGrowth()[0]
    const isCertain = owner ? isTooLarge(largest) : cause !== undefined
    if (page) this.#leastBytes.delete(page)
    page?.end(reason)
    let isClosed = page === undefined
    void page?.close().then(() => (isClosed = true))
    await waitUntil(() => isClosed)
    this.#throttle.release()

    const relief = (): Relief => {
      const change = totalBytes(this.#processes) - totalBytes(before)
      if (change < -growth / 2 || exitedBytes(before, this.#processes) > growth / 2) return 'freed'
      return change > FURTHER_GROWTH_BYTES && !isCertain ? 'grows' : 'unchanged'
    }
    const isKnown = () => relief() !== 'unchanged'
    await waitUntil(() => isClosed || isKnown(), CLOSE_TIMEOUT_MS)
    await waitUntil(isKnown)
    const found = relief()
    decide(isCertain || found === 'freed' ? memoryError() : wrongPageError())
    return found
  }

  /** CPU time of each renderer since its start, by process id. */
  cpuMsOfRenderers(): ReadonlyMap<number, number> {
    return new Map(this.#processes.filter(({ isRenderer }) => isRenderer).map(({ pid, cpuMs }) => [pid, cpuMs]))
  }

  /**
   * Ends the page whose renderer has kept the CPUs busy, with more threads than the browser has. On a machine that other programs keep
   * busy there is none.
   *
   * @param cpuMsBefore  What `cpuMsOfRenderers` returned before.
   */
  endBusiestRenderer(cpuMsBefore: ReadonlyMap<number, number>, { minCpuMs }: { minCpuMs: number }): void {
    if (this.#onEnded) return
    const used = [...this.cpuMsOfRenderers()].map(([pid, cpuMs]) => ({
      pid,
      cpuMs: cpuMs - (cpuMsBefore.get(pid) ?? 0),
    }))
    const busiest = used.toSorted((a, b) => b.cpuMs - a.cpuMs)[0]
    if (!busiest || busiest.cpuMs < minCpuMs) return
    this.#options.log?.({ event: 'page-unresponsive', ...busiest })
    void this.#endRenderer(busiest.pid, Promise.resolve(cpuError()), STARVED_RELIEF_TIMEOUT_MS)
  }

  /**
   * Ends one process, which is faster than closing its page; the page is found by its crash, and ended.
   *
   * @returns  `undefined` if no page is found in time: the process ran only workers, or another page has ended it.
   */
  async #endRenderer(pid: number, reason: Promise<Error>, timeoutMs: number): Promise<OpenPage | undefined> {
    let found: OpenPage | undefined
    const onEnded = (page: OpenPage) => {
      found = page
      page.end(reason)
    }
    this.#onEnded = onEnded
    this.#findingPage = waitUntil(() => found !== undefined || this.#running.gone.aborted, timeoutMs)
    signalProcess(pid, 'SIGKILL')
    await this.#findingPage
    if (this.#onEnded === onEnded) this.#onEnded = undefined
    return found
  }

  /** A process runs no two pages; other frames of its page may have their own processes. */
  #onCrash({ targetId, errorCode }: { targetId: string; errorCode: number }): void {
    const page = errorCode === SIGKILL && [...this.#pages].find((each) => each.owns(targetId))
    if (page) this.#onEnded?.(page)
  }
}

const isTooLarge = (renderer: ProcessUsage | undefined): renderer is ProcessUsage =>
  renderer !== undefined && bytesOf(renderer) > captureLimits.memoryBytes

const memoryError = () =>
  new PageError(
    'ETOOLARGE',
    `The page used more than ${captureLimits.memoryBytes / 1e6} MB of memory. Use a smaller viewport, or request it without a screenshot.`,
  )

/** The page is retried. */
const wrongPageError = () =>
  new BrowserUnavailableError('The page was closed because another page had filled the memory.')

/** What processes used that have exited since. */
function exitedBytes(before: readonly ProcessUsage[], now: readonly ProcessUsage[]): number {
  const running = new Set(now.filter((each) => bytesOf(each) > 0).map(({ pid }) => pid))
  return totalBytes(before.filter(({ pid }) => !running.has(pid)))
}

/** Not cached, because what else the machine does matters too. */
const cpuError = () =>
  new PageError(
    'ETOOLARGE',
    'The page used so much CPU time that the browser stopped responding. Request it without a screenshot, or with javascript=false.',
    {
      cause: new TransientError('The browser got no CPU time.'),
    },
  )

/** Waits until something is so, or the time is up. */
async function waitUntil(isSo: () => boolean, timeoutMs = RELIEF_TIMEOUT_MS): Promise<void> {
  for (let waitedMs = 0; waitedMs < timeoutMs && !isSo(); waitedMs += RELIEF_INTERVAL_MS)
    await sleep(RELIEF_INTERVAL_MS, undefined, { ref: false })
}
