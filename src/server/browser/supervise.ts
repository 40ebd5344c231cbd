import { setTimeout as sleep } from 'node:timers/promises'
import { abortable } from './abortable.js'
import type { Log } from './found-chromium.js'
import { openPage, type OpenPage } from './open-page.js'
import type { RunningBrowser } from './running-browser.js'

/** A page to work in, of a browser that is watched meanwhile. */
export interface Lease {
  page: OpenPage
  userAgent: string
  /** Aborts when the tab or the browser is gone. */
  gone: AbortSignal
  /** Has the next page opened already, best while this one waits for the network. */
  prepareNext: () => void
  /** Throws the page away. */
  end(): void
}

/** Keeps one browser running: starts it when needed, again when it crashed or hangs, anew after many captures. */
export interface Supervisor {
  /** @throws {Error} when no browser starts, or it cannot open a page; an aborted `signal` throws its own reason. */
  lease(signal: AbortSignal): Promise<Lease>
  /** Starts the browser, if none is there, and asks it something. */
  answersWithin(ms: number): Promise<boolean>
  warm(): void
  pid(): number | undefined
  close(): Promise<void>
}

export interface SuperviseOptions {
  start: (signal: AbortSignal) => Promise<RunningBrowser>
  proxyUrl: string
  /** A browser that does not answer for so long is killed. */
  watchdogMs: number
  /** After so many pages another browser takes over. */
  recycleAfter: number
  log: Log | undefined
}

interface Watched {
  running: RunningBrowser
  leases: number
  pages: number
  isRetired: boolean
  spare: Promise<OpenPage> | undefined
}

const WATCH_EVERY_MS = 1_000

export function supervise({ start, proxyUrl, watchdogMs, recycleAfter, log }: SuperviseOptions): Supervisor {
  const all = new Set<Watched>()
  let current: Promise<Watched> | undefined
  const closing = new AbortController()

  const begin = async (): Promise<Watched> => {
    const startedAt = performance.now()
    const running = await start(closing.signal)
    const watched: Watched = { running, leases: 0, pages: 0, isRetired: false, spare: undefined }
    all.add(watched)
    running.gone.addEventListener('abort', () => {
      all.delete(watched)
      if (!closing.signal.aborted && !watched.isRetired)
        log?.({ event: 'browser-ended', pid: running.pid, reason: String(running.gone.reason) })
    })
    log?.({ event: 'browser-started', pid: running.pid, ms: Math.round(performance.now() - startedAt) })
    if (closing.signal.aborted) await running.close()
    else prepare(watched)
    return watched
  }

  const ready = async (): Promise<Watched> => {
    closing.signal.throwIfAborted()
    const known = current
    const watched = await known?.catch(() => undefined)
    // Someone else may have started one meanwhile.
    if (current !== known) return ready()
    if (watched && !watched.running.gone.aborted && !watched.isRetired) return watched
    current = begin()
    return current
  }

  const prepare = (watched: Watched) => {
    if (watched.isRetired || closing.signal.aborted) return
    watched.spare ??= openPage(watched.running.connection, { proxyUrl })
    // Whoever takes it sees the failure; until then nobody waits for it.
    watched.spare.catch(() => undefined)
  }

  const retireIfDone = (watched: Watched) => {
    if (watched.pages >= recycleAfter && !watched.isRetired) {
      watched.isRetired = true
      log?.({ event: 'browser-recycled', pid: watched.running.pid, pages: watched.pages })
    }
    if (watched.isRetired && watched.leases === 0) void watched.running.close()
  }

  const watch = async (watched: Watched) => {
    while (watched.leases && !watched.running.gone.aborted) {
      if (!(await answers(watched.running, watchdogMs)) && !watched.running.gone.aborted) {
        log?.({ event: 'browser-hangs', pid: watched.running.pid, ms: watchdogMs })
        watched.running.kill()
      }
      await sleep(Math.min(WATCH_EVERY_MS, watchdogMs), undefined, { ref: false })
    }
  }

  return {
    async lease(signal) {
      const watched = await abortable(ready(), signal)
      if (watched.leases++ === 0) void watch(watched)
      watched.pages++
      const opening = watched.spare ?? openPage(watched.running.connection, { proxyUrl })
      watched.spare = undefined
      const end = async () => {
        watched.leases--
        retireIfDone(watched)
        prepare(watched)
        await opening.then(
          (page) => page.close(),
          () => undefined,
        )
      }
      try {
        const page = await abortable(opening, AbortSignal.any([signal, watched.running.gone]))
        const { userAgent, gone } = watched.running
        const prepareNext = () => prepare(watched)
        return { page, userAgent, gone: AbortSignal.any([page.gone, gone]), prepareNext, end: () => void end() }
      } catch (error) {
        void end()
        throw error
      }
    },
    async answersWithin(ms) {
      try {
        const limit = AbortSignal.timeout(ms)
        const { running } = await abortable(ready(), limit)
        return await answers(running, ms)
      } catch {
        return false
      }
    },
    warm: () => void ready().catch((error: unknown) => log?.({ event: 'browser-failed', reason: String(error) })),
    pid: () => [...all].findLast(({ isRetired }) => !isRetired)?.running.pid,
    async close() {
      closing.abort(new Error('The browser is closed.'))
      await current?.catch(() => undefined)
      await Promise.all([...all].map(({ running }) => running.close()))
    },
  }
}

async function answers({ connection, gone }: RunningBrowser, ms: number): Promise<boolean> {
  try {
    await abortable(connection.send('Browser.getVersion'), AbortSignal.any([gone, AbortSignal.timeout(ms)]))
    return true
  } catch {
    return false
  }
}
