import { setTimeout as delay } from 'node:timers/promises'
import type { CDPSession } from 'puppeteer-core'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { ExcessWatch } from '../../../src/server/browser/excess-watch.js'
import type { OpenPage } from '../../../src/server/browser/open-page.js'
import type { ProcessUsage } from '../../../src/server/browser/processes.js'
import { createConnection, type RunningBrowser } from '../../../src/server/browser/running-browser.js'
import { readFailure } from '../../../src/server/jobs/index.js'
import { PageError } from '../../../src/query/index.js'
import { rememberFailure, startEntries } from '../jobs/start-entries.js'

const BROWSER_PID = 1
const RELIEF_TIMEOUT_MS = 2_000

const idle: Omit<ProcessUsage, 'pid'> = {
  isRenderer: false,
  isGpu: false,
  privateBytes: 0,
  sharedBytes: 0,
  cpuMs: 0,
  isRunnable: false,
}

/**
 * A browser whose processes use what a test says.
 *
 * @param targets  The target of each renderer, by process id: it crashes once the renderer is ended.
 */
function watchedBrowser(targets: Record<number, string> = {}) {
  const signals: [pid: number, signal: unknown][] = []
  vi.spyOn(process, 'kill').mockImplementation((pid, signal) => {
    signals.push([pid, signal])
    if (signal === 'SIGKILL' && targets[pid]) crash(targets[pid])
    return true
  })
  const crash = (targetId: string) =>
    running.connection.emit('Target.targetCrashed', { targetId, status: 'killed', errorCode: 9 })
  const running: RunningBrowser = {
    connection: createConnection({ send: () => undefined, close: () => undefined }),
    captureScreenshot: () => Promise.reject(new Error('no screenshot is taken')),
    userAgent: 'Test',
    version: '1.0',
    pid: BROWSER_PID,
    gone: new AbortController().signal,
    kill: () => undefined,
    close: async () => undefined,
  }
  const drainBrowser = vi.fn()
  const watch = new ExcessWatch(running, { log: undefined, killBrowser: vi.fn(), drainBrowser })
  return { watch, signals, crash, drainBrowser }
}
afterEach(() => void vi.restoreAllMocks())

describe('a browser that gets more messages than it handles', () => {
  /** Adds to the CPU times in milliseconds of a browser and its renderers with each read. */
  function throttledBrowser(...rendererIds: number[]) {
    const { watch, signals } = watchedBrowser()
    const cpuMs = new Map([BROWSER_PID, ...rendererIds].map((pid) => [pid, 0]))
    const read = (used: Record<number, number>, { responds }: { responds: boolean }) => {
      for (const [pid, ms] of Object.entries(used)) cpuMs.set(Number(pid), cpuMs.get(Number(pid))! + ms)
      watch.onRead(
        [...cpuMs].map(([pid, ms]) => ({ ...idle, pid, isRenderer: pid !== BROWSER_PID, cpuMs: ms })),
        responds,
      )
      const paused = new Set<number>()
      for (const [pid, signal] of signals) {
        if (signal === 'SIGSTOP') paused.add(pid)
        else paused.delete(pid)
      }
      return [...paused]
    }
    read({}, { responds: true })
    return { read, watch }
  }

  const responding = { responds: true }
  const silent = { responds: false }

  it('pauses no renderer while the browser has breaks, however busy the renderer is', () => {
    const { read } = throttledBrowser(2)
    for (let count = 0; count < 10; count++) {
      expect(read({ 1: 50, 2: 50 }, responding)).toEqual([])
      expect(read({ 1: 10, 2: 50 }, responding)).toEqual([])
    }
  })

  it('pauses no renderer while a busy machine keeps the browser from running', () => {
    const { read } = throttledBrowser(2)
    for (let count = 0; count < 100; count++) expect(read({ 2: 50 }, silent)).toEqual([])
  })

  it('pauses no renderer of a browser that responds, however busy it is', () => {
    const { read } = throttledBrowser(2)
    for (let count = 0; count < 100; count++) expect(read({ 1: 50, 2: 50 }, responding)).toEqual([])
  })

  it('pauses the busiest renderer of a browser that does not respond until it is idle', () => {
    const { read } = throttledBrowser(2, 3)
    expect(read({ 1: 50, 2: 30, 3: 40 }, responding)).toEqual([])
    expect(read({ 1: 20, 2: 30, 3: 40 }, silent)).toEqual([])
    expect(read({ 1: 20, 2: 30, 3: 40 }, silent)).toEqual([3])
    expect(read({ 1: 30 }, responding)).toEqual([3])
    expect(read({}, silent)).toEqual([3])
    expect(read({}, responding)).toEqual([])
  })

  it('pauses further busy renderers if that does not help, and none that is idle', () => {
    const { read } = throttledBrowser(2, 3, 4)
    expect(read({ 1: 90, 2: 30, 3: 50 }, silent)).toEqual([3])
    expect(read({ 1: 90, 2: 30 }, silent)).toEqual([3, 2])
    expect(read({ 1: 500 }, silent)).toEqual([3, 2])
  })

  it('pauses the same renderer for longer each time, up to a limit', () => {
    const { read } = throttledBrowser(2)
    const pausedReads = () => {
      read({ 1: 90, 2: 60 }, silent)
      for (let reads = 1; ; reads++) if (read({}, responding).length === 0) return reads
    }
    expect(Array.from({ length: 8 }, pausedReads)).toEqual([1, 2, 4, 8, 16, 32, 32, 32])
  })

  it('resumes all renderers when nothing watches them any longer', () => {
    const { read, watch } = throttledBrowser(2, 3)
    read({ 1: 90, 2: 30, 3: 50 }, silent)
    read({ 1: 90 }, silent)
    watch.stop()
    expect(read({}, silent)).toEqual([])
  })
})

