import type { ChromiumExecutable } from './chromium-executable.js'
import { ensureChromium } from './ensure-chromium.js'
import { findBrowserUser, type BrowserUser } from './find-browser-user.js'
import { launchBrowser, type LaunchBrowserOptions } from './launch-browser.js'
import { probeChromium } from './probe-chromium.js'
import { readableChromium } from './readable-chromium.js'
import type { RunningBrowser } from './running-browser.js'
import { SandboxError } from './sandbox-error.js'

export interface LauncherOptions extends Omit<LaunchBrowserOptions, 'user'> {
  /** Name of the user that runs the browser where the service runs as root. Default: `nobody`. */
  browserUser?: string | undefined
  /** Path of a Chromium. Default: one that is found, or installed. */
  executable: string | undefined
}

interface ResolvedBrowser {
  chromium: ChromiumExecutable
  user: BrowserUser | undefined
}

/** Creates the function that launches the configured browser; the executable is resolved once. */
export function createLauncher(options: LauncherOptions): (signal: AbortSignal) => Promise<RunningBrowser> {
  let resolved: Promise<ResolvedBrowser> | undefined
  return async (signal) => {
    resolved ??= resolveBrowser(options, signal)
    try {
      const { chromium, user } = await resolved
      return await launchBrowser(chromium, { ...options, user })
    } catch (error) {
      // The next launch resolves it again, since a Chromium may have been installed or moved by then.
      resolved = undefined
      throw error
    }
  }
}

async function resolveBrowser(options: LauncherOptions, signal: AbortSignal): Promise<ResolvedBrowser> {
  const chromium = await resolveExecutable(options, signal)
  try {
    const user = await findBrowserUser(options.browserUser)
    if (!user) return { chromium, user }
    return { chromium: await readableChromium(chromium, { user, log: options.log, signal }), user }
  } catch (error) {
    // Then the browser runs as root, which `launchBrowser` warns about.
    if (error instanceof SandboxError && options.allowUnsandboxed) return { chromium, user: undefined }
    throw error
  }
}

async function resolveExecutable(
  { executable, log }: LauncherOptions,
  signal: AbortSignal,
): Promise<ChromiumExecutable> {
  if (!executable) return ensureChromium({ log, signal })
  return { path: executable, source: 'option', ...(await probeChromium(executable, { env: process.env, signal })) }
}
