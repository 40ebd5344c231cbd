// Keeps a Chromium that the service has installed up to date while the service runs.
import { setTimeout as sleep } from 'node:timers/promises'
import { DAY_MS } from '../utc-day.js'
import type { Browser } from './create-browser.js'
import { installNewer, type InstallOptions } from './install-chromium.js'
import {
  chromiumsFolder,
  compareVersions,
  discard,
  listInstalled,
  removeOutdated,
  type InstalledChromium,
} from './installed-chromiums.js'

/** Chrome has a stable release every two weeks. */
const UPDATE_AFTER_MS = 14 * DAY_MS
/** So that the start of the service is over. */
const FIRST_CHECK_MS = 10_000
/** Another process may install a version at any time, which is then used too. */
const CHECK_INTERVAL_MS = 3_600_000
const LOOK_UP_INTERVAL_MS = DAY_MS
const FIRST_RETRY_MS = 3_600_000
const MAX_RETRY_MS = DAY_MS

export const isUpdateDue = ({ installedAt }: Pick<InstalledChromium, 'installedAt'>, now: number): boolean =>
  now - installedAt >= UPDATE_AFTER_MS

export interface ChromiumUpdatesOptions extends Pick<InstallOptions, 'env' | 'mirror' | 'log'> {
  browser: Pick<Browser, 'status' | 'replaceChromium'>
  /** Captures a page with a Chromium. @throws {Error} if it cannot. */
  tryOut: (chromium: InstalledChromium, signal: AbortSignal) => Promise<void>
  clock: () => number
}

export interface ChromiumUpdates {
  /** Updates now if that is due, or a newer version is installed already. Never rejects. Called at intervals. */
  check(): Promise<void>
  counts(): { done: number; failed: number }
  /** Ends the update that runs. */
  close(): Promise<void>
}

/** Checks at intervals whether an update is due. */
export function startChromiumUpdates({ log, clock, ...options }: ChromiumUpdatesOptions): ChromiumUpdates {
  const closing = new AbortController()
  const counts = { done: 0, failed: 0 }
  let lookUpAt = 0
  let retryAt = 0
  let failuresInRow = 0
  let checking: Promise<void> | undefined

  const check = async () => {
    if (clock() < retryAt) return
    const current = options.browser.status().chromium?.installed
    if (!current) return
    const mayLookUp = isUpdateDue(current, clock()) && clock() >= lookUpAt
    try {
      const version = await update(current, { ...options, log, mayLookUp, signal: closing.signal })
      if (mayLookUp) lookUpAt = clock() + LOOK_UP_INTERVAL_MS
      failuresInRow = 0
      if (version !== undefined) counts.done++
    } catch (error) {
      if (closing.signal.aborted) return
      counts.failed++
      const retryAfterMs = Math.min(FIRST_RETRY_MS * 2 ** failuresInRow++, MAX_RETRY_MS)
      retryAt = clock() + retryAfterMs
      log?.({
        event: 'chromium-update-failed',
        level: 'warn',
        version: current.version,
        reason: String(error),
        retryAfterMs,
      })
    }
  }

  const checkOnce = () => {
    checking ??= check().finally(() => (checking = undefined))
    return checking
  }
  const running = repeat(checkOnce, closing.signal)
  return {
    check: checkOnce,
    counts: () => ({ ...counts }),
    async close() {
      closing.abort(new Error('The service is shutting down.'))
      await Promise.all([running, checking])
    },
  }
}

async function repeat(check: () => Promise<void>, signal: AbortSignal): Promise<void> {
  for (let delayMs = FIRST_CHECK_MS; ; delayMs = CHECK_INTERVAL_MS) {
    await sleep(delayMs, undefined, { signal, ref: false }).catch(() => undefined)
    if (signal.aborted) return
    await check()
  }
}

/** @returns  The version that has taken over; `undefined` if there is none newer. */
async function update(
  current: InstalledChromium,
  {
    browser,
    tryOut,
    env = process.env,
    mirror,
    log,
    mayLookUp,
    signal,
  }: Omit<ChromiumUpdatesOptions, 'clock'> & { mayLookUp: boolean; signal: AbortSignal },
): Promise<string | undefined> {
  const root = chromiumsFolder(env)
  const [newest] = await listInstalled(root)
  const isNewer = newest !== undefined && compareVersions(newest.version, current.version) > 0
  const next = isNewer ? newest : mayLookUp && (await installNewer(current.version, { env, mirror, log, signal }))
  if (!next) {
    // Those that were in use when their update took over.
    await removeOld(root, log)
    return undefined
  }
  try {
    await tryOut(next, signal)
    const { previousGone } = await browser.replaceChromium(next)
    log?.({ event: 'chromium-updated', from: current.version, to: next.version, origin: next.origin })
    void previousGone.then(() => removeOld(root, log)).catch(() => undefined)
    return next.version
  } catch (error) {
    // A shutdown says nothing about it.
    if (!signal.aborted) await discard(next)
    throw error
  }
}

async function removeOld(root: string, log: InstallOptions['log']): Promise<void> {
  for (const { version, folder } of await removeOutdated(root)) log?.({ event: 'chromium-removed', version, folder })
}
