import { fields, isPageError, PageError } from '../../query/index.js'
import type { Images } from '../images/index.js'
import { restrictGuard } from '../network/index.js'
import type { RequestScope } from '../request-scope.js'
import { withSpan } from '../tracing.js'
import { abortable } from './abortable.js'
import type { AdBlocker } from './ads/load-ad-blocker.js'
import { BrowserUnavailableError } from './browser-unavailable-error.js'
import type { PageVisit } from './capture.js'
import type { CapturePageOptions } from './capture-page.js'
import type { PageQueue } from './create-page-queue.js'
import type { LogEvent } from './log-event.js'
import type { NavigationGuard } from './navigation-error.js'
import type { OpenPage } from './open-page.js'
import {
  prepareOverlay,
  type Overlay,
  type OverlayParameters,
  type PrepareOverlayOptions,
} from './overlay/prepare-overlay.js'
import type { FetchImage } from './overlay/read-background.js'
import { DocumentReplacedError } from './run-in-page.js'
import { resolveDevice, type Device } from './resolve-device.js'
import { startDeadline, type Deadline } from './start-deadline.js'
import type { Lease } from './supervised-browser.js'
import type { Supervisor } from './supervise-browser.js'
import { trackEncodings } from './track-encodings.js'

/** What every visit of one browser shares. */
export interface BrowserParts {
  queue: PageQueue
  supervisor: Supervisor
  guard: NavigationGuard
  fetchImage: FetchImage
  images: Images
  adBlocker: () => Promise<AdBlocker>
  /** Aborts when the browser is being shut down. */
  closing: AbortSignal
  log: LogEvent | undefined
}

export interface VisitOptions {
  /** In addition to the query's own `timeout`; the shorter one applies. */
  timeoutMs?: number | undefined
  /** `undefined`: the screenshot has no overlay. */
  overlay: OverlayParameters | undefined
}

/** The work on the page of a visit. */
export type PageTask<Result> = (page: OpenPage, options: Omit<CapturePageOptions, 'needsHtml'>) => Promise<Result>

const MAX_TIMEOUT_MS = fields.timeout.max
const MAX_ATTEMPTS = 2
/** A timeout counts as that of the browser, and not of the page, where the queue took at least this share of the time. */
const LONG_WAIT_SHARE = 0.3
const MIN_RETRY_AFTER_MS = 2_000
const YIELD_WARNING =
  'The waits for the page were cut short, because others were waiting for the browser; a later request may show more of it.'

/**
 * Waits for a slot in the queue, opens a page of the browser, and runs `task` with it within the time limit. A crash of the
 * browser is retried once, in a new context.
 *
 * @throws  {PageError} as `task` does; `EBUSY`, also when no browser is available, `ETIMEOUT`, `EBRWSRTIMEOUT`, `EFATAL`. An aborted `signal` throws its own reason.
 */
export async function runVisit<Result extends Pick<PageVisit, 'warnings'>>(
  scope: RequestScope,
  task: PageTask<Result>,
  { timeoutMs = MAX_TIMEOUT_MS, overlay }: VisitOptions,
  parts: BrowserParts,
): Promise<Result & Pick<PageVisit, 'timings' | 'isProvisional'>> {
  const { query, client, turns, hasPriority, signal } = scope
  const device = resolveDevice(query)
  const deadline = startDeadline({
    signals: [signal, parts.closing],
    timeoutMs: Math.min(timeoutMs, Number(query.timeout ?? MAX_TIMEOUT_MS), MAX_TIMEOUT_MS),
    isFullPage: typeof query.screenshot === 'object' && query.screenshot.fullPage === true,
  })
  const attempt = () => attemptVisit(scope, task, { device, deadline, overlay }, parts)
  const turn = { client, turns, hasPriority, host: new URL(query.url).host, remainingMs: deadline.remainingMs }
  try {
    const result = await parts.queue.run(
      turn,
      (slot) => {
        deadline.occupy(slot)
        return withSpan('capture', () => retry(attempt, deadline, parts.log))
      },
      deadline.signal,
    )
    const isProvisional = deadline.mustYield()
    const warnings = isProvisional ? [...result.warnings, YIELD_WARNING] : result.warnings
    return { ...result, warnings, isProvisional, timings: deadline.stop() }
  } catch (error) {
    throw (deadline.mustYield() && yieldError(error)) || (queueTimeoutError(error, deadline.stop()) ?? error)
  } finally {
    deadline.stop()
  }
}