describe('memory that pages fill', () => {
  const MB = 1_000_000

  /** A page that is closed once it is ended; a slow one when a test says so. */
  function openPage(targetId: string, { isSlow }: { isSlow: boolean }) {
    const gone = new AbortController()
    let endReason: Promise<Error | undefined> | undefined
    let onClosed = () => {}
    const closed = new Promise<void>((resolve) => (onClosed = resolve))
    const page = {
      gone: gone.signal,
      owns: (id) => id === targetId,
      pendingScreenshot: () => undefined,
      end(reason) {
        endReason ??= reason
        gone.abort()
        if (!isSlow) onClosed()
      },
      endReason: async () => endReason,
      close: () => closed,
    } as Partial<OpenPage> as OpenPage
    return { page, onClosed: () => onClosed() }
  }

  /** @param targets  The page of each renderer. */
  function twoPages(...targets: ('first' | 'second')[]) {
    const pidOf = (index: number) => 2 + index
    const { watch, signals } = watchedBrowser(Object.fromEntries(targets.map((id, index) => [pidOf(index), id])))
    const first = openPage('first', { isSlow: true })
    const second = openPage('second', { isSlow: false })
    const lease = ({ page }: { page: OpenPage }) => {
      watch.add(page)
      watch.addLeased(page)
    }
    const read = (...megabytes: number[]) => {
      const renderers = megabytes.map((mb, index) => ({
        ...idle,
        pid: pidOf(index),
        isRenderer: true,
        privateBytes: mb * MB,
      }))
      watch.onRead([{ ...idle, pid: BROWSER_PID, privateBytes: 100 * MB }, ...renderers], true)
    }
    const reasonOf = ({ page }: { page: OpenPage }) => watch.endReasonOf(page)
    return { first, second, lease, read, reasonOf, signals }
  }

  /** Both have used nothing so far. */
  function twoLeasedPages(...targets: ('first' | 'second')[]) {
    const pages = twoPages(...targets)
    pages.lease(pages.first)
    pages.lease(pages.second)
    pages.read(...targets.map(() => 10))
    return pages
  }

  it('is due to the page of the largest renderer if its end frees it, however much others fill meanwhile', async () => {
    const { first, second, read, reasonOf } = twoLeasedPages('first', 'second', 'second')
    read(10, 600, 800)
    expect(first.page.gone.aborted).toBe(false)
    expect(second.page.gone.aborted).toBe(true)
    read(900, 0, 0)
    expect(await reasonOf(second)).toMatchObject({ code: 'ETOOLARGE' })
    expect(first.page.gone.aborted).toBe(false)
  })

  it('is not due to a second page while the first one is still being closed', async () => {
    const { first, second, read, reasonOf } = twoLeasedPages('first', 'first', 'second')
    read(800, 600, 10)
    await delay(RELIEF_TIMEOUT_MS + 500)
    expect(second.page.gone.aborted).toBe(false)
    first.onClosed()
    read(0, 0, 10)
    expect(await reasonOf(first)).toMatchObject({ code: 'ETOOLARGE' })
    expect(second.page.gone.aborted).toBe(false)
  })

  it('is due to the page of several smaller renderers if the end of the largest one does not free it, whose page is retried', async () => {
    const { first, second, read, reasonOf } = twoLeasedPages('first', 'second', 'second', 'second', 'second')
    read(300, 290, 290, 290, 290)
    expect(first.page.gone.aborted).toBe(true)
    expect(second.page.gone.aborted).toBe(false)
    first.onClosed()
    await delay(100)
    read(0, 490, 490, 490, 490)
    expect(await reasonOf(first)).toMatchObject({ name: 'BrowserUnavailableError' })
    await vi.waitFor(() => expect(second.page.gone.aborted).toBe(true))
    read(0, 0, 0, 0, 0)
    expect(await reasonOf(second)).toMatchObject({ code: 'ETOOLARGE' })
  })

  it('is due to the page that was there first if it was filled before the other one was opened', async () => {
    const { first, second, lease, read, reasonOf } = twoPages('first', 'first', 'first', 'second')
    lease(first)
    read(10, 10, 10)
    read(300, 300, 300)
    lease(second)
    read(300, 300, 300, 10)
    read(350, 350, 350, 440)
    expect(second.page.gone.aborted).toBe(false)
    read(0, 0, 0, 900)
    expect(await reasonOf(first)).toMatchObject({ code: 'ETOOLARGE' })
    expect(second.page.gone.aborted).toBe(false)
  })

  it('is due to no page whose end does not free it, nor to the last one', async () => {
    const { first, second, read, reasonOf } = twoLeasedPages('first', 'second', 'second', 'second')
    read(400, 390, 390, 390)
    first.onClosed()
    await delay(100)
    read(0, 700, 700, 700)
    expect(await reasonOf(first)).toMatchObject({ name: 'BrowserUnavailableError' })
    await vi.waitFor(() => expect(second.page.gone.aborted).toBe(true))
    await delay(100)
    read(0, 700, 700, 1_200)
    expect(await reasonOf(second)).toMatchObject({ name: 'BrowserUnavailableError' })
  })

  it('is not due to another page while the last processes of a closed one still exit', async () => {
    const { first, second, read, reasonOf } = twoLeasedPages('first', 'first', 'first', 'first', 'first', 'second')
    read(400, 400, 400, 400, 400, 10)
    first.onClosed()
    await delay(100)
    read(0, 0, 0, 600, 600, 10)
    expect(await reasonOf(first)).toMatchObject({ code: 'ETOOLARGE' })
    read(0, 0, 0, 600, 600, 10)
    await delay(100)
    read(0, 0, 0, 0, 0, 10)
    await delay(100)
    expect(second.page.gone.aborted).toBe(false)
  })

  it('is due to its own page, although another renderer was killed for its CPU time just before', async () => {
    const { watch, signals, crash } = watchedBrowser()
    const [busy, full] = ['busy', 'full'].map((id) => openPage(id, { isSlow: false }).page) as [OpenPage, OpenPage]
    for (const page of [busy, full]) {
      watch.add(page)
      watch.addLeased(page)
    }
    const read = ({ cpuMs, mb }: { cpuMs: number; mb: number }) =>
      watch.onRead(
        [
          { ...idle, pid: BROWSER_PID, privateBytes: 100 * MB },
          { ...idle, pid: 2, isRenderer: true, cpuMs },
          { ...idle, pid: 3, isRenderer: true, privateBytes: mb * MB },
        ],
        true,
      )
    const killed = () => signals.filter(([, signal]) => signal === 'SIGKILL').map(([pid]) => pid)
    read({ cpuMs: 0, mb: 10 })
    const cpuMsBefore = watch.cpuMsOfRenderers()
    read({ cpuMs: 5_000, mb: 10 })
    watch.killBusiestRenderer(cpuMsBefore, { minCpuMs: 2_500 })
    read({ cpuMs: 5_000, mb: 1_500 })
    // Until the browser has reported the first one, nothing grows, and no other is killed.
    expect(killed()).toEqual([2])
    expect(signals).toContainEqual([3, 'SIGSTOP'])
    crash('busy')
    await vi.waitFor(() => {
      read({ cpuMs: 5_000, mb: 1_500 })
      expect(killed()).toEqual([2, 3])
    })
    crash('full')
    read({ cpuMs: 5_000, mb: 0 })
    expect(await watch.endReasonOf(busy)).toMatchObject({ message: expect.stringContaining('CPU time') })
    expect(await watch.endReasonOf(full)).toMatchObject({ message: expect.stringContaining('memory') })
  })

  it('does not grow while its page is looked for and closed', async () => {
    const { first, read, signals } = twoLeasedPages('first', 'second')
    read(800, 700)
    await delay(100)
    expect(signals).toEqual([
      [2, 'SIGSTOP'],
      [3, 'SIGSTOP'],
      [2, 'SIGKILL'],
    ])
    first.onClosed()
    await vi.waitFor(() => expect(signals).toContainEqual([3, 'SIGCONT']))
  })
})

