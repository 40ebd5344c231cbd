import sharp from 'sharp'
import { fields, isPageError, PageError, type PageQuery } from '../../query/index.js'
import { abortable } from './abortable.js'
import { loadAdBlocker, type AdBlocker } from './ads/ad-blocker.js'
import type { Capture, Rendering, Visit } from './capture.js'
import { startCaptureClock, type CaptureClock } from './capture-clock.js'
import { capturePage, type CapturePageOptions } from './capture-page.js'
import { connectBrowser } from './connect-browser.js'
import { resolveDevice, type Device } from './devices.js'
import { ensureChromium } from './ensure-chromium.js'
import type { Explainer } from './explain-failure.js'
import type { FoundChromium, Log } from './found-chromium.js'
import { launchBrowser } from './launch-browser.js'
import type { FetchImage } from './overlay/background.js'
import type { OpenPage } from './open-page.js'
import { openOverlay, type OverlayParameters } from './overlay/open-overlay.js'
import { probeChromium } from './probe-chromium.js'
import { renderPage } from './render-page.js'
import type { RunningBrowser } from './running-browser.js'
import { createSlots } from './slots.js'
import { supervise, type Lease } from './supervise.js'

export interface BrowserOptions {
  /** Path of a Chromium, or `ws://…` of one that runs. Default: one that is found, or installed. */
  executable?: string | undefined
  /** The egress proxy, `http://127.0.0.1:PORT`: the browser's only way out. */
  proxyUrl: string
  /** Asked why a navigation of the main frame failed; what is let through is the proxy's decision. */
  guard: Explainer
  /** Fetches what `overlay.background` names, under the same network rules; at most 10 MB. */
  fetchImage: FetchImage
  /** Captures at once. Default: 2. */
  concurrency?: number | undefined
  /** Captures that may wait. Default: 50. */
  queue?: number | undefined
  /** A browser that does not answer for so long while captures run is killed and replaced. Default: 5000. */
  watchdogMs?: number | undefined
  /** Another browser takes over after so many captures. Default: 500. */
  recycleAfter?: number | undefined
  log?: Log | undefined
}

export interface VisitOptions {
  signal: AbortSignal
  /** Beside the query's own `timeout`; the shorter one counts. */
  deadlineMs?: number
}

/** One supervised Chromium that takes pictures. */
export interface Browser {
  /**
   * @param wantsHtml  Asked once the page is there: whether its document is wanted beside the picture. Default: it is not.
   * @throws           {PageError} `EINVALQUERY`, `EINVALOVERLAYBG`, `EELEMENT`, `EFORBIDDENURL`, `EUNREACHABLE`, `EMAXREDIRECTS`, `ETOOLARGE`, `EBUSY`,
   *                   `ETIMEOUT`, `EBRWSRTIMEOUT`, `EFATAL`. An aborted `signal` throws its own reason, at once.
   */
  capture(query: PageQuery, options: VisitOptions & { wantsHtml?: () => boolean }): Promise<Capture>
  /** Opens a page for its document alone, without pictures, fonts, sound and film. Throws as `capture` does. */
  render(query: PageQuery, options: VisitOptions): Promise<Rendering>
  /** Whether a browser is there, or starts, and answers; asked at most once a second. */
  isReady(): Promise<boolean>
  /** Starts the browser now, so that the first capture need not. */
  warm(): void
  /** Of the browser, while one runs that was started here. */
  pid(): number | undefined
  /** Pictures taken so far. */
  captures(): number
  /** Pages opened so far for their document alone. */
  renderings(): number
  /** Pages that wait for their turn right now. */
  waiting(): number
  /** Ends running captures and the browser, and removes what they left. */
  close(): Promise<void>
}

/** What is done with a page while it is open. */
type Work<Result> = (page: OpenPage, options: Omit<CapturePageOptions, 'wantsHtml'>) => Promise<Result>

const MAX_DEADLINE_MS = fields.timeout.max
const ATTEMPTS = 2
const READY_TIMEOUT_MS = 2_000
const READY_CACHE_MS = 1_000

