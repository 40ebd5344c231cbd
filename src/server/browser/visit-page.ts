import type { PageQuery } from '../../query/index.js'
import type { AdBlocker } from './ads/ad-blocker.js'
import { hideBanners } from './ads/hide-banners.js'
import type { CaptureClock } from './capture-clock.js'
import type { Device } from './devices.js'
import { emulate } from './emulate.js'
import { explainFailure, type Explainer } from './explain-failure.js'
import { interact } from './interact.js'
import { interceptRequests } from './intercept-requests.js'
import { watchMainFrame, type MainFrame } from './main-frame.js'
import { navigate } from './navigate.js'
import type { OpenPage } from './open-page.js'
import { settle } from './settle.js'

export interface VisitPageOptions {
  query: PageQuery
  device: Device
  /** For desktop devices. */
  userAgent: string
  guard: Explainer
  /** Absent with `adblock=false`. */
  adBlocker: AdBlocker | undefined
  /** Whether pictures, fonts, sound and film are left out, for nobody will see the page. */
  isLight: boolean
  clock: CaptureClock
  signal: AbortSignal
  /** Called when the page is there, and will mostly be waited for. */
  onceThere: () => void
  warn: (warning: string) => void
}

/**
 * Opens the page of a query, waits until it has settled, and does with it what the query wants done before it is looked at.
 *
 * @throws  {PageError} what is wrong with the page or the query; any other error is the browser's.
 */
export async function visitPage(page: OpenPage, options: VisitPageOptions): Promise<MainFrame> {
  const { query, device, userAgent, guard, adBlocker, isLight, clock, signal, onceThere, warn } = options
  const { patienceMs } = clock
  const frame = watchMainFrame(page)

  clock.enter('navigate')
  await Promise.all([
    emulate(page, query, { device, userAgent }),
    interceptRequests(page, query, { adBlocker, isLight }),
  ])
  await navigate(page, frame, { query, signal })
  await assertShown(frame, { guard, signal })

  clock.enter('settle')
  onceThere()
  const waitUntil = query.waitUntil ?? 'auto'
  if (!(await settle(page, frame, { waitUntil, patienceMs, signal })))
    warn('The page was still loading when its time was up; the answer shows what was there by then.')
  await assertShown(frame, { guard, signal })
  if (adBlocker) await hideBanners(page, adBlocker.selectorsFor(frame.shown()!.url))
  await interact(page, frame, query, { patienceMs, signal, warn })
  return frame
}

/** @throws {PageError} why the main frame shows nothing, when it does not. */
export async function assertShown(frame: MainFrame, options: { guard: Explainer; signal: AbortSignal }): Promise<void> {
  const failure = frame.failure()
  if (failure) throw await explainFailure(failure, options)
}
