import { PageError } from '../../query/index.js'
import { captureLimits } from '../budget/index.js'
import type { LogEvent } from '../log.js'
import type { OpenPage } from './open-page.js'
import { pollUntil } from './poll-until.js'
import { bytesOf, totalBytes, type ProcessUsage } from './processes.js'
import type { RendererKiller } from './renderer-killer.js'
import type { RendererThrottle } from './renderer-throttle.js'
import { BrowserUnavailableError, type RunningBrowser } from './running-browser.js'

/** The browser reports that a renderer has exited, and its memory is freed, within this time; later on a busy machine. */
const RELIEF_TIMEOUT_MS = 2_000
/** Even on a busy machine, a page with many processes closes within this time. */
const CLOSE_TIMEOUT_MS = 10_000
/** If the memory grows by this much more after a page was ended, it was the wrong page. */
const FURTHER_GROWTH_BYTES = 400_000_000
/** A browser without pages that uses this much more memory than at its start has leaked it. */
const MAX_LEAKED_BYTES = captureLimits.memoryBytes / 2

/** What the memory has done since a page was ended: it was freed, or it grows further because it was the wrong page, or neither. */
type Relief = 'freed' | 'grows' | 'unchanged'

interface MemoryWatchOptions {
  log: LogEvent | undefined
  killBrowser: () => void
  rendererKiller: RendererKiller
  throttle: RendererThrottle
}

/** Ends pages that fill the memory, and kills the browser if that does not help. */
export class MemoryWatch {
  readonly #running: RunningBrowser
  readonly #options: MemoryWatchOptions
  /** The least memory that the browser has used during each lease; the page may have filled anything above it. */
  readonly #leastBytes = new Map<OpenPage, number>()
  #processes: readonly ProcessUsage[] = []
  #bytesAtStart: number | undefined
  #isFreeing = false

  constructor(running: RunningBrowser, options: MemoryWatchOptions) {
    this.#running = running
    this.#options = options
  }

  add(page: OpenPage): void {
    this.#leastBytes.set(page, Infinity)
  }

  delete(page: OpenPage): void {
    this.#leastBytes.delete(page)
  }

  /** The pages that are leased and have not been ended, in the order of their leases. */
  pages(): OpenPage[] {
    return [...this.#leastBytes.keys()]
  }

  /** Whether the browser, while its last pages were open, never used as little memory as at its start. */
  hasLeaked(): boolean {
    const leastBytes = Math.max(...this.#leastBytes.values())
    return leastBytes < Infinity && leastBytes > (this.#bytesAtStart ?? Infinity) + MAX_LEAKED_BYTES
  }

  /**
   * Ends pages if all processes of the browser together, or one renderer, use too much memory. Chromium itself limits only the memory
   * for the objects of scripts, and not for buffers, images, canvases and stored data.
   */
  update(processes: readonly ProcessUsage[]): void {
    this.#processes = processes
    const total = totalBytes(processes)
    if (!total) return
    this.#bytesAtStart ??= total
    for (const [page, bytes] of this.#leastBytes) this.#leastBytes.set(page, Math.min(bytes, total))
    const growth = this.#excessiveGrowth()
    if (growth === undefined || this.#isFreeing) return
    void (this.#options.rendererKiller.isSearching() ? this.#waitForSearch() : this.#freeMemory(growth))
  }

  /** A renderer was killed for another reason, which may free the memory: until its page is known, nothing grows. */
  async #waitForSearch(): Promise<void> {
    this.#isFreeing = true
    const { rendererKiller, throttle } = this.#options
    throttle.hold(this.#renderersBySize())
    await rendererKiller.waitForSearch()
    throttle.release()
    this.#isFreeing = false
  }

  /** How much memory pages may have filled, in bytes; `undefined` while that is within the limits. */
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

  /** Ends pages until that helps. The last resort is to kill the browser; the captures of all other pages are then retried. */
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
      this.#options.killBrowser()
    }
    // The last processes of a page may exit after it has closed; no other page is blamed for them.
    await pollUntil(() => this.#excessiveGrowth() === undefined, RELIEF_TIMEOUT_MS)
    this.#isFreeing = false
  }

  /** First the page during whose lease the browser has used the least memory: as a rule, the page that was opened first. */
  #pagesByGrowth(): OpenPage[] {
    return [...this.#leastBytes.keys()].toSorted((a, b) => this.#bytesBefore(a) - this.#bytesBefore(b))
  }

  #bytesBefore(page: OpenPage | undefined): number {
    return (page && this.#leastBytes.get(page)) ?? Infinity
  }

  /**
   * Ends one page: `cause`, or the page of the largest renderer if renderers fill the memory, or the oldest page. Unless it certainly
   * is the cause, a page is not blamed if its end does not free the memory.
   *
   * @param cause  The page that certainly fills the memory; `undefined` if no page is certain.
   */
  async #endSuspect(growth: number, cause?: OpenPage): Promise<Relief> {
    const before = this.#processes
    const renderers = this.#renderersBySize()
    const [largest] = renderers
    const mayBeOfRenderer = isTooLarge(largest) || (!cause && totalBytes(renderers) > growth / 2)
    this.#options.log?.({ event: 'page-out-of-memory', pid: this.#running.pid, bytes: growth })
    let decide: (reason: Error) => void = () => undefined
    const reason = new Promise<Error>((resolve) => (decide = resolve))
    // Until the page is closed, no page fills more memory, and the browser has the CPUs for itself.
    this.#options.throttle.hold(renderers)
    const owner =
      largest && mayBeOfRenderer
        ? await this.#options.rendererKiller.kill(largest.pid, reason, RELIEF_TIMEOUT_MS)
        : undefined
    const page = owner ?? cause ?? this.#pagesByGrowth()[0]
    const isCertain = owner ? isTooLarge(largest) : cause !== undefined
    if (page) this.#leastBytes.delete(page)
    page?.end(reason)
    let isClosed = page === undefined
    void page?.close().then(() => (isClosed = true))
    await pollUntil(() => isClosed, RELIEF_TIMEOUT_MS)
    this.#options.throttle.release()

    const relief = (): Relief => {
      const change = totalBytes(this.#processes) - totalBytes(before)
      if (change < -growth / 2 || exitedBytes(before, this.#processes) > growth / 2) return 'freed'
      return change > FURTHER_GROWTH_BYTES && !isCertain ? 'grows' : 'unchanged'
    }
    const isKnown = () => relief() !== 'unchanged'
    await pollUntil(() => isClosed || isKnown(), CLOSE_TIMEOUT_MS)
    await pollUntil(isKnown, RELIEF_TIMEOUT_MS)
    const found = relief()
    decide(isCertain || found === 'freed' ? memoryError() : wrongPageError())
    return found
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

/** The memory of the processes that have exited since. */
function exitedBytes(before: readonly ProcessUsage[], now: readonly ProcessUsage[]): number {
  const running = new Set(now.filter((each) => bytesOf(each) > 0).map(({ pid }) => pid))
  return totalBytes(before.filter(({ pid }) => !running.has(pid)))
}
