import type { BrowserProcessUsage } from './watch-processes.js'

/** CPU time that the browser may need until it responds. It does not depend on what else the machine does, as time does. */
const MAX_SILENT_CPU_MS = 50
/** A renderer that has used less since then has sent little. */
const MIN_BUSY_CPU_MS = 20
/** The first time, a renderer is paused until the browser responds; then for twice as many reads after that each time. */
const MAX_PAUSED_READS = 32

/**
 * Keeps a browser responsive for all pages: scripts can send it messages faster than it handles them, and its queue of messages
 * has no limit. While it does not respond, the busiest renderers are paused, one after the other. They go on afterwards, and no page
 * ends because of that: one that was paused by mistake has lost little time.
 */
export class RendererThrottle {
  readonly #send: (pid: number, signal: 'SIGSTOP' | 'SIGCONT') => void
  /** CPU time of each process when the browser last responded, by process id. */
  #cpuMsAtResponse = new Map<number, number>()
  #pausesSinceResponse = 0
  /** Reads until each paused renderer goes on, by process id. */
  readonly #readsLeft = new Map<number, number>()
  readonly #nextPauseReads = new Map<number, number>()

  /** @param send  Sends a signal to a process. */
  constructor(send: (pid: number, signal: 'SIGSTOP' | 'SIGCONT') => void) {
    this.#send = send
  }

  /**
   * Call it for each read of the processes.
   *
   * @param browser   The process that all pages share; one of `processes`.
   * @param responds  Whether the browser has responded since the last call.
   */
  update(processes: readonly BrowserProcessUsage[], browser: BrowserProcessUsage, responds: boolean): void {
    if (responds) this.#onResponse(processes)
    const usedMs = ({ pid, cpuMs }: BrowserProcessUsage) => cpuMs - (this.#cpuMsAtResponse.get(pid) ?? cpuMs)
    if (usedMs(browser) < MAX_SILENT_CPU_MS * (this.#pausesSinceResponse + 1)) return
    const [busiest] = processes
      .filter((each) => each.isRenderer && usedMs(each) >= MIN_BUSY_CPU_MS && !this.#readsLeft.has(each.pid))
      .toSorted((a, b) => usedMs(b) - usedMs(a))
    if (busiest) this.#pause(busiest.pid)
  }

  resumeAll(): void {
    for (const pid of this.#readsLeft.keys()) this.#resume(pid)
  }

  #onResponse(processes: readonly BrowserProcessUsage[]): void {
    this.#cpuMsAtResponse = new Map(processes.map(({ pid, cpuMs }) => [pid, cpuMs]))
    this.#pausesSinceResponse = 0
    for (const [pid, reads] of this.#readsLeft) {
      if (reads > 1) this.#readsLeft.set(pid, reads - 1)
      else this.#resume(pid)
    }
    for (const pid of this.#nextPauseReads.keys()) if (!this.#cpuMsAtResponse.has(pid)) this.#nextPauseReads.delete(pid)
  }

  #pause(pid: number): void {
    const reads = this.#nextPauseReads.get(pid) ?? 1
    this.#nextPauseReads.set(pid, Math.min(reads * 2, MAX_PAUSED_READS))
    this.#readsLeft.set(pid, reads)
    this.#pausesSinceResponse++
    this.#send(pid, 'SIGSTOP')
  }

  #resume(pid: number): void {
    this.#readsLeft.delete(pid)
    this.#send(pid, 'SIGCONT')
  }
}
