import { setTimeout as sleep } from 'node:timers/promises'
import { PageError } from '../../query/index.js'
import { TransientError } from '../jobs/index.js'
import { BrowserUnavailableError } from './browser-unavailable-error.js'
import type { LogEvent } from './log-event.js'
import type { OpenPage } from './open-page.js'
import type { BrowserProcessUsage } from './watch-processes.js'

/** CPU time that the GPU process may use during one screenshot. It does not depend on what else the machine does, as time does. */
const MAX_SCREENSHOT_CPU_MS = 2_000
/** After more of them, Chromium would render without WebGL, and then exit. */
const MAX_KILLS = 2
const QUERY_TIMEOUT_MS = 1_000

interface GpuWatchOptions {
  log: LogEvent | undefined
  /** Ends a process. */
  kill: (pid: number) => void
  /** Ends the browser with its last lease. */
  replace: () => void
}

/**
 * Ends the GPU process, and the page that keeps it busy, once no page gets a screenshot because of that. All pages share the process,
 * and what a page has left to it goes on after the page has been closed. Chromium starts another one.
 */
export class GpuWatch {
  readonly #options: GpuWatchOptions
  readonly #cpuMsAtStart = new WeakMap<Promise<Buffer>, number>()
  #kills = 0
  #isEnding = false

  constructor(options: GpuWatchOptions) {
    this.#options = options
  }

  /**
   * Call it for each read of the processes.
   *
   * @param pages  Those that are leased, in the order of their leases.
   */
  update(gpu: BrowserProcessUsage, pages: readonly OpenPage[]): void {
    const delayed = pages.filter((page) => this.#cpuMsOfScreenshot(page, gpu) >= MAX_SCREENSHOT_CPU_MS)
    if (delayed.length > 0 && !this.#isEnding) void this.#end(gpu, pages)
  }

  #cpuMsOfScreenshot(page: OpenPage, { cpuMs }: BrowserProcessUsage): number {
    const screenshot = page.pendingScreenshot()
    if (!screenshot) return 0
    const cpuMsAtStart = this.#cpuMsAtStart.get(screenshot) ?? cpuMs
    this.#cpuMsAtStart.set(screenshot, cpuMsAtStart)
    return cpuMs - cpuMsAtStart
  }

  async #end({ pid }: BrowserProcessUsage, pages: readonly OpenPage[]): Promise<void> {
    this.#isEnding = true
    const { log, kill, replace } = this.#options
    log?.({ event: 'gpu-unresponsive', pid, cpuMs: MAX_SCREENSHOT_CPU_MS })
    kill(pid)
    // Until then, pages that wait for the process do not respond.
    const cause = await findCause(pages)
    cause?.end(Promise.resolve(gpuError()))
    // Their screenshots are lost with the process. They are retried, and are not due to the page.
    for (const page of pages)
      if (page.pendingScreenshot())
        page.end(Promise.resolve(new BrowserUnavailableError('The GPU process was ended during a screenshot.', 0)))
    if (++this.#kills >= MAX_KILLS) replace()
    this.#isEnding = false
  }
}

/** The first page that uses WebGL; `undefined` if the page that kept the process busy is closed already. */
async function findCause(pages: readonly OpenPage[]): Promise<OpenPage | undefined> {
  const useWebGl = await Promise.all(
    pages.map((page) => Promise.race([usesWebGl(page), sleep(QUERY_TIMEOUT_MS, false, { ref: false })])),
  )
  return pages[useWebGl.indexOf(true)]
}

async function usesWebGl({ session }: OpenPage): Promise<boolean> {
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
    // The page is gone.
  }
  return false
}

/** Not cached, because another page, which is closed already, may have kept the process busy. */
const gpuError = () =>
  new PageError('ETOOLARGE', 'The page needs too much time to render its graphics. Capture another page.', {
    cause: new TransientError('The GPU process did not respond.'),
  })
