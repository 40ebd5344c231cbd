import { setTimeout as delay } from 'node:timers/promises'
import { canParseUrl } from '../../query/written-url.js'
import { isPageError, PageError } from '../../query/index.js'
import type { Slot } from '../budget/index.js'
import type { Images } from '../images/index.js'
import { busyError } from '../busy-error.js'
import type { FileView } from '../page/index.js'
import { restrictGuard, type Guard } from '../network/index.js'
import { quote } from '../quote.js'
import type { ExtractionScope } from '../request-scope.js'
import { withSpan } from '../tracing.js'
import { abortable } from './abortable.js'
import type { AdBlocker } from './ad-blocker.js'
import { BrowserUnavailableError } from './running-browser.js'
import { TAB_CRASHED, type OpenPage } from './open-page.js'
import type { PageQueue } from './create-page-queue.js'
import { startDeadline, type Deadline, type PageSighting } from './deadline.js'
import { resolveDevice, type Device } from './emulation.js'
import type { LogEvent } from '../log.js'
import { MainFrame } from './main-frame.js'
import type { FontCheck } from './missing-fonts.js'
import { overlayOf, prepareOverlay, type FetchImage, type Overlay } from './overlay.js'
import type { Lease, Supervisor } from './supervisor.js'

/**
 * A request whose page is open in the browser. Its `allowedHosts` apply to the page, its navigations, `styles` and the image of
 * `overlay.background`; its `signal` also aborts when the time of the visit is up, or the page is gone.
 */
export interface Visit extends ExtractionScope {
  page: OpenPage
  frame: MainFrame
  device: Device
  /** User agent of desktop devices. */
  userAgent: string
  /** Explains failed navigations. */
  guard: Pick<Guard, 'check'>
  /** `undefined` with `adblock=false`. */
  adBlocker: AdBlocker | undefined
  images: Images
  fonts: FontCheck
  /** Prepared at the same time as the page; its failure ends the visit. `undefined`: the screenshot has none. */
  overlay: Promise<Overlay> | undefined
  /** What is shown instead of a file; `undefined` if the caller has nothing better than the browser. */
  file: ShownFile | undefined
  /** Whether images, fonts and media are skipped, because only the document is read. */
  isTextOnly: boolean
  deadline: Deadline
  /** Sentences for the response; a set, because a second attempt with the same document repeats them. */
  warnings: Set<string>
  /** What no document of the visit loads any more, because it did not arrive and kept a page from being painted. */
  blockedUrls: Set<string>
  /** The document on which the query's interactions have been performed. */
  settledLoaderId: string | undefined
  /** Opens the page of the next visit; best called while this one waits for the network. */
  openSparePage: () => void
}

/** What a visit shows instead of a file. */
export interface ShownFile {
  /** Resolves once the file was read; `undefined`: what the browser shows by itself. */
  view: () => Promise<FileView | undefined>
  /** Set by `showFile`; `undefined`: the target is no file, or is shown by the browser. */
  shown?: FileView | undefined
}

/** How a visit went. */
export interface VisitReport {
  /** Whether its waits were cut short because others waited for the browser; another time it may show more. */
  isProvisional: boolean
  /** Sentences for the `warnings` of the response. */
  warnings: string[]
  /** Milliseconds per stage, and in `total`. */
  timings: Record<string, number>
}

/** What every visit of one browser shares. */
export interface BrowserParts {
  queue: PageQueue
  supervisor: Supervisor
  guard: Pick<Guard, 'check'>
  fetchImage: FetchImage
  images: Images
  adBlocker: () => Promise<AdBlocker>
  fonts: FontCheck
  /** Aborts when the browser is being shut down. */
  closing: AbortSignal
  log: LogEvent | undefined
}

const MAX_ATTEMPTS = 2
/** A timeout is blamed on the browser, and not on the page, if the queue took at least this share of the time. */
const LONG_WAIT_SHARE = 0.3
const MIN_RETRY_AFTER_MS = 2_000
/** A request that has been without a sign of life for this long may be what a page waits for. */
const MIN_SYNC_REQUEST_MS = 500
/** Killing an encoder takes milliseconds, unless the machine hangs; other visits must not wait for that. */
const MAX_ENCODER_WAIT_MS = 5_000
const YIELD_WARNING =
  'The waits for the page were cut short, because others were waiting for the browser; a later request may show more of it.'

