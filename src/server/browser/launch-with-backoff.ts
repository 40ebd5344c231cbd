import { BrowserUnavailableError } from './browser-unavailable-error.js'
import type { LogEvent } from './log-event.js'
import type { RunningBrowser } from './running-browser.js'

export type LaunchBrowser = (signal: AbortSignal) => Promise<RunningBrowser>

export interface LaunchWithBackoffOptions {
  log: LogEvent | undefined
  /** Milliseconds from any fixed time. Default: `performance.now`. */
  clock?: () => number
}

const FIRST_DELAY_MS = 500
const MAX_DELAY_MS = 8_000

/**
 * Allows a second launch at once after a failure, and further ones with exponential backoff of at most 8 seconds, so that a
 * browser which does not start costs no process or connection for each request.
 *
 * @returns  Launches a browser; throws `BrowserUnavailableError` when that fails, and until the next launch is allowed.
 */
export function launchWithBackoff(
  launch: LaunchBrowser,
  { log, clock = () => performance.now() }: LaunchWithBackoffOptions,
): LaunchBrowser {
  let failures = 0
  let latest: { error: unknown; retryAt: number } | undefined

  return async (signal) => {
    if (latest && clock() < latest.retryAt) throw unavailable(latest.error, latest.retryAt - clock())
    try {
      const browser = await launch(signal)
      failures = 0
      latest = undefined
      return browser
    } catch (error) {
      signal.throwIfAborted()
      const delayMs = delayAfter(++failures)
      latest = { error, retryAt: clock() + delayMs }
      log?.({ event: 'browser-launch-failed', level: 'warn', reason: String(error), failures, retryAfterMs: delayMs })
      throw unavailable(error, delayMs)
    }
  }
}

const delayAfter = (failures: number) =>
  failures === 1 ? 0 : Math.min(FIRST_DELAY_MS * 2 ** Math.min(failures - 2, 10), MAX_DELAY_MS)

const unavailable = (cause: unknown, retryAfterMs: number) =>
  new BrowserUnavailableError('No browser could be started.', retryAfterMs, { cause })
