import { setTimeout as sleep } from 'node:timers/promises'
import type { CDPSession } from 'puppeteer-core'
import { PageError } from '../../query/index.js'
import { TransientError } from '../jobs/index.js'
import type { LogEvent } from '../log.js'
import type { OpenPage } from './open-page.js'
import { signalProcess, type ProcessUsage } from './processes.js'
import { BrowserUnavailableError } from './running-browser.js'

/** CPU time that the GPU process may use during one screenshot. It does not depend on what else the machine does, as time does. */
const MAX_SCREENSHOT_CPU_MS = 2_000
/** If the GPU process has used this much CPU time without a break, pages may wait for it in vain. */
const MIN_BUSY_CPU_MS = 1_000
/** Reads in which the GPU process has neither used a CPU nor waited for one, after which it has nothing left to do. */
const IDLE_GPU_READS = 4
const QUERY_TIMEOUT_MS = 1_000

/**
 * Ends the GPU process, and the page that overloads it, when no page can get a screenshot. All pages share the process, and it
 * continues the work of a page after the page has closed. Chromium starts another process for the pages that are open.
 */
export class GpuWatch {
  readonly #log: LogEvent | undefined
  readonly #replace: () => void
  readonly #cpuMsAtStart = new WeakMap<Promise<Buffer>, number>()
  #latest: ProcessUsage | undefined
  #idleReads = 0
  #cpuMsWhenIdle = 0
  /** The pages that were leased when the process was last idle; one of them has kept it busy since. */
  #suspects: readonly OpenPage[] = []
  /** Resolves once the pages that the end of the process affects know why. */
  ending: Promise<void> | undefined

  /** @param replace  Ends the browser with its last lease. */
  constructor({ log, replace }: { log: LogEvent | undefined; replace: () => void }) {
    this.#log = log
    this.#replace = replace
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
    this.#log?.({ event: 'gpu-unresponsive', pid, cpuMs: MAX_SCREENSHOT_CPU_MS })
    // Their screenshots are lost with the process. They are retried, and are not due to the page.
    const interrupted = pages.filter((page) => page.pendingScreenshot() !== undefined)
    signalProcess(pid, 'SIGKILL')
    // The page may keep the next process busy too until it is ended, and after a few ends Chromium renders without WebGL.
    this.#replace()
    // Pages that waited for the process respond from now on.
    const cause = await this.#findCause(pages)
    cause?.end(Promise.resolve(gpuError()))
    for (const page of interrupted)
      page.end(Promise.resolve(new BrowserUnavailableError('The GPU process was ended during a screenshot.', 0)))
  }

  /** The first page that uses WebGL, or the only page that can have begun to use it; `undefined` if that page is closed already. */
  async #findCause(pages: readonly OpenPage[]): Promise<OpenPage | undefined> {
    const suspects = this.#suspects
    const suspectsFirst = pages.toSorted((a, b) => Number(suspects.includes(b)) - Number(suspects.includes(a)))
    const useWebGl = await Promise.all(suspectsFirst.map(usesWebGl))
    return suspectsFirst[useWebGl.indexOf(true)] ?? pages.find((page) => suspects.length === 1 && page === suspects[0])
  }
}

/** Whether a script of the page, its frames and its workers does; `false` also for a page that does not respond in time. */
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
    // Not cached, because another page, which is closed already, may have kept the process busy.
    cause: new TransientError('The GPU process did not respond.'),
  })