/**
 * Waits for a slot in the queue, opens a page of the browser, and runs `task` with it within the time of the request. A crash of the
 * browser is retried once, in a new context.
 *
 * @throws  {PageError} as the task does; `EBUSY`, also when no browser is available, `ETIMEOUT`, `EBRWSRTIMEOUT`, `EFATAL`. An aborted `signal` throws its own reason.
 */
export async function runVisit<Result>(
  scope: ExtractionScope,
  { isTextOnly, file, task }: Pick<Visit, 'isTextOnly' | 'file'> & { task: (visit: Visit) => Promise<Result> },
  parts: BrowserParts,
): Promise<Result & VisitReport> {
  const { query, client, waiters, hasPriority } = scope
  const device = resolveDevice(query)
  const deadline = startDeadline(scope, parts.closing)
  const attempt = () => attemptVisit({ ...scope, device, deadline, isTextOnly, file }, task, parts)
  const { host } = new URL(query.url)
  const queued = { client, waiters, hasPriority, host, remainingMs: deadline.remainingMs }
  const visitInSlot = (slot: Slot) => {
    deadline.occupy(slot)
    return withSpan('capture', () => retry(attempt, deadline, parts.log))
  }
  try {
    const { result, warnings } = await parts.queue.run(queued, visitInSlot, deadline.signal)
    const isProvisional = deadline.hasShortenedWaits()
    if (isProvisional) warnings.add(YIELD_WARNING)
    return { ...result, warnings: [...warnings], isProvisional, timings: deadline.timings() }
  } catch (error) {
    throw blameBrowser(error, deadline)
  } finally {
    deadline.stop()
  }
}

/** The error of a visit, or another one if the page failed only because it had to make room for others, or had waited for them. */
function blameBrowser(error: unknown, deadline: Deadline): unknown {
  if (!isPageError(error) || !(error.code === 'ETIMEOUT' || error.code === 'EELEMENT')) return error
  // The page may have responded in time although others want its slot by now.
  const hadToYield = error.code === 'ETIMEOUT' ? deadline.hasYielded() : deadline.hasShortenedWaits()
  if (hadToYield)
    return new PageError(
      'EBRWSRTIMEOUT',
      'Other pages were waiting for the browser, which left too little time for this page. Try again later.',
      { retryAfterMs: MIN_RETRY_AFTER_MS, cause: error },
    )
  const { queue: waitedMs = 0, total: totalMs = 0 } = deadline.timings()
  if (error.code !== 'ETIMEOUT' || waitedMs < totalMs * LONG_WAIT_SHARE) return error
  const seconds = Math.ceil(waitedMs / 1_000)
  return new PageError(
    'EBRWSRTIMEOUT',
    `The page waited ${seconds} seconds for the browser, which left too little time to capture it. Try again later.`,
    { retryAfterMs: waitedMs, cause: error },
  )
}

async function retry<Result>(
  attempt: () => Promise<Result>,
  { signal }: Deadline,
  log: LogEvent | undefined,
): Promise<Result> {
  let unavailable: BrowserUnavailableError | undefined
  for (let attempts = 1; ; attempts++) {
    try {
      return await attempt()
    } catch (cause) {
      signal.throwIfAborted()
      if (isPageError(cause)) throw cause
      log?.({ event: 'capture-failed', attempts, reason: String(cause) })
      if (cause instanceof BrowserUnavailableError) unavailable = cause
      if (attempts < MAX_ATTEMPTS) continue
      // Whichever attempt it was that lost its browser.
      if (unavailable && !isTabCrash(cause)) throw unavailableError(unavailable)
      throw new PageError('EFATAL', failureMessage(cause), { cause })
    }
  }
}

const MAX_REASON_CHARS = 150

