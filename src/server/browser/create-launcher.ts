import type { ChromiumExecutable } from './chromium-executable.js'
import { connectBrowser } from './connect-browser.js'
import { ensureChromium } from './ensure-chromium.js'
import { launchBrowser, type LaunchBrowserOptions } from './launch-browser.js'
import { probeChromium } from './probe-chromium.js'
import type { RunningBrowser } from './running-browser.js'

export interface LauncherOptions extends LaunchBrowserOptions {
  /** Path of a Chromium, or the `ws://…` endpoint of a running one. Default: one that is found, or installed. */
  executable: string | undefined
}

/** Creates the function that launches, or connects to, the configured browser; the executable is resolved once. */
export function createLauncher(options: LauncherOptions): (signal: AbortSignal) => Promise<RunningBrowser> {
  const { executable } = options
  let resolved: Promise<ChromiumExecutable> | undefined
  return async (signal) => {
    if (executable && /^wss?:/.test(executable)) return connectBrowser(executable)
    resolved ??= resolveExecutable(options, signal)
    try {
      return await launchBrowser(await resolved, options)
    } catch (error) {
      // The next launch resolves it again, since a Chromium may have been installed or moved by then.
      resolved = undefined
      throw error
    }
  }
}

async function resolveExecutable(
  { executable, log }: LauncherOptions,
  signal: AbortSignal,
): Promise<ChromiumExecutable> {
  if (!executable) return ensureChromium({ log, signal })
  return { path: executable, source: 'option', ...(await probeChromium(executable, { env: process.env, signal })) }
}
