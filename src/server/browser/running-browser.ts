import { Connection, type CDPSession, type ConnectionTransport, type Protocol } from 'puppeteer-core'
import { DAY_MS } from '../utc-day.js'
import { withinTime } from './abortable.js'

/** A Chromium that was launched and responds. */
export interface RunningBrowser {
  connection: Connection
  captureScreenshot: CaptureScreenshot
  /** The user agent of a desktop Chrome, without the mark of a headless browser. */
  userAgent: string
  /** `143.0.7499.0` */
  version: string
  /** The browser's own process, also when a wrapper script launched it. */
  pid: number
  /** Aborts when the browser has exited or can no longer be reached. */
  gone: AbortSignal
  /** Ends the browser and all its processes at once. */
  kill(): void
  /** Shuts the browser down, by `kill` if that takes too long, and removes its profile. Never rejects. */
  close(): Promise<void>
}

/**
 * @param signal  Aborts when the page or the browser is gone.
 * @returns       The image file, which may be empty.
 * @throws        {Error} of the browser. An aborted `signal` throws its reason.
 */
export type CaptureScreenshot = (
  session: CDPSession,
  options: Protocol.Page.CaptureScreenshotRequest,
  signal: AbortSignal,
) => Promise<Buffer>

/** Launches a browser. */
export type LaunchBrowser = (signal: AbortSignal) => Promise<RunningBrowser>

/** No browser can take the page, which is not the page's fault; the cause is for the log only. */
export class BrowserUnavailableError extends Error {
  override readonly name = 'BrowserUnavailableError'

  /** @param retryAfterMs  When another attempt makes sense, milliseconds from now. Default: at once. */
  constructor(
    reason: string,
    readonly retryAfterMs = 0,
    options: { cause?: unknown } = {},
  ) {
    super(reason, options)
  }
}

/** The time limit of a call over DevTools. */
const CALL_TIMEOUT_MS = 60_000
const HANDSHAKE_TIMEOUT_MS = 20_000

/**
 * Opens a DevTools connection whose calls fail after a minute. puppeteer's types hide the constructor, because `connect` calls it;
 * but `connect` attaches to every target, before the service has put it behind its proxy.
 *
 * @param url  Where the transport leads to; empty for a pipe.
 */
export const createConnection = (transport: ConnectionTransport, url = ''): Connection =>
  Reflect.construct(Connection, [url, transport, 0, CALL_TIMEOUT_MS])

/**
 * Checks that a browser responds, and subscribes to its targets so that popups can be closed.
 *
 * @returns  `userAgent` without the mark of a headless browser, because many sites send those a different page; `version`
 *           as `143.0.7499.0`.
 */
export async function handshake(
  connection: Connection,
  gone: AbortSignal,
): Promise<Pick<RunningBrowser, 'userAgent' | 'version'>> {
  const responses = Promise.all([
    connection.send('Browser.getVersion'),
    connection.send('Target.setDiscoverTargets', { discover: true }),
  ])
  const [{ userAgent, product }] = await withinTime(responses, { timeoutMs: HANDSHAKE_TIMEOUT_MS, signal: gone })
  return { userAgent: userAgent.replace('HeadlessChrome', 'Chrome'), version: product.replace(/^.*\//, '') }
}

/** Stable releases between which milestones are counted: https://chromiumdash.appspot.com/schedule */
const RELEASES = [
  { milestone: 94, date: Date.UTC(2021, 8, 21) },
  { milestone: 143, date: Date.UTC(2025, 11, 2) },
  { milestone: 153, date: Date.UTC(2026, 8, 8) },
] as const
/** Since milestone 153 there is a release every two weeks; before, there was one about every four. */
const CYCLE_MS = 14 * DAY_MS

/** The age from which published exploits for the known bugs of a browser have to be expected. */
export const OUTDATED_AFTER_DAYS = 60

/**
 * Estimates how long ago a Chromium was released, from its milestone and the release cycle of Chrome: a file's date says
 * only when it was installed.
 *
 * @param version  `143.0.7499.0`
 * @returns        Whole days, within about two weeks; `undefined` for a version without a milestone.
 */
export function estimateBrowserAgeDays(version: string, now: number): number | undefined {
  const milestone = Number(/^\d+/.exec(version)?.[0])
  if (!milestone) return undefined
  return Math.max(0, Math.floor((now - releaseDate(milestone)) / DAY_MS))
}

function releaseDate(milestone: number): number {
  const [first, second, last] = RELEASES
  if (milestone >= last.milestone) return last.date + (milestone - last.milestone) * CYCLE_MS
  const [from, to] = milestone >= second.milestone ? [second, last] : [first, second]
  return from.date + ((milestone - from.milestone) * (to.date - from.date)) / (to.milestone - from.milestone)
}
