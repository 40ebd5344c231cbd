import { busyError } from '../busy-error.js'
import type { Images } from '../images/index.js'
import { loadOnce } from '../jobs/index.js'
import type { Guard } from '../network/index.js'
import type { ExtractionScope } from '../request-scope.js'
import { loadAdBlocker } from './ad-blocker.js'
import { capturePage, renderPage, viewPage, type Capture, type RenderedPage, type ViewedPage } from './capture-page.js'
import { createPageQueue, type PageQueueOptions } from './create-page-queue.js'
import type { FoundChromium } from './find-chromium.js'
import type { InstalledChromium } from './installed-chromiums.js'
import { createLauncher, type Launcher, type LauncherOptions } from './launch-browser.js'
import { createFontCheck } from './missing-fonts.js'
import type { FetchImage } from './overlay.js'
import { probeChromium } from './probe-chromium.js'
import { superviseBrowser, type BrowserStatus, type Supervisor, type SupervisorOptions } from './supervisor.js'
import { runVisit, type ShownFile, type Visit } from './visit.js'

/** Captures and renders pages in a supervised Chromium. */
export interface Browser {
  /**
   * Takes the screenshot that a request asks for, within its time. Its allowed hosts apply to the page and its navigations, the image
   * in `overlay.background` and `styles`.
   *
   * @param needsHtml   Called once the page has loaded: whether its document is needed in addition to the screenshot. Default: no.
   * @param viewOfFile  Called if the target is a file and no page: what is shown instead. Default: what the browser shows.
   * @throws            {PageError} `EINVALQUERY`, `EINVALOVERLAYBG`, `EELEMENT`, `EFORBIDDENURL`, `EUNREACHABLE`, `EMAXREDIRECTS`, `ETOOLARGE`, `EBUSY`,
   *                   `ETIMEOUT`, `EBRWSRTIMEOUT`, `EFATAL`. An aborted `signal` throws its own reason, at once.
   */
  capture(scope: ExtractionScope, needsHtml?: () => boolean, viewOfFile?: ShownFile['view']): Promise<Capture>
  /** Opens a page for what it shows, without a screenshot. Parameters and errors are those of `capture`. */
  view(scope: ExtractionScope, needsHtml?: () => boolean, viewOfFile?: ShownFile['view']): Promise<ViewedPage>
  /** Opens a page for its document alone, without images, fonts and media. Throws as `capture` does. */
  render(scope: ExtractionScope): Promise<RenderedPage>
  /** Whether a browser runs, or can be launched, and responds; checked at most once a second. */
  isReady(): Promise<boolean>
  /**
   * Launches the browser now, so that the first capture does not have to wait for it. Waits for at most 10 seconds.
   *
   * @throws  {Error} only if the browser needs its sandbox and cannot have it.
   */
  warm(): Promise<void>
  /**
   * Launches a Chromium that was installed, with the next page; pages that are open stay in the one before.
   *
   * @returns  Resolves once the one before has exited, and other processes may remove it.
   * @throws   {Error} when it does not start; the one before stays.
   */
  replaceChromium(installed: InstalledChromium): Promise<{ previousGone: Promise<void> }>
  status(): BrowserStatus & {
    /** The Chromium that is launched; `undefined` before the first launch. */
    chromium: FoundChromium | undefined
    /** Screenshots taken so far. */
    captures: number
    /** Pages opened so far without a screenshot. */
    renderings: number
    /** Pages that are waiting for the browser right now. */
    queueLength: number
    /** Pages that may be open at the same time, and how many are. */
    slots: { all: number; busy: number }
  }
  /** Aborts running captures, shuts the browser down, and removes its profile. */
  close(): Promise<void>
}

export interface BrowserOptions extends LauncherOptions, Omit<SupervisorOptions, 'launch'> {
  /** Explains failed navigations; which requests pass is decided by the proxy. */
  guard: Pick<Guard, 'check'>
  /** Fetches the image of `overlay.background` under the same network rules; at most 10 MB. */
  fetchImage: FetchImage
  /** Encodes screenshots. */
  images: Images
  /** Pages that are open at the same time, without the reserve of half as many for clients with none. */
  concurrency: number
  /** Pages that may wait in the queue. */
  maxQueue: number
  onWaited?: PageQueueOptions['onWaited']
}

