import { setTimeout as sleep } from 'node:timers/promises'
import type { OpenPage } from './open-page.js'
import { signalProcess } from './processes.js'
import type { RunningBrowser } from './running-browser.js'

const SIGKILL = 9
const POLL_MS = 50

/**
 * Ends the process of a renderer, which is faster than closing its page. DevTools does not say which page a process belongs to, so
 * the page is found by the crash that the browser then reports.
 */
export class RendererKiller {
  readonly #running: RunningBrowser
  /** The pages that may have crashed. */
  readonly #pages: ReadonlySet<OpenPage>
  /** Called with the page of the renderer that was ended last. */
  #onCrashOf: ((page: OpenPage) => void) | undefined
  /** Resolves once that page is known, or is not found in time. */
  finding: Promise<unknown> | undefined

  constructor(running: RunningBrowser, pages: ReadonlySet<OpenPage>) {
    this.#running = running
    this.#pages = pages
    if (running.pid !== undefined) running.connection.on('Target.targetCrashed', (event) => this.#onCrash(event))
  }

  isFinding(): boolean {
    return this.#onCrashOf !== undefined
  }

  /**
   * Ends one process, and its page.
   *
   * @returns  The page; `undefined` if none is found in time: the process ran only workers, or another page has ended it.
   */
  async end(pid: number, reason: Promise<Error>, timeoutMs: number): Promise<OpenPage | undefined> {
    let found: OpenPage | undefined
    const onCrashOf = (page: OpenPage) => {
      found = page
      page.end(reason)
    }
    this.#onCrashOf = onCrashOf
    this.finding = waitUntil(() => found !== undefined || this.#running.gone.aborted, timeoutMs)
    signalProcess(pid, 'SIGKILL')
    await this.finding
    if (this.#onCrashOf === onCrashOf) this.#onCrashOf = undefined
    return found
  }

  /** A process runs no two pages; other frames of its page may have their own processes. */
  #onCrash({ targetId, errorCode }: { targetId: string; errorCode: number }): void {
    const page = errorCode === SIGKILL && [...this.#pages].find((each) => each.owns(targetId))
    if (page) this.#onCrashOf?.(page)
  }
}

/** Waits until something is so, or the time is up. */
export async function waitUntil(isSo: () => boolean, timeoutMs: number): Promise<void> {
  for (let waitedMs = 0; waitedMs < timeoutMs && !isSo(); waitedMs += POLL_MS)
    await sleep(POLL_MS, undefined, { ref: false })
}
