import { PageError } from '../../query/index.js'
import { TransientError } from '../jobs/index.js'
import type { LogEvent } from '../log.js'
import { GpuWatch } from './gpu-watch.js'
import { MemoryWatch } from './memory-watch.js'
import type { OpenPage } from './open-page.js'
import { watchProcesses, type ProcessUsage } from './processes.js'
import { RendererKiller } from './renderer-killer.js'
import { RendererThrottle } from './renderer-throttle.js'
import type { RunningBrowser } from './running-browser.js'

/** A browser that has waited for a CPU first has to handle what the page has sent it meanwhile. */
const STARVED_RELIEF_TIMEOUT_MS = 10_000

interface ExcessWatchOptions {
  log: LogEvent | undefined
  /** Ends the browser at once. */
  kill: () => void
  /** Ends the browser with its last lease. */
  replace: () => void
}

/**
 * Reads the processes of the browser, and passes them to the watches over its memory and its GPU process and to the throttle of
 * renderers. Ends the busiest renderer when the browser gets no CPU.
 */
export class ExcessWatch {
  readonly #running: RunningBrowser
  readonly #options: ExcessWatchOptions
  readonly #pages = new Set<OpenPage>()
  readonly #killer: RendererKiller
  readonly #memory: MemoryWatch
  readonly #gpu: GpuWatch
  readonly #throttle = new RendererThrottle()
  #reading: AbortController | undefined
  #processes: readonly ProcessUsage[] = []

  constructor(running: RunningBrowser, options: ExcessWatchOptions) {
    this.#running = running
    this.#options = options
    this.#killer = new RendererKiller(running, this.#pages)
    this.#memory = new MemoryWatch(running, { ...options, killer: this.#killer, throttle: this.#throttle })
    this.#gpu = new GpuWatch(options)
  }

  /** A page that may not be leased yet. */
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
    if (this.#memory.hasLeaked()) this.#options.replace()
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

  /** The calls of a page fail before the browser reports its crash, or the cause is found. */
  async endReasonOf(page: OpenPage): Promise<Error | undefined> {
    await Promise.all([this.#killer.finding, this.#gpu.ending])
    return page.endReason()
  }

  /** What may have kept any page from responding for a while; `undefined`: nothing. */
  delayCause(): Error | undefined {
    return this.#gpu.isBusy() ? new TransientError('The GPU process was busy, maybe for another page.') : undefined
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
    if (this.#killer.isFinding()) return
    const used = [...this.cpuMsOfRenderers()].map(([pid, cpuMs]) => ({
      pid,
      cpuMs: cpuMs - (cpuMsBefore.get(pid) ?? 0),
    }))
    const busiest = used.toSorted((a, b) => b.cpuMs - a.cpuMs)[0]
    if (!busiest || busiest.cpuMs < minCpuMs) return
    this.#options.log?.({ event: 'page-unresponsive', ...busiest })
    void this.#killer.end(busiest.pid, Promise.resolve(cpuError()), STARVED_RELIEF_TIMEOUT_MS)
  }
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