const READY_TIMEOUT_MS = 2_000
/** Enough for a launch, but not for a download. */
const WARM_TIMEOUT_MS = 10_000
const READY_CACHE_MS = 1_000

/** Launches nothing yet: the first capture, `isReady` or `warm` does. */
export function createBrowser(options: BrowserOptions): Browser {
  const { guard, fetchImage, images, concurrency, maxQueue: maxWaiting, onWaited, log } = options
  const queue = createPageQueue({ concurrency, maxWaiting, onWaited })
  const launcher = createLauncher(options)
  const supervisor = superviseBrowser({ ...options, launch: launcher.launch })
  const closing = new AbortController()
  const adBlocker = loadOnce(loadAdBlocker)
  const fonts = createFontCheck()
  const parts = { queue, supervisor, guard, fetchImage, images, adBlocker, fonts, closing: closing.signal, log }
  const counts = { captures: 0, renderings: 0 }

  return {
    async capture(scope, needsHtml = () => false, viewOfFile) {
      // Starts while the page loads.
      images.warm({ withPalette: scope.query.palette })
      const file = viewOfFile && { view: viewOfFile }
      const task = (visit: Visit) => capturePage(visit, needsHtml)
      const capture = await runVisit(scope, { isTextOnly: false, file, task }, parts)
      counts.captures++
      return capture
    },
    async view(scope, needsHtml = () => false, viewOfFile) {
      const file = viewOfFile && { view: viewOfFile }
      const task = (visit: Visit) => viewPage(visit, needsHtml)
      const viewed = await runVisit(scope, { isTextOnly: false, file, task }, parts)
      counts.renderings++
      return viewed
    },
    async render(scope) {
      const rendered = await runVisit(scope, { isTextOnly: true, file: undefined, task: renderPage }, parts)
      counts.renderings++
      return rendered
    },
    isReady: createReadinessCheck(supervisor),
    async warm() {
      images.warm()
      // A capture that needs the ad blocker reports its failure.
      adBlocker().catch(() => undefined)
      await supervisor.warm(WARM_TIMEOUT_MS)
      if (supervisor.isRunning()) void fonts.report(supervisor, { log, signal: closing.signal })
    },
    replaceChromium: (installed) => replaceChromium(installed, { launcher, supervisor, signal: closing.signal }),
    status: () => ({
      ...supervisor.status(),
      chromium: launcher.chromium(),
      ...counts,
      queueLength: queue.length(),
      slots: { all: queue.slots, busy: queue.running() },
    }),
    async close() {
      closing.abort(busyError('The service is shutting down', { retryAfterMs: 1_000 }))
      await supervisor.close()
      await launcher.close()
    },
  }
}

async function replaceChromium(
  installed: InstalledChromium,
  { launcher, supervisor, signal }: { launcher: Launcher; supervisor: Supervisor; signal: AbortSignal },
): Promise<{ previousGone: Promise<void> }> {
  const previous = launcher.chromium()
  const chromium = await probeChromium(installed.path, { env: process.env, signal })
  const endUse = await launcher.use({ ...chromium, source: 'installed', installed }, signal)
  try {
    const { previousGone } = await supervisor.replace()
    return { previousGone: previousGone.then(endUse) }
  } catch (error) {
    if (previous) await launcher.use(previous, signal)
    await endUse()
    throw error
  }
}

function createReadinessCheck(supervisor: Supervisor): () => Promise<boolean> {
  let latest: { checkedAt: number; isReady: Promise<boolean> } | undefined
  return () => {
    if (!latest || performance.now() - latest.checkedAt > READY_CACHE_MS)
      latest = { checkedAt: performance.now(), isReady: supervisor.respondsWithin(READY_TIMEOUT_MS) }
    return latest.isReady
  }
}
