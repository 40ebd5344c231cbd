import { PageError } from '../../query/index.js'
import { TransientError } from '../jobs/index.js'
import type { LogEvent } from '../log.js'
import { GpuWatch } from './gpu-watch.js'
import { MemoryWatch } from './memory-watch.js'
import type { OpenPage } from './open-page.js'
import { readAgain, watchProcesses, type ProcessUsage } from './processes.js'
import { RendererKiller } from './renderer-killer.js'
import { RendererThrottle } from './renderer-throttle.js'
import type { RunningBrowser } from './running-browser.js'

/** A browser that had to wait for a CPU first handles the messages that pages have sent meanwhile. */
const STARVED_RELIEF_TIMEOUT_MS = 10_000

interface ExcessWatchOptions {
  log: LogEvent | undefined
  /** Ends the browser at once. */
  killBrowser: () => void
  /** Opens no more pages in the browser, which exits with its last lease. */
  drainBrowser: () => void
}

/**
 * Reads what the processes of the browser use, for the watches over its memory and its GPU process, and for the throttle of its
 * renderers. Kills the busiest renderer when the browser gets no CPU.
 */
export class ExcessWatch {
  readonly #running: RunningBrowser
  readonly #options: ExcessWatchOptions
  readonly #pages = new Set<OpenPage>()
  readonly #rendererKiller: RendererKiller
  readonly #memory: MemoryWatch
  readonly #gpu: GpuWatch
  readonly #throttle = new RendererThrottle()
  #reading: AbortController | undefined
  #processes: readonly ProcessUsage[] = []

  constructor(running: RunningBrowser, options: ExcessWatchOptions) {
    this.#running = running
    this.#options = options
    const rendererKiller = new RendererKiller(running, this.#pages)
    this.#rendererKiller = rendererKiller
    this.#memory = new MemoryWatch(running, { ...options, rendererKiller, throttle: this.#throttle })
    this.#gpu = new GpuWatch(options)
    running.connection.on('Target.targetCreated', () => this.#onTarget())
  }

  /** @param page  Leased, or opened for a later lease. */
  add(page: OpenPage): void {
    this.#pages.add(page)
  }

  addLeased(page: OpenPage): void {
    if (!page.gone.aborted) this.#memory.add(page)
  }

  delete(page: OpenPage): void {
    this.#pages.delete(page)
    this.#memory.delete(page)
  }

  start(): void {
    const { connection, gone } = this.#running
    const reading = new AbortController()
    this.#reading = reading
    gone.addEventListener('abort', () => reading.abort(), { signal: reading.signal })
    void watchProcesses(connection, { signal: reading.signal, onRead: (...usage) => this.onRead(...usage) })
  }

  stop(): void {
    this.#reading?.abort()
    this.#throttle.stop()
    if (this.#memory.hasLeaked()) this.#options.drainBrowser()
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
    if (gpu) this.#gpu.update(gpu, this.#memory.pages())
    this.#memory.update(processes)
  }

  /**
   * Why a page was ended; `undefined` if it was not. Its calls fail before the browser reports its crash and the cause is known, so this
   * waits for them.
   */
  async endReasonOf(page: OpenPage): Promise<Error | undefined> {
    await Promise.all([this.#rendererKiller.waitForSearch(), this.#gpu.waitForKill()])
    return page.endReason()
  }

  /** What may keep every page from responding for a while; `undefined`: nothing. */
  delayCause(): Error | undefined {
    return this.#gpu.isBusy() ? new TransientError('The GPU process was busy, maybe for another page.') : undefined
  }

  #onTarget(): void {
    if (this.#reading && !this.#reading.signal.aborted) this.#throttle.countTarget(() => readAgain(this.#processes))
  }

  /** CPU time of each renderer since its start, by process id. */
  cpuMsOfRenderers(): ReadonlyMap<number, number> {
    return new Map(this.#processes.filter(({ isRenderer }) => isRenderer).map(({ pid, cpuMs }) => [pid, cpuMs]))
  }

  /**
   * Kills the renderer that keeps the CPUs busy, with more threads than the browser has, and ends its page. If other programs keep the
   * machine busy, there is no such renderer.
   *
   * @param cpuMsBefore  What `cpuMsOfRenderers` returned before.
   * @param minCpuMs     CPU time since then that a renderer is killed for.
   */
  killBusiestRenderer(cpuMsBefore: ReadonlyMap<number, number>, { minCpuMs }: { minCpuMs: number }): void {
    if (this.#rendererKiller.isSearching()) return
    const used = [...this.cpuMsOfRenderers()].map(([pid, cpuMs]) => ({
      pid,
      cpuMs: cpuMs - (cpuMsBefore.get(pid) ?? 0),
    }))
    const busiest = used.toSorted((a, b) => b.cpuMs - a.cpuMs)[0]
    if (!busiest || busiest.cpuMs < minCpuMs) return
    this.#options.log?.({ event: 'page-unresponsive', ...busiest })
    void this.#rendererKiller.kill(busiest.pid, Promise.resolve(cpuError()), STARVED_RELIEF_TIMEOUT_MS)
  }
}

/** Not cached, because it also depends on what else the machine does. */
const cpuError = () =>
  new PageError(
    'ETOOLARGE',
    'The page used so much CPU time that the browser stopped responding. Request it without a screenshot, or with javascript=false.',
    {
      cause: new TransientError('The browser got no CPU time.'),
    },
  )
