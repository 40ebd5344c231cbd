import { setTimeout as sleep } from 'node:timers/promises'
import type { CDPSession } from 'puppeteer-core'
import { PageError } from '../../query/index.js'
import { TransientError } from '../jobs/index.js'
import type { LogEvent } from '../log.js'
import type { OpenPage } from './open-page.js'
import { signalProcess, type ProcessUsage } from './processes.js'
import { BrowserUnavailableError } from './running-browser.js'

/** CPU time that the GPU process may use during one screenshot. Unlike elapsed time, it does not depend on what else the machine does. */
const MAX_SCREENSHOT_CPU_MS = 2_000
/** Once the GPU process has used this much CPU time without a break, pages may wait for it until their time is up. */
const MIN_BUSY_CPU_MS = 1_000
/** After this many reads in a row in which the GPU process has neither used a CPU nor waited for one, it has nothing left to do. */
const IDLE_GPU_READS = 4
const QUERY_TIMEOUT_MS = 1_000

/**
 * Kills the GPU process when no page can get a screenshot, and ends the page that overloads it. All pages share the process, and it
 * continues the work of a page after the page has closed. Chromium starts another process for the pages that are open.
 */
export class GpuWatch {
  readonly #log: LogEvent | undefined
  readonly #drainBrowser: () => void
  readonly #cpuMsAtStart = new WeakMap<Promise<Buffer>, number>()
  #latest: ProcessUsage | undefined
  #idleReads = 0
  #cpuMsWhenIdle = 0
  /** The pages that were leased when the process was last idle; one of them has kept it busy since. */
  #suspects: readonly OpenPage[] = []
  #killing: Promise<void> | undefined

  /** @param drainBrowser  Opens no more pages in the browser, which exits with its last lease. */
  constructor({ log, drainBrowser }: { log: LogEvent | undefined; drainBrowser: () => void }) {
    this.#log = log
    this.#drainBrowser = drainBrowser
  }

  /** @param pages  The leased pages, in the order of their leases. */
  update(gpu: ProcessUsage, pages: readonly OpenPage[]): void {
    const hasRested = gpu.cpuMs === this.#latest?.cpuMs && !gpu.isRunnable
    this.#idleReads = hasRested ? this.#idleReads + 1 : 0
    const isIdle = !this.#latest || this.#idleReads >= IDLE_GPU_READS
    if (isIdle || gpu.pid !== this.#latest?.pid) this.#cpuMsWhenIdle = gpu.cpuMs
    if (isIdle) this.#suspects = pages
    this.#latest = gpu
    const isDelayed = pages.some((page) => this.#cpuMsOfScreenshot(page, gpu) >= MAX_SCREENSHOT_CPU_MS)
    if (isDelayed) this.#killing ??= this.#kill(gpu, pages).finally(() => (this.#killing = undefined))
  }

  /** Resolves once the pages that lose something with a killed process have a reason to end; at once if none was killed. */
  async waitForKill(): Promise<void> {
    await this.#killing
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

  async #kill({ pid }: ProcessUsage, pages: readonly OpenPage[]): Promise<void> {
    this.#log?.({ event: 'gpu-unresponsive', pid, cpuMs: MAX_SCREENSHOT_CPU_MS })
    // Their screenshots are lost with the process, which is not the fault of these pages; they are retried.
    const interrupted = pages.filter((page) => page.pendingScreenshot() !== undefined)
    signalProcess(pid, 'SIGKILL')
    // Until it is ended, the page may keep the next process busy too; and once a few were killed, Chromium renders without WebGL.
    this.#drainBrowser()
    // Pages that waited for the process respond again from here on.
    const cause = await this.#findCause(pages)
    cause?.end(Promise.resolve(gpuError()))
    for (const page of interrupted)
      page.end(Promise.resolve(new BrowserUnavailableError('The GPU process was killed during a screenshot.', 0)))
  }

  /**
   * The page that uses WebGL, a suspect first; or else the only suspect, whatever it draws with. `undefined`: there are several, or it
   * has closed already.
   */
  async #findCause(pages: readonly OpenPage[]): Promise<OpenPage | undefined> {
    const suspects = this.#suspects
    const suspectsFirst = pages.toSorted((a, b) => Number(suspects.includes(b)) - Number(suspects.includes(a)))
    const useWebGl = await Promise.all(suspectsFirst.map(usesWebGl))
    return suspectsFirst[useWebGl.indexOf(true)] ?? pages.find((page) => suspects.length === 1 && page === suspects[0])
  }
}

/** Whether a script of the page, its frames or its workers uses WebGL; `false`, too, for a page that does not respond in time. */
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
  new PageError('ETOOLARGE', 'The page needs too much time to render its graphics. Request it without a screenshot.', {
    // Not cached, because another page, which has closed already, may have kept the process busy.
    cause: new TransientError('The GPU process did not respond.'),
  })
