import type { OpenPage } from './open-page.js'
import { pollUntil } from './poll-until.js'
import { signalProcess } from './processes.js'
import type { RunningBrowser } from './running-browser.js'

const SIGKILL = 9

/**
 * Kills the process of a renderer, which is faster than closing its page. DevTools does not say which page a process belongs to, so
 * the page is found by the crash that the browser then reports. Only one process is killed at a time: two reports could not be
 * distinguished.
 */
export class RendererKiller {
  readonly #running: RunningBrowser
  /** The pages that may have crashed. */
  readonly #pages: ReadonlySet<OpenPage>
  /** Called with the page of the renderer that was killed. */
  #onCrashOf: ((page: OpenPage) => void) | undefined
  #search: Promise<OpenPage | undefined> | undefined

  constructor(running: RunningBrowser, pages: ReadonlySet<OpenPage>) {
    this.#running = running
    this.#pages = pages
    running.connection.on('Target.targetCrashed', (event) => this.#onCrash(event))
  }

  /** Whether the page of a renderer that was killed is not known yet; no other one must be killed until then. */
  isSearching(): boolean {
    return this.#search !== undefined
  }

  /** Resolves once that page is known and has a reason to end, or is not found in time. */
  async waitForSearch(): Promise<void> {
    await this.#search
  }

  /**
   * Kills one process, and ends its page; not before the page of any other process is known.
   *
   * @param reason  Why the page is ended.
   * @returns       The page; `undefined` if none is found in time: the process ran only workers, or has exited before.
   */
  async kill(pid: number, reason: Promise<Error>, timeoutMs: number): Promise<OpenPage | undefined> {
    while (this.#search) await this.#search
    this.#search = this.#killAndSearch(pid, reason, timeoutMs).finally(() => (this.#search = undefined))
    return this.#search
  }

  async #killAndSearch(pid: number, reason: Promise<Error>, timeoutMs: number): Promise<OpenPage | undefined> {
    let found: OpenPage | undefined
    this.#onCrashOf = (page) => {
      this.#onCrashOf = undefined
      found = page
      page.end(reason)
    }
    signalProcess(pid, 'SIGKILL')
    await pollUntil(() => found !== undefined || this.#running.gone.aborted, timeoutMs)
    this.#onCrashOf = undefined
    return found
  }

  /** A process runs no two pages; other frames of its page may have their own processes. */
  #onCrash({ targetId, errorCode }: { targetId: string; errorCode: number }): void {
    const page = errorCode === SIGKILL && [...this.#pages].find((each) => each.owns(targetId))
    if (page) this.#onCrashOf?.(page)
  }
}