/** Starts nothing yet: the first capture, `isReady` or `warm` does. */
export function createBrowser(options: BrowserOptions): Browser {
  const {
    proxyUrl,
    guard,
    fetchImage,
    concurrency = 2,
    queue = 50,
    watchdogMs = 5_000,
    recycleAfter = 500,
    log,
  } = options
  // libvips' own threads and cache gain nothing here, and fragment memory: https://sharp.pixelplumbing.com/install#linux-memory-allocator
  sharp.concurrency(1)
  sharp.cache(false)
  const slots = createSlots({ concurrency, queue })
  const supervisor = supervise({ start: starter(options), proxyUrl, watchdogMs, recycleAfter, log })
  const closing = new AbortController()
  let captures = 0
  let renderings = 0
  let readiness: { at: number; answer: Promise<boolean> } | undefined

  let ads: Promise<AdBlocker> | undefined
  const loadAds = () => {
    ads ??= loadAdBlocker()
    return ads
  }

  const attempt = async <Result>(
    query: PageQuery,
    { device, clock, words }: { device: Device; clock: CaptureClock; words: OverlayParameters | undefined },
    work: Work<Result>,
  ): Promise<Result> => {
    clock.enter('browser')
    const adBlocker = query.adblock === false ? undefined : await loadAds()
    const ended = new AbortController()
    const leases = [await supervisor.lease(clock.signal)]
    try {
      if (words) leases.push(await supervisor.lease(clock.signal))
      const signal = AbortSignal.any([clock.signal, ended.signal, ...leases.map(({ gone }) => gone)])
      const [{ page, userAgent, prepareNext: onceThere }, drawing] = leases as [Lease, Lease?]
      const overlay = words && drawing && openOverlay(words, { page: drawing.page, fetchImage, signal })
      // Heard when the page is there, or else of no interest.
      overlay?.catch(() => undefined)
      const options = { query, device, userAgent, guard, adBlocker, overlay, clock, signal, onceThere }
      return await abortable(work(page, options), signal)
    } finally {
      ended.abort()
      for (const lease of leases) lease.end()
    }
  }

  const visit = async <Result>(
    query: PageQuery,
    { signal, deadlineMs = MAX_DEADLINE_MS, words }: VisitOptions & { words: OverlayParameters | undefined },
    work: Work<Result>,
  ): Promise<Result & Pick<Visit, 'timings'>> => {
    const device = resolveDevice(query)
    const clock = startCaptureClock({
      signal: AbortSignal.any([signal, closing.signal]),
      deadlineMs: Math.min(deadlineMs, Number(query.timeout ?? MAX_DEADLINE_MS), MAX_DEADLINE_MS),
      isFullPage: typeof query.screenshot === 'object' && query.screenshot.fullPage === true,
    })
    let giveBack: (() => void) | undefined
    try {
      giveBack = await slots.take(clock.signal)
      const result = await retry(() => attempt(query, { device, clock, words }, work), { clock, log })
      return { ...result, timings: clock.stop() }
    } finally {
      clock.stop()
      giveBack?.()
    }
  }

  return {
    async capture(query, { wantsHtml = () => false, ...options }) {
      const words = overlayOf(query)
      const capture = await visit(query, { ...options, words }, (page, turn) =>
        capturePage(page, { ...turn, wantsHtml }),
      )
      captures++
      return capture
    },
    async render(query, options) {
      const rendering = await visit(query, { ...options, words: undefined }, renderPage)
      renderings++
      return rendering
    },
    isReady() {
      if (!readiness || performance.now() - readiness.at > READY_CACHE_MS)
        readiness = { at: performance.now(), answer: supervisor.answersWithin(READY_TIMEOUT_MS) }
      return readiness.answer
    },
    warm() {
      supervisor.warm()
      // A capture that needs them tells of their failure.
      loadAds().catch(() => undefined)
    },
    pid: () => supervisor.pid(),
    captures: () => captures,
    renderings: () => renderings,
    waiting: () => slots.waiting(),
    async close() {
      closing.abort(
        new PageError('EBUSY', 'The service is being stopped. Ask again in a moment.', { retryAfterMs: 1_000 }),
      )
      await supervisor.close()
    },
  }
}

function overlayOf({ overlay, screenshot }: PageQuery): OverlayParameters | undefined {
  const words = overlay ?? (typeof screenshot === 'object' ? screenshot.overlay : undefined)
  return words?.browser || words?.background ? words : undefined
}

/** A browser may crash, or fail to draw: once, the work is done again, in a new context. */
async function retry<Result>(
  work: () => Promise<Result>,
  { clock, log }: { clock: CaptureClock; log: Log | undefined },
): Promise<Result> {
  for (let tried = 1; ; tried++) {
    try {
      return await work()
    } catch (cause) {
      clock.signal.throwIfAborted()
      if (isPageError(cause)) throw cause
      log?.({ event: 'capture-failed', tried, reason: String(cause) })
      if (tried < ATTEMPTS) continue
      throw new PageError('EFATAL', 'The browser failed to show the page.', { cause })
    }
  }
}

function starter({ executable, proxyUrl, log }: BrowserOptions): (signal: AbortSignal) => Promise<RunningBrowser> {
  let found: Promise<FoundChromium> | undefined
  const find = async (signal: AbortSignal): Promise<FoundChromium> => {
    if (!executable) return ensureChromium({ log, signal })
    return { path: executable, source: 'option', ...(await probeChromium(executable, { env: process.env, signal })) }
  }
  return async (signal) => {
    if (executable && /^wss?:/.test(executable)) return connectBrowser(executable)
    found ??= find(signal)
    try {
      return await launchBrowser(await found, { proxyUrl, log })
    } catch (error) {
      // Next time it is looked for again: it may have been installed, or moved.
      found = undefined
      throw error
    }
  }
}