/** The scripts of a page may be what crashes its tab; for any other failure the page need not be the reason. */
function failureMessage(cause: unknown): string {
  const reason = cause instanceof Error ? cause.message.slice(0, MAX_REASON_CHARS).replace(/\.$/, '') : 'unknown reason'
  const advice = isTabCrash(cause) ? 'Try again later, or with javascript=false.' : 'Try again later.'
  return `The browser failed ${MAX_ATTEMPTS} times while it captured the page (${reason}). ${advice}`
}

const isTabCrash = (cause: unknown) => cause instanceof Error && cause.message.startsWith(TAB_CRASHED)

/** `EBUSY`, because a failure of the service is neither cached nor counted against the daily limit. */
function unavailableError(cause: BrowserUnavailableError): PageError {
  const retryAfterMs = Math.max(cause.retryAfterMs, MIN_RETRY_AFTER_MS)
  return busyError('The browser of the service is not available', { retryAfterMs, cause })
}

/** Leases a page, and another one for the overlay, and closes them when the task is done. */
async function attemptVisit<Result>(
  request: ExtractionScope & Pick<Visit, 'device' | 'deadline' | 'isTextOnly' | 'file'>,
  task: (visit: Visit) => Promise<Result>,
  { supervisor, fetchImage, images, fonts, adBlocker: loadAdBlocker, ...parts }: BrowserParts,
): Promise<Pick<Visit, 'warnings'> & { result: Result }> {
  const { query, deadline, isTextOnly } = request
  deadline.enterStage('browser')
  const guard = restrictGuard(parts.guard, request.allowedHosts)
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
      prepareOverlay(overlayParameters, { ...request, page: overlayLease.page, fetchImage, images, signal })
    // The task awaits it later, and only if the visit has not failed by then.
    overlay?.catch(() => undefined)
    const frame = new MainFrame(pageLease.page, signal)
    deadline.followPage(() => describeDelay(frame, query))
    const visit: Visit = {
      ...request,
      signal,
      page: pageLease.page,
      frame,
      userAgent: pageLease.userAgent,
      guard,
      adBlocker,
      fonts,
      images: { ...images, encodeScreenshot },
      overlay,
      warnings: new Set(),
      blockedUrls: new Set(),
      settledLoaderId: undefined,
      openSparePage: pageLease.openSparePage,
    }
    return { result: await abortable(task(visit), signal), warnings: visit.warnings }
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

/** What the browser sees of a page that takes too long: the server of a navigation, or else a document that responds to nothing. */
function describeDelay(frame: MainFrame, { javascript }: ExtractionScope['query']): PageSighting | undefined {
  const pending = frame.pending()
  if (pending) {
    const host = canParseUrl(pending.url) ? new URL(pending.url).host : quote(pending.url)
    const { statusCode } = pending
    const problem =
      statusCode === undefined
        ? `${host} did not respond`
        : `${host} responded with status ${statusCode}, but sent no page`
    return { problem, circumstances: '', mayBeScripts: false }
  }
  if (!frame.document()) return undefined
  // A script that waits for its request holds up everything else.
  const request = frame.requestsInFlight().find(({ type, idleMs }) => type === 'XHR' && idleMs >= MIN_SYNC_REQUEST_MS)
  const moment = frame.hasFired('load')
    ? 'after it had loaded'
    : `while its document was ${frame.hasFired('DOMContentLoaded') ? 'loading' : 'being read'}`
  return {
    problem: 'The page did not respond to the browser',
    circumstances: `, ${moment}${request ? ` and waited for ${quote(request.url)}` : ''}`,
    mayBeScripts: javascript !== false,
  }
}

/** Resolves when none of them runs any more, including those whose caller was aborted, after 5 seconds at the latest. */
async function settled(encodings: readonly Promise<unknown>[]): Promise<void> {
  const timer = new AbortController()
  const timeout = delay(MAX_ENCODER_WAIT_MS, undefined, { signal: timer.signal }).catch(() => undefined)
  await Promise.race([Promise.allSettled(encodings), timeout])
  timer.abort()
}
