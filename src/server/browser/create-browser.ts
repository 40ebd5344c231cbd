import { PageError } from '../../query/index.js'
import type { Images } from '../images/index.js'
import { loadOnce } from '../jobs/index.js'
import { loadAdBlocker } from './ad-blocker.js'
import { balanceBrowsers } from './balance-browsers.js'
import type { Browser } from './browser.js'
import { capturePage, renderPage } from './capture-page.js'
import { connectBrowser } from './connect-browser.js'
import { countLaunches } from './count-launches.js'
import { createLauncher } from './create-launcher.js'
import { createPageQueue, type PageQueueOptions } from './create-page-queue.js'
import type { LogEvent } from './log-event.js'
import type { FetchImage } from './overlay.js'
import type { PageProxy } from './open-page.js'
import type { LaunchBrowser } from './launch-with-backoff.js'
import { isRemoteBrowser } from './is-remote-browser.js'
import { runVisit } from './run-visit.js'
import { superviseBrowser, type Supervisor } from './supervise-browser.js'
import type { NavigationGuard, Visit } from './visit.js'

export interface BrowserOptions {
  /** Path of a Chromium, or addresses of running ones, see `isRemoteBrowser`. Default: one that is found, or installed. */
  executable?: string | readonly string[] | undefined
  /** Name or address by which running browsers reach the proxies of their pages. Default: 127.0.0.1. */
  proxyHost?: string | undefined
  /** Name of the user that runs the browser where the service runs as root. Default: `nobody`. */
  browserUser?: string | undefined
  /** Whether the browser may run without its sandbox where it cannot have one. Default: false. */
  allowUnsandboxed?: boolean | undefined
  /** Opens the proxy through which all requests of one page go. */
  openProxy: () => Promise<PageProxy>
  /** Explains failed navigations; which requests pass is decided by the proxy. */
  guard: NavigationGuard
  /** Fetches the image of `overlay.background` under the same network rules; at most 10 MB. */
  fetchImage: FetchImage
  /** Encodes screenshots. */
  images: Images
  /** Pages that are open at the same time, without the reserve of half as many for clients with none. Default: 2. */
  concurrency?: number | undefined
  /** Pages that may wait in the queue. Default: 50. */
  queue?: number | undefined
  onWaited?: PageQueueOptions['onWaited']
  /** A browser that does not respond for this long during a capture is killed and replaced. Default: 5000. */
  watchdogMs?: number | undefined
  /** A new browser takes over after this many pages. Default: 500. */
  recycleAfter?: number | undefined
  log?: LogEvent | undefined
}

const READY_TIMEOUT_MS = 2_000
/** Enough for a launch, but not for a download. */
const WARM_TIMEOUT_MS = 10_000
const READY_CACHE_MS = 1_000

/** Launches nothing yet: the first capture, `isReady` or `warm` does. */
export function createBrowser(options: BrowserOptions): Browser {
  const { guard, fetchImage, images, concurrency = 2, queue: maxLength = 50, onWaited, log } = options
  const queue = createPageQueue({ concurrency, maxLength, onWaited })
  const launchers = launchersOf(options).map(countLaunches)
  const supervisor = createSupervisor(
    launchers.map((launcher) => launcher.launch),
    options,
  )
  const closing = new AbortController()
  const adBlocker = loadOnce(loadAdBlocker)
  const parts = { queue, supervisor, guard, fetchImage, images, adBlocker, closing: closing.signal, log }
  const counts = { captures: 0, renderings: 0 }

  return {
    async capture(scope, { timeoutMs, needsHtml = () => false }) {
      // Starts while the page loads.
      images.warm({ withPalette: scope.query.palette })
      const run = (visit: Visit) => capturePage(visit, needsHtml)
      const capture = await runVisit(scope, { timeoutMs, isTextOnly: false, run }, parts)
      counts.captures++
      return capture
    },
    async render(scope, { timeoutMs }) {
      const rendered = await runVisit(scope, { timeoutMs, isTextOnly: true, run: renderPage }, parts)
      counts.renderings++
      return rendered
    },
    isReady: createReadinessCheck(supervisor),
    async warm() {
      images.warm()
      // A capture that needs the ad blocker reports its failure.
      adBlocker().catch(() => undefined)
      await supervisor.warm(WARM_TIMEOUT_MS)
    },
    version: () => supervisor.version(),
    pid: () => supervisor.pid(),
    captures: () => counts.captures,
    renderings: () => counts.renderings,
    queueLength: () => queue.length(),
    slots: () => ({ all: queue.slots, busy: queue.running() }),
    restarts: () => launchers.reduce((sum, launcher) => sum + Math.max(0, launcher.count() - 1), 0),
    ageSeconds: () => oldestOf(launchers.map((launcher) => launcher.ageSeconds())),
    async close() {
      closing.abort(new PageError('EBUSY', 'The service is shutting down. Try again shortly.', { retryAfterMs: 1_000 }))
      await supervisor.close()
    },
  }
}

/** One for each browser that the service uses at the same time. */
function launchersOf({
  executable,
  browserUser,
  allowUnsandboxed,
  proxyHost = '127.0.0.1',
  log,
}: BrowserOptions): LaunchBrowser[] {
  const executables = [executable ?? []].flat()
  const addresses = executables.filter(isRemoteBrowser)
  if (!addresses.length) return [createLauncher({ executable: executables[0], browserUser, allowUnsandboxed, log })]
  return addresses.map((address) => (signal) => connectBrowser(address, { proxyHost, allowUnsandboxed, signal }))
}

function createSupervisor(
  launchers: readonly LaunchBrowser[],
  { openProxy, watchdogMs = 5_000, recycleAfter = 500, log }: BrowserOptions,
): Supervisor {
  const options = { openProxy, watchdogMs, recycleAfter, log }
  return balanceBrowsers(launchers.map((launch) => superviseBrowser({ ...options, launch })))
}

function createReadinessCheck(supervisor: Supervisor): () => Promise<boolean> {
  let latest: { checkedAt: number; isReady: Promise<boolean> } | undefined
  return () => {
    if (!latest || performance.now() - latest.checkedAt > READY_CACHE_MS)
      latest = { checkedAt: performance.now(), isReady: supervisor.respondsWithin(READY_TIMEOUT_MS) }
    return latest.isReady
  }
}

function oldestOf(ages: readonly (number | undefined)[]): number | undefined {
  const known = ages.filter((age) => age !== undefined)
  return known.length ? Math.max(...known) : undefined
}
