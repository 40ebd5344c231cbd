import { setTimeout as sleep } from 'node:timers/promises'
import type { CDPSession } from 'puppeteer-core'
import { PageError } from '../../query/index.js'
import { captureLimits } from '../budget/index.js'
import { TransientError } from '../jobs/index.js'
import type { LogEvent } from '../log.js'
import type { OpenPage } from './open-page.js'
import { bytesOf, signalProcess, totalBytes, watchProcesses, type ProcessUsage } from './processes.js'
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

interface ExcessWatchOptions {
  log: LogEvent | undefined
  /** Ends the browser at once. */
  kill: () => void
  /** Ends the browser with its last lease. */
  replace: () => void
}

/**
 * Makes a page stop that uses so much of a browser that its other pages, or the machine, would suffer: one that fills the memory
 * or keeps the GPU process busy is ended, and one that sends more messages than the browser can handle is paused.
 */
export class ExcessWatch {
  readonly #running: RunningBrowser
  readonly #options: ExcessWatchOptions
  readonly #pages = new Set<OpenPage>()
  /** The least memory that the browser has used during each lease: what it uses beyond that may be of the page. */
  readonly #bytesWithout = new Map<OpenPage, number>()
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
    const reading = new AbortController()
    this.#reading = reading
    gone.addEventListener('abort', () => reading.abort(), { signal: reading.signal })
    void watchProcesses(connection, { signal: reading.signal, onRead: (...usage) => this.onRead(...usage) })
  }

  stop(): void {
    this.#reading?.abort()
    this.#throttle.stop()
    const leastBytes = Math.max(...this.#bytesWithout.values())
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
    if (gpu) this.#gpu.update(gpu, [...this.#bytesWithout.keys()])
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
    for (const [page, bytes] of this.#bytesWithout) this.#bytesWithout.set(page, Math.min(bytes, total))
    const growth = this.#excessiveGrowth()
    if (growth !== undefined && !this.#isFreeing) void this.#freeMemory(growth)
  }

  /** What pages may have added to the memory; `undefined` while that is within the limits. */
  #excessiveGrowth(): number | undefined {
    if (this.#bytesWithout.size === 0) return undefined
    const { memoryBytes, memoryBytesOfOthers } = captureLimits
    const growth = totalBytes(this.#processes) - Math.min(...this.#bytesWithout.values())
    const isFull = growth > memoryBytes + (this.#bytesWithout.size - 1) * memoryBytesOfOthers
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
    // What the browser used before another page was opened is not of that page.
    const isFirstCertain = totalBytes(this.#processes) - this.#bytesBefore(second) < growth / 2
    let hasHelped = await this.#endSuspect(growth, isFirstCertain ? first : undefined)
    while (!hasHelped && this.#bytesWithout.size > 0 && !gone.aborted) hasHelped = await this.#endSuspect(growth)
    if (!hasHelped && !gone.aborted) {
      this.#options.log?.({ event: 'browser-out-of-memory', pid, bytes: totalBytes(this.#processes) })
      this.#options.kill()
    }
    // The last processes of a page may exit later than it is closed; no other page is blamed for them.
    await waitFor(() => this.#excessiveGrowth() === undefined || undefined)
    this.#isFreeing = false
  }

  /** First the page that was there before the others, or has started to grow with them. */
  #pagesByGrowth(): OpenPage[] {
    return [...this.#bytesWithout.keys()].toSorted((a, b) => this.#bytesBefore(a) - this.#bytesBefore(b))
  }

  #bytesBefore(page: OpenPage | undefined): number {
    return (page && this.#bytesWithout.get(page)) ?? Infinity
  }

  /**
   * Ends one page: `cause`, or that of the largest renderer if renderers fill the memory, or the one that was there first. It is not
   * blamed for memory that its own end does not free, unless it is certain.
   *
   * @param cause  `undefined` if it is not certain.
   * @returns      Whether that has helped; `undefined` if the memory stays as it is.
   */
  async #endSuspect(growth: number, cause?: OpenPage): Promise<boolean | undefined> {
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
    if (page) this.#bytesWithout.delete(page)
    page?.end(reason)
    let isClosed = false
    void page?.close().then(() => (isClosed = true))
    await waitFor(() => isClosed || undefined)
    this.#throttle.release()

    const hasFreed = () => {
      const change = totalBytes(this.#processes) - totalBytes(before)
      if (change < -growth / 2 || exitedBytes(before, this.#processes) > growth / 2) return true
      return change > FURTHER_GROWTH_BYTES && !isCertain ? false : undefined
    }
    await waitFor(() => isClosed || hasFreed() !== undefined || undefined, CLOSE_TIMEOUT_MS)
    const hasHelped = await waitFor(hasFreed)
    decide(isCertain || hasHelped ? memoryError() : wrongPageError())
    return hasHelped
  }

  /** CPU time of each renderer since its start, by process id. */
  cpuMsOfRenderers(): ReadonlyMap<number, number> {
    return new Map(this.#processes.filter(({ isRenderer }) => isRenderer).map(({ pid, cpuMs }) => [pid, cpuMs]))
  }

  /**
   * Ends the page whose renderer has kept the CPUs busy, with more threads than the browser has. On a machine that other programs keep
   * busy there is none.
   *
   * @param cpuMsBefore  Of `cpuMsOfRenderers`.
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
    this.#findingPage = waitFor(() => found !== undefined || this.#running.gone.aborted || undefined, timeoutMs)
    signalProcess(pid, 'SIGKILL')
    await this.#findingPage
    if (this.#onEnded === onEnded) this.#onEnded = undefined
    return found
  }

  /** A process runs no two pages; other frames of its page may have processes of their own. */
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
    `The page used more than ${captureLimits.memoryBytes / 1e6} MB of memory. Use a smaller viewport, or capture another page.`,
  )

/** The page is retried. */
const wrongPageError = () => new BrowserUnavailableError('The page was closed for memory that another page had filled.')

/** What processes used that have exited since. */
function exitedBytes(before: readonly ProcessUsage[], now: readonly ProcessUsage[]): number {
  const running = new Set(now.filter((each) => bytesOf(each) > 0).map(({ pid }) => pid))
  return totalBytes(before.filter(({ pid }) => !running.has(pid)))
}

/** Not cached, because what else the machine does matters too. */
const cpuError = () =>
  new PageError(
    'ETOOLARGE',
    'The page kept the processors so busy that the browser could not respond. Capture another page.',
    {
      cause: new TransientError('The browser had no CPU to run on.'),
    },
  )

/** Resolves to the first result; `undefined` when there is none in time. */
async function waitFor(check: () => boolean | undefined, timeoutMs = RELIEF_TIMEOUT_MS): Promise<boolean | undefined> {
  for (let waitedMs = 0; waitedMs < timeoutMs && check() === undefined; waitedMs += RELIEF_INTERVAL_MS)
    await sleep(RELIEF_INTERVAL_MS, undefined, { ref: false })
  return check()
}

/** CPU time that the GPU process may use during one screenshot. It does not depend on what else the machine does, as time does. */
const MAX_SCREENSHOT_CPU_MS = 2_000
/** If the GPU process has used this much CPU time without a break, pages may wait for it in vain. */
const MIN_BUSY_CPU_MS = 1_000
/** Reads in which the GPU process has neither used a CPU nor waited for one, after which it has nothing left to do. */
const IDLE_GPU_READS = 4
const QUERY_TIMEOUT_MS = 1_000

/**
 * Ends the GPU process, and the page that keeps it busy, once no page gets a screenshot because of that. All pages share the process,
 * and what a page has left to it goes on after the page has been closed. Chromium starts another one for the pages that are open.
 */
class GpuWatch {
  readonly #options: ExcessWatchOptions
  readonly #cpuMsAtStart = new WeakMap<Promise<Buffer>, number>()
  #latest: ProcessUsage | undefined
  #idleReads = 0
  #cpuMsWhenIdle = 0
  /** The pages that were leased when the process was last idle: what keeps it busy since then is of one of them. */
  #suspects: readonly OpenPage[] = []
  /** Resolves once the pages that the end of the process affects know why. */
  ending: Promise<void> | undefined

  constructor(options: ExcessWatchOptions) {
    this.#options = options
  }

  /** @param pages  Those that are leased, in the order of their leases. */
  update(gpu: ProcessUsage, pages: readonly OpenPage[]): void {
    const hasRested = gpu.cpuMs === this.#latest?.cpuMs && !gpu.isRunnable
    this.#idleReads = hasRested ? this.#idleReads + 1 : 0
    const isIdle = !this.#latest || this.#idleReads >= IDLE_GPU_READS
    if (isIdle || gpu.pid !== this.#latest?.pid) this.#cpuMsWhenIdle = gpu.cpuMs
    if (isIdle) this.#suspects = pages
    this.#latest = gpu
    const isDelayed = pages.some((page) => this.#cpuMsOfScreenshot(page, gpu) >= MAX_SCREENSHOT_CPU_MS)
    if (isDelayed) this.ending ??= this.#end(gpu, pages).finally(() => (this.ending = undefined))
  }

  isBusy(): boolean {
    return (this.#latest?.cpuMs ?? 0) - this.#cpuMsWhenIdle >= MIN_BUSY_CPU_MS
  }

  #cpuMsOfScreenshot(page: OpenPage, { cpuMs }: ProcessUsage): number {
    const screenshot = page.pendingScreenshot()
    if (!screenshot) return 0
    const cpuMsAtStart = this.#cpuMsAtStart.get(screenshot) ?? cpuMs
    this.#cpuMsAtStart.set(screenshot, cpuMsAtStart)
    return cpuMs - cpuMsAtStart
  }

  async #end({ pid }: ProcessUsage, pages: readonly OpenPage[]): Promise<void> {
    const { log, replace } = this.#options
    log?.({ event: 'gpu-unresponsive', pid, cpuMs: MAX_SCREENSHOT_CPU_MS })
    // Their screenshots are lost with the process. They are retried, and are not due to the page.
    const interrupted = pages.filter((page) => page.pendingScreenshot() !== undefined)
    signalProcess(pid, 'SIGKILL')
    // The page may keep the next process busy too until it is ended, and after a few ends Chromium renders without WebGL.
    replace()
    // Pages that waited for the process respond from now on.
    const cause = await this.#findCause(pages)
    cause?.end(Promise.resolve(gpuError()))
    for (const page of interrupted)
      page.end(Promise.resolve(new BrowserUnavailableError('The GPU process was ended during a screenshot.', 0)))
  }

  /** The first page that uses WebGL, or the only one that can have begun; `undefined` if that one is closed already. */
  async #findCause(pages: readonly OpenPage[]): Promise<OpenPage | undefined> {
    const suspects = this.#suspects
    const suspectsFirst = pages.toSorted((a, b) => Number(suspects.includes(b)) - Number(suspects.includes(a)))
    const useWebGl = await Promise.all(suspectsFirst.map(usesWebGl))
    return suspectsFirst[useWebGl.indexOf(true)] ?? pages.find((page) => suspects.length === 1 && page === suspects[0])
  }
}

/** Whether a script of the page, its frames and its workers does; `false` also for one that does not respond in time. */
async function usesWebGl({ setups }: OpenPage): Promise<boolean> {
  const queries = [...setups.sessions].map((session) =>
    Promise.race([holdsWebGl(session), sleep(QUERY_TIMEOUT_MS, false, { ref: false })]),
  )
  return (await Promise.all(queries)).includes(true)
}

async function holdsWebGl(session: CDPSession): Promise<boolean> {
  try {
    for (const name of ['WebGLRenderingContext', 'WebGL2RenderingContext']) {
      const { result } = await session.send('Runtime.evaluate', { expression: `${name}.prototype` })
      if (!result.objectId) continue
      const { objects } = await session.send('Runtime.queryObjects', { prototypeObjectId: result.objectId })
      const count = await session.send('Runtime.callFunctionOn', {
        functionDeclaration: 'function () { return this.length }',
        objectId: objects.objectId!,
        returnByValue: true,
      })
      if (count.result.value > 0) return true
    }
  } catch {
    // The page, the frame or the worker is gone.
  }
  return false
}

const gpuError = () =>
  new PageError('ETOOLARGE', 'The page needs too much time to render its graphics. Capture another page.', {
    // Not cached, because another page, which is closed already, may have kept the process busy.
    cause: new TransientError('The GPU process did not respond.'),
  })

/** CPU time that the browser may use without a break. It does not depend on what else the machine does, as time does. */
const MAX_BUSY_CPU_MS = 80
/** Of one read. A browser that responds, and has used less since the read before, has no messages left. */
const IDLE_CPU_MS = 20
/** A renderer that has used less while the browser was busy has sent little. */
const MIN_SENDER_CPU_MS = 20
/** The first time, a renderer is paused until the browser is idle; then for twice as many idle reads each time. */
const MAX_PAUSED_READS = 32

/**
 * Keeps a browser responsive for all pages: scripts can send it messages faster than it handles them, and its queue of messages
 * has no limit. While it is busy without a break, the busiest renderers are paused, one after the other. They go on afterwards, and
 * no page ends because of that: one that was paused by mistake has lost little time.
 */
class RendererThrottle {
  /** CPU time of each process when the browser was last idle, by process id. */
  #cpuMsWhenIdle = new Map<number, number>()
  #browserCpuMs = 0
  #pausesSinceIdle = 0
  /** Idle reads until each paused renderer goes on, by process id. */
  readonly #readsLeft = new Map<number, number>()
  readonly #nextPauseReads = new Map<number, number>()
  readonly #held = new Set<number>()

  /**
   * Call it for each read of the processes.
   *
   * @param browser   The process that all pages share; one of `processes`.
   * @param responds  Whether the browser has responded since the last call.
   */
  update(processes: readonly ProcessUsage[], browser: ProcessUsage, responds: boolean): void {
    const isIdle = browser.cpuMs - this.#browserCpuMs < IDLE_CPU_MS
    this.#browserCpuMs = browser.cpuMs
    if ((responds && isIdle) || this.#cpuMsWhenIdle.size === 0) this.#onIdle(processes)
    // A process that is not in the map has started since.
    const usedMs = ({ pid, cpuMs }: ProcessUsage) => cpuMs - (this.#cpuMsWhenIdle.get(pid) ?? 0)
    if (usedMs(browser) < MAX_BUSY_CPU_MS * (this.#pausesSinceIdle + 1)) return
    const [busiest] = processes
      .filter((each) => each.isRenderer && usedMs(each) >= MIN_SENDER_CPU_MS && !this.#readsLeft.has(each.pid))
      .toSorted((a, b) => usedMs(b) - usedMs(a))
    if (busiest) this.#pause(busiest.pid)
  }

  /** Pauses renderers until `release`, whatever the browser does. */
  hold(renderers: readonly ProcessUsage[]): void {
    for (const { pid } of renderers) {
      this.#held.add(pid)
      signalProcess(pid, 'SIGSTOP')
    }
  }

  release(): void {
    const held = [...this.#held]
    this.#held.clear()
    for (const pid of held) if (!this.#readsLeft.has(pid)) signalProcess(pid, 'SIGCONT')
  }

  /** Resumes all renderers; the next read is the first again. */
  stop(): void {
    this.#cpuMsWhenIdle.clear()
    this.release()
    for (const pid of this.#readsLeft.keys()) this.#resume(pid)
  }

  #onIdle(processes: readonly ProcessUsage[]): void {
    this.#cpuMsWhenIdle = new Map(processes.map(({ pid, cpuMs }) => [pid, cpuMs]))
    this.#pausesSinceIdle = 0
    for (const [pid, reads] of this.#readsLeft) {
      if (reads > 1) this.#readsLeft.set(pid, reads - 1)
      else this.#resume(pid)
    }
    for (const pid of this.#nextPauseReads.keys()) if (!this.#cpuMsWhenIdle.has(pid)) this.#nextPauseReads.delete(pid)
  }

  #pause(pid: number): void {
    const reads = this.#nextPauseReads.get(pid) ?? 1
    this.#nextPauseReads.set(pid, Math.min(reads * 2, MAX_PAUSED_READS))
    this.#readsLeft.set(pid, reads)
    this.#pausesSinceIdle++
    signalProcess(pid, 'SIGSTOP')
  }

  #resume(pid: number): void {
    this.#readsLeft.delete(pid)
    if (!this.#held.has(pid)) signalProcess(pid, 'SIGCONT')
  }
}