/** The error of a page that timed out because a large part of its time had passed in the queue; `undefined` for any other. */
function queueTimeoutError(error: unknown, { queue: waitedMs = 0, total: totalMs = 0 }: Record<string, number>) {
  if (!isPageError(error) || error.code !== 'ETIMEOUT' || waitedMs < totalMs * LONG_WAIT_SHARE) return undefined
  const seconds = Math.ceil(waitedMs / 1_000)
  return new PageError(
    'EBRWSRTIMEOUT',
    `The page waited ${seconds} seconds for the browser, which left too little time for it. Try again later.`,
    { retryAfterMs: waitedMs, cause: error },
  )
}

/** The error of a page that failed in less time than it was entitled to; `undefined` for one that more time would not have prevented. */
function yieldError(cause: unknown): PageError | undefined {
  if (!isPageError(cause) || !(cause.code === 'ETIMEOUT' || cause.code === 'EELEMENT')) return undefined
  return new PageError(
    'EBRWSRTIMEOUT',
    'The page was not ready when others were waiting for the browser, which left too little time for it. Try again later.',
    { retryAfterMs: MIN_RETRY_AFTER_MS, cause },
  )
}

async function attemptVisit<Result>(
  { query, client, turns, allowedHosts }: RequestScope,
  task: PageTask<Result>,
  {
    device,
    deadline,
    overlay: parameters,
  }: { device: Device; deadline: Deadline; overlay: OverlayParameters | undefined },
  { supervisor, fetchImage, images, adBlocker: loadAdBlocker, ...parts }: BrowserParts,
): Promise<Result> {
  deadline.enterStage('browser')
  const guard = restrictGuard(parts.guard, allowedHosts)
  const adBlocker = query.adblock === false ? undefined : await loadAdBlocker()
  const finished = new AbortController()
  const leases: Lease[] = []
  const encoder = trackEncodings(images)
  try {
    const pageLease = await supervisor.lease(deadline.signal)
    leases.push(pageLease)
    const overlayLease = parameters && (await supervisor.lease(deadline.signal))
    if (overlayLease) leases.push(overlayLease)
    const signal = AbortSignal.any([deadline.signal, finished.signal, ...leases.map(({ gone }) => gone)])
    const overlay =
      overlayLease &&
      startOverlay(parameters, {
        page: overlayLease.page,
        fetchImage: (url, signal) => fetchImage(url, signal, allowedHosts),
        images,
        signal,
      })
    const { page, userAgent, openSparePage: onNavigated } = pageLease
    return await abortable(
      task(page, {
        query,
        client,
        turns,
        device,
        userAgent,
        guard,
        allowedHosts,
        images: encoder.images,
        adBlocker,
        overlay,
        deadline,
        signal,
        onNavigated,
      }),
      signal,
    )
  } catch (cause) {
    for (const { endReason } of leases) {
      const reason = await endReason(cause)
      if (reason) throw reason
    }
    if (!isPageError(cause) && leases.some(({ browserGone }) => browserGone.aborted))
      throw new BrowserUnavailableError('The browser exited, or can no longer be reached.', 0, { cause })
    throw cause
  } finally {
    finished.abort()
    for (const lease of leases) lease.release()
    // An aborted encoder is killed; until it has exited, its memory is in use.
    await encoder.settled()
  }
}

function startOverlay(parameters: OverlayParameters, options: PrepareOverlayOptions): Promise<Overlay> {
  const overlay = prepareOverlay(parameters, options)
  // The task awaits it later, and only if the visit has not failed by then.
  overlay.catch(() => undefined)
  return overlay
}

async function retry<Result>(
  attempt: () => Promise<Result>,
  { signal }: Deadline,
  log: LogEvent | undefined,
): Promise<Result> {
  for (let attempts = 1; ; attempts++) {
    try {
      return await attempt()
    } catch (cause) {
      if (isPageError(cause)) throw cause
      signal.throwIfAborted()
      log?.({ event: 'capture-failed', attempts, reason: String(cause) })
      if (attempts < MAX_ATTEMPTS) continue
      if (cause instanceof BrowserUnavailableError) throw unavailableError(cause)
      if (cause instanceof DocumentReplacedError)
        throw new PageError('ETIMEOUT', 'The page replaces its document again and again. Capture another page.', {
          cause,
        })
      throw new PageError(
        'EFATAL',
        'The browser failed to render the page. Try again later, or with javascript=false.',
        { cause },
      )
    }
  }
}

/** `EBUSY`, because a failure of the service is neither cached nor counted against the daily limit. */
function unavailableError(cause: BrowserUnavailableError): PageError {
  const retryAfterMs = Math.max(cause.retryAfterMs, MIN_RETRY_AFTER_MS)
  const seconds = Math.ceil(retryAfterMs / 1_000)
  return new PageError('EBUSY', `The browser of the service is not available. Try again in ${seconds} seconds.`, {
    retryAfterMs,
    cause,
  })
}
