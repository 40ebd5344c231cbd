import { signalProcess, type ProcessUsage } from './processes.js'

/** CPU time since the browser was idle, from which on it must have responded at each read. It does not depend on what else runs. */
const MAX_BUSY_CPU_MS = 80
/** CPU time between two reads. A browser that responds, and has used less, has no messages left. */
const IDLE_CPU_MS = 20
/** Frames and workers that may start without a break. One costs the browser 40 times the CPU time that it costs the renderer. */
const MAX_TARGETS = 20
/** A renderer that has used less while the browser was busy has sent little. */
const MIN_SENDER_CPU_MS = 10
/** The first time, a renderer is paused until the browser is idle; then for twice as many idle reads each time. */
const MAX_PAUSED_READS = 32

/**
 * Keeps a browser responsive for all pages: scripts can send it messages faster than it handles them, and its queue of messages
 * has no limit. While it is busy without a break and does not respond, or starts one frame or worker after the other, the busiest
 * renderers are paused, one by one. They go on afterwards, and no page ends because of that. A browser that responds keeps up, however
 * busy it is: with a page of hundreds of requests, for example, which would only take longer.
 */
export class RendererThrottle {
  /** CPU time of each process when the browser was last idle, by process id. */
  #cpuMsWhenIdle = new Map<number, number>()
  #browserCpuMs = 0
  #targetsSinceIdle = 0
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
    const isBusy = this.#usedMs(browser) >= MAX_BUSY_CPU_MS * (this.#pausesSinceIdle + 1)
    if (isBusy && !responds) this.#pauseBusiest(processes)
  }

  /**
   * Call it for each frame or worker that has started. In the time between two reads, a script can request more than the browser starts
   * in seconds.
   *
   * @param read  Reads the processes.
   */
  countTarget(read: () => readonly ProcessUsage[]): void {
    if (++this.#targetsSinceIdle % MAX_TARGETS === 0) this.#pauseBusiest(read())
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
    this.#targetsSinceIdle = 0
    this.#pausesSinceIdle = 0
    for (const [pid, reads] of this.#readsLeft) {
      if (reads > 1) this.#readsLeft.set(pid, reads - 1)
      else this.#resume(pid)
    }
    for (const pid of this.#nextPauseReads.keys()) if (!this.#cpuMsWhenIdle.has(pid)) this.#nextPauseReads.delete(pid)
  }

  /** CPU time since the browser was idle. A process that is not in the map has started since. */
  #usedMs({ pid, cpuMs }: ProcessUsage): number {
    return cpuMs - (this.#cpuMsWhenIdle.get(pid) ?? 0)
  }

  #pauseBusiest(processes: readonly ProcessUsage[]): void {
    const [busiest] = processes
      .filter((each) => each.isRenderer && !this.#readsLeft.has(each.pid))
      .toSorted((a, b) => this.#usedMs(b) - this.#usedMs(a))
    if (busiest && this.#usedMs(busiest) >= MIN_SENDER_CPU_MS) this.#pause(busiest.pid)
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
