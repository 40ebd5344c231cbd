import { setTimeout as delay } from 'node:timers/promises'
import { fields, isPageError, PageError } from '../../query/index.js'
import type { Images } from '../images/index.js'
import { restrictGuard } from '../network/index.js'
import type { RequestScope } from '../request-scope.js'
import { withSpan } from '../tracing.js'
import { abortable } from './abortable.js'
import type { AdBlocker } from './ad-blocker.js'
import { BrowserUnavailableError } from './browser-unavailable-error.js'
import type { PageQueue } from './create-page-queue.js'
import { resolveDevice } from './emulation.js'
import type { LogEvent } from './log-event.js'
import { MainFrame } from './main-frame.js'
import { overlayOf, prepareOverlay, type FetchImage } from './overlay.js'
import { DocumentReplacedError } from './run-in-page.js'
import { startDeadline, type Deadline } from './start-deadline.js'
import type { Lease, Supervisor } from './supervisor.js'
import type { NavigationGuard, Visit, VisitReport } from './visit.js'

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

/** What is done with the page of a visit. */
export interface VisitTask<Result> {
  /** In addition to the query's own `timeout`; the shorter one applies. */
  timeoutMs?: number | undefined
  /** Whether images, fonts, media and the overlay are skipped, because the page is not captured. */
  isTextOnly: boolean
  run: (visit: Visit) => Promise<Result>
}

const MAX_TIMEOUT_MS = fields.timeout.max
const MAX_ATTEMPTS = 2
/** A timeout counts as that of the browser, and not of the page, if the queue took at least this share of the time. */
const LONG_WAIT_SHARE = 0.3
const MIN_RETRY_AFTER_MS = 2_000
/** Killing an encoder takes milliseconds, unless the machine hangs; other visits must not wait for that. */
const MAX_ENCODER_WAIT_MS = 5_000
const YIELD_WARNING =
  'The waits for the page were cut short, because others were waiting for the browser; a later request may show more of it.'

/**
 * Waits for a slot in the queue, opens a page of the browser, and runs a task with it within the time limit. A crash of the
 * browser is retried once, in a new context.
 *
 * @throws  {PageError} as the task does; `EBUSY`, also when no browser is available, `ETIMEOUT`, `EBRWSRTIMEOUT`, `EFATAL`. An aborted `signal` throws its own reason.
 */
export async function runVisit<Result>(
  scope: RequestScope,
  task: VisitTask<Result>,
  parts: BrowserParts,
): Promise<Result & VisitReport> {
  const { query, client, turns, hasPriority, signal } = scope
  const { timeoutMs = MAX_TIMEOUT_MS } = task
  const device = resolveDevice(query)
  const deadline = startDeadline({
    signals: [signal, parts.closing],
    timeoutMs: Math.min(timeoutMs, Number(query.timeout ?? MAX_TIMEOUT_MS), MAX_TIMEOUT_MS),
    isFullPage: typeof query.screenshot === 'object' && query.screenshot.fullPage === true,
  })
  const attempt = () => attemptVisit({ ...scope, device, deadline }, task, parts)
  const turn = { client, turns, hasPriority, host: new URL(query.url).host, remainingMs: deadline.remainingMs }
  try {
    const { result, warnings } = await parts.queue.run(
      turn,
      (slot) => {
        deadline.occupy(slot)
        return withSpan('capture', () => retry(attempt, deadline, parts.log))
      },
      deadline.signal,
    )
    const isProvisional = deadline.hasShortenedWaits()
    if (isProvisional) warnings.add(YIELD_WARNING)
    return { ...result, warnings: [...warnings], isProvisional, timings: deadline.stop() }
  } catch (error) {
    const shortened = deadline.mustYield() ? yieldError(error) : undefined
    throw shortened ?? queueTimeoutError(error, deadline.stop()) ?? error
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

/** The error of a page that failed because it had to make room for others; `undefined` if more time would not have helped. */
function yieldError(cause: unknown): PageError | undefined {
  if (!isPageError(cause) || !(cause.code === 'ETIMEOUT' || cause.code === 'EELEMENT')) return undefined
  return new PageError(
    'EBRWSRTIMEOUT',
    'The page was not ready when others were waiting for the browser, which left too little time for it. Try again later.',
    { retryAfterMs: MIN_RETRY_AFTER_MS, cause },
  )
}

async function attemptVisit<Result>(
  request: RequestScope & Pick<Visit, 'device' | 'deadline'>,
  { isTextOnly, run }: VisitTask<Result>,
  { supervisor, fetchImage, images, adBlocker: loadAdBlocker, ...parts }: BrowserParts,
): Promise<Pick<Visit, 'warnings'> & { result: Result }> {
  const { query, allowedHosts, deadline } = request
  deadline.enterStage('browser')
  const guard = restrictGuard(parts.guard, allowedHosts)
  const adBlocker = query.adblock === false ? undefined : await loadAdBlocker()
  const overlayParameters = isTextOnly ? undefined : overlayOf(query)
  const finished = new AbortController()
  const leases: Lease[] = []
  const encodings: Promise<unknown>[] = []
  const encodeScreenshot: Images['encodeScreenshot'] = (...args) => {
    const encoding = images.encodeScreenshot(...args)
    encodings.push(encoding)
    return encoding
  }
  try {
    const pageLease = await supervisor.lease(deadline.signal)
    leases.push(pageLease)
    deadline.followDelays(pageLease.delayCause)
    const overlayLease = overlayParameters && (await supervisor.lease(deadline.signal))
    if (overlayLease) leases.push(overlayLease)
    const signal = AbortSignal.any([deadline.signal, finished.signal, ...leases.map(({ gone }) => gone)])
    const overlay =
      overlayLease &&
      prepareOverlay(overlayParameters, { page: overlayLease.page, fetchImage, images, allowedHosts, signal })
    // The task awaits it later, and only if the visit has not failed by then.
    overlay?.catch(() => undefined)
    const visit: Visit = {
      ...request,
      signal,
      page: pageLease.page,
      frame: new MainFrame(pageLease.page, signal),
      userAgent: pageLease.userAgent,
      guard,
      adBlocker,
      images: { ...images, encodeScreenshot },
      overlay,
      isTextOnly,
      warnings: new Set(),
      openSparePage: pageLease.openSparePage,
    }
    return { result: await abortable(run(visit), signal), warnings: visit.warnings }
  } catch (cause) {
    for (const { endReason } of leases) {
      const reason = await endReason()
      if (reason) throw reason
    }
    if (!isPageError(cause) && leases.some(({ browserGone }) => browserGone.aborted))
      throw new BrowserUnavailableError('The browser exited, or can no longer be reached.', 0, { cause })
    throw cause
  } finally {
    finished.abort()
    for (const lease of leases) lease.release()
    // An aborted encoder is killed; until it has exited, its memory is in use.
    await settled(encodings)
  }
}

/** Resolves when none of them runs any more, including those whose caller was aborted, after 5 seconds at the latest. */
async function settled(encodings: readonly Promise<unknown>[]): Promise<void> {
  const timer = new AbortController()
  const timeout = delay(MAX_ENCODER_WAIT_MS, undefined, { signal: timer.signal }).catch(() => undefined)
  await Promise.race([Promise.allSettled(encodings), timeout])
  timer.abort()
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
      signal.throwIfAborted()
      if (isPageError(cause)) throw cause
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