describe('a GPU process that one page keeps busy', () => {
  const GPU_PID = 10
  const READS_UNTIL_IDLE = 5

  /** A page whose screenshot never comes, if it has requested one; a script of `webGlUser` uses WebGL. */
  function leasedPage({ isCaptured = true, webGlUser }: { isCaptured?: boolean; webGlUser?: 'page' | 'worker' } = {}) {
    const gone = new AbortController()
    const screenshot = new Promise<Buffer>(() => undefined)
    let endReason: Promise<Error | undefined> | undefined
    const sessions = new Set(['page', 'worker'].map((kind) => session(kind === webGlUser)))
    const page = {
      setups: { sessions },
      gone: gone.signal,
      pendingScreenshot: () => (isCaptured && !gone.signal.aborted ? screenshot : undefined),
      end(reason) {
        endReason ??= reason
        gone.abort()
      },
      endReason: async () => endReason,
    } as Partial<OpenPage> as OpenPage
    return page
  }

  const session = (usesWebGl: boolean) =>
    ({
      async send(method: string) {
        if (method === 'Runtime.evaluate') return { result: { objectId: 'prototype' } }
        if (method === 'Runtime.queryObjects') return { objects: { objectId: 'contexts' } }
        return { result: { value: usesWebGl ? 1 : 0 } }
      },
    }) as Partial<CDPSession> as CDPSession

  /** Leases the pages while the process is idle. */
  function sharedGpu(...pages: OpenPage[]) {
    const { watch, signals, drainBrowser } = watchedBrowser()
    let gpu: ProcessUsage = { ...idle, pid: GPU_PID, isGpu: true }
    const use = (ms: number, { isRunnable = false } = {}) => {
      gpu = { ...gpu, cpuMs: gpu.cpuMs + ms, isRunnable }
      watch.onRead([{ ...idle, pid: BROWSER_PID }, gpu], true)
    }
    const lease = (page: OpenPage) => {
      watch.add(page)
      watch.addLeased(page)
      return page
    }
    const rest = () => {
      for (let count = 0; count < READS_UNTIL_IDLE; count++) use(0)
    }
    for (const page of pages) lease(page)
    rest()
    return {
      watch,
      signals,
      drainBrowser,
      lease,
      rest,
      use,
      starve: () => {
        for (let count = 0; count < READS_UNTIL_IDLE; count++) use(0, { isRunnable: true })
      },
      /** Keeps the process busy until it is ended, and starts another one. */
      async hang() {
        const endsBefore = signals.length
        for (let count = 0; signals.length === endsBefore && count < 100; count++) use(50)
        await vi.waitFor(() => expect(pages.every((page) => !page.pendingScreenshot())).toBe(true))
        gpu = { ...gpu, pid: gpu.pid + 1, cpuMs: 0 }
      },
    }
  }

  const reasonOf = async (watch: ExcessWatch, page: OpenPage) => watch.endReasonOf(page)

  it('is ended only after two seconds of CPU time during one screenshot', () => {
    const { use, signals } = sharedGpu(leasedPage())
    use(1_990)
    expect(signals).toEqual([])
    use(10)
    expect(signals).toEqual([[GPU_PID, 'SIGKILL']])
  })

  it('is not ended while no page waits for a screenshot', () => {
    const { use, signals } = sharedGpu(leasedPage({ isCaptured: false }))
    for (let count = 0; count < 100; count++) use(50)
    expect(signals).toEqual([])
  })

  it.each(['page', 'worker'] as const)(
    'ends the page whose WebGL, in its %s, does so; others are retried',
    async (webGlUser) => {
      const innocent = leasedPage()
      const cause = leasedPage({ isCaptured: false, webGlUser })
      const gpu = sharedGpu(innocent, cause)
      await gpu.hang()
      expect(await reasonOf(gpu.watch, cause)).toMatchObject({ code: 'ETOOLARGE' })
      expect(await reasonOf(gpu.watch, innocent)).toMatchObject({ name: 'BrowserUnavailableError' })
    },
  )

  it('is still busy while it waits for a CPU', () => {
    const { watch, use, starve } = sharedGpu(leasedPage({ isCaptured: false }))
    for (let count = 0; count < 20; count++) use(50)
    starve()
    expect(watch.delayCause()).toBeDefined()
  })

  it('is the reason why a screenshot fails at its end, before that reason is known', async () => {
    const page = leasedPage()
    const { watch, use, signals } = sharedGpu(page, leasedPage({ isCaptured: false }))
    use(2_000)
    expect(signals).toHaveLength(1)
    vi.spyOn(page, 'pendingScreenshot').mockReturnValue(undefined)
    expect(await reasonOf(watch, page)).toMatchObject({ name: 'BrowserUnavailableError' })
  })

  it('ends the only page that was there when it became busy, also without WebGL', async () => {
    const cause = leasedPage({ isCaptured: false })
    const gpu = sharedGpu(cause)
    gpu.use(50)
    const innocent = gpu.lease(leasedPage())
    await gpu.hang()
    await vi.waitFor(async () => expect(await innocent.endReason()).toBeDefined())
    expect(await reasonOf(gpu.watch, cause)).toMatchObject({ code: 'ETOOLARGE' })
    expect(await reasonOf(gpu.watch, innocent)).toMatchObject({ name: 'BrowserUnavailableError' })
  })

  it('blames no page that came after the page that keeps it busy has been closed', async () => {
    const closed = leasedPage({ isCaptured: false })
    const gpu = sharedGpu(closed)
    gpu.use(50)
    const innocent = gpu.lease(leasedPage())
    gpu.watch.delete(closed)
    await gpu.hang()
    await vi.waitFor(async () => expect(await innocent.endReason()).toBeDefined())
    expect(await reasonOf(gpu.watch, innocent)).toMatchObject({ name: 'BrowserUnavailableError' })
  })

  it('is ended with its browser, so that a page which goes on does not interrupt what is retried', async () => {
    const cause = leasedPage({ isCaptured: false })
    const innocent = leasedPage()
    const gpu = sharedGpu(cause, innocent)
    await gpu.hang()
    expect(await reasonOf(gpu.watch, cause)).toBeUndefined()
    expect(await reasonOf(gpu.watch, innocent)).toMatchObject({ name: 'BrowserUnavailableError' })
    expect(gpu.drainBrowser).toHaveBeenCalledOnce()
  })

  it('is the cause of a timeout meanwhile, which is not cached', async () => {
    const { watch, use, rest } = sharedGpu(leasedPage({ isCaptured: false }))
    const isTimeoutCached = async () => {
      const { entries } = startEntries()
      await rememberFailure(
        entries,
        new PageError('ETIMEOUT', 'The page did not respond.', { cause: watch.delayCause() }),
      )
      return (await readFailure('page', entries)) !== undefined
    }
    expect(await isTimeoutCached()).toBe(true)
    for (let count = 0; count < 20; count++) use(50)
    expect(await isTimeoutCached()).toBe(false)
    rest()
    expect(await isTimeoutCached()).toBe(true)
  })
})
