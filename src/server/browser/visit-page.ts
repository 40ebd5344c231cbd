import type { HostList } from '../../query/help/index.js'
import type { PageQuery } from '../../query/index.js'
import { notAllowedError } from '../network/index.js'
import { hideBanners } from './ads/hide-banners.js'
import type { AdBlocker } from './ads/load-ad-blocker.js'
import { emulateDevice } from './emulate-device.js'
import { interact } from './interact.js'
import { interceptRequests } from './intercept-requests.js'
import type { MainFrame } from './main-frame.js'
import { navigate } from './navigate.js'
import { navigationError, type NavigationGuard } from './navigation-error.js'
import type { OpenPage } from './open-page.js'
import type { Device } from './resolve-device.js'
import type { Deadline } from './start-deadline.js'
import { trackMainFrame } from './track-main-frame.js'
import { waitForLoad } from './wait-for-load.js'
import { waitForScroll } from './wait-for-scroll.js'

export interface VisitPageOptions {
  query: PageQuery
  device: Device
  /** User agent of desktop devices. */
  userAgent: string
  guard: NavigationGuard
  /** The hosts of the page, its navigations and `styles`; `undefined`: every host. */
  allowedHosts: HostList | undefined
  /** `undefined` with `adblock=false`. */
  adBlocker: AdBlocker | undefined
  /** Whether images, fonts and media are skipped, because the page is not captured. */
  isTextOnly: boolean
  deadline: Deadline
  signal: AbortSignal
  /** Called when the first document has arrived; from then on the visit mostly waits for the network. */
  onNavigated: () => void
  warn: (warning: string) => void
}

/**
 * Opens the page of a query, waits until it has loaded, and performs the query's interactions.
 *
 * @throws  {PageError} for a problem of the page or the query; any other error is the browser's.
 */
export async function visitPage(page: OpenPage, options: VisitPageOptions): Promise<MainFrame> {
  const { query, device, userAgent, guard, allowedHosts, adBlocker, isTextOnly, deadline, signal, onNavigated } =
    options
  const frame = trackMainFrame(page)

  deadline.enterStage('navigate')
  await Promise.all([
    emulateDevice(page, query, { device, userAgent }),
    interceptRequests(page, query, { adBlocker, isTextOnly, allowedHosts }),
  ])
  await navigate(page, frame, { query, signal })
  await assertLoaded(frame, { guard, allowedHosts, signal })

  deadline.enterStage('wait')
  onNavigated()
  await settlePage(page, frame, options)
  return frame
}

/** Waits until the document has loaded, and performs the query's interactions on it. Throws as `visitPage` does. */
async function settlePage(
  page: OpenPage,
  frame: MainFrame,
  { query, guard, allowedHosts, adBlocker, isTextOnly, deadline, signal, warn }: VisitPageOptions,
): Promise<void> {
  const { remainingWaitMs } = deadline
  const waitUntil = query.waitUntil ?? 'auto'
  if (!(await waitForLoad(page, frame, { waitUntil, remainingWaitMs, signal })))
    warn('The page was still loading when its time was up; the result shows what had loaded by then.')
  await assertLoaded(frame, { guard, allowedHosts, signal })
  if (adBlocker) await hideBanners(page, adBlocker.selectorsFor(frame.document()!.url))
  if (!isTextOnly) await waitForScroll(page, frame.document()!.url, { remainingWaitMs, signal })
  await interact(page, frame, query, { remainingWaitMs, signal, warn })
  if (page.isOverBudget())
    warn('The page exceeded the network limit of a capture; the result shows what had loaded by then.')
}

/** Brings the page into the state that is captured, after it has changed. Throws as `visitPage` does. */
export async function settleAgain(
  page: OpenPage,
  frame: MainFrame,
  { isReplaced, ...options }: VisitPageOptions & { isReplaced: boolean },
): Promise<void> {
  await assertLoaded(frame, options)
  if (isReplaced) await settlePage(page, frame, options)
  else if (options.adBlocker) await hideBanners(page, options.adBlocker.selectorsFor(frame.document()!.url))
}

/** @throws {PageError} the reason why the main frame has no document, or `EFORBIDDENURL` for that of a host which is not allowed. */
export async function assertLoaded(
  frame: MainFrame,
  { allowedHosts, ...options }: { guard: NavigationGuard; allowedHosts: HostList | undefined; signal: AbortSignal },
): Promise<void> {
  const failure = frame.failure()
  if (failure) throw await navigationError(failure, options)
  const { protocol, host, href } = new URL(frame.document()?.url ?? 'about:blank')
  if (protocol.startsWith('http') && allowedHosts?.allows(href) === false) throw notAllowedError(host)
}
