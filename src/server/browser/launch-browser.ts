import { platform } from 'node:os'
import { Connection } from 'puppeteer-core'
import type { ChromiumExecutable } from './chromium-executable.js'
import { createPipeTransport } from './create-pipe-transport.js'
import type { BrowserUser } from './find-browser-user.js'
import { handshake } from './handshake.js'
import type { LogEvent } from './log-event.js'
import type { RunningBrowser } from './running-browser.js'
import { SandboxError } from './sandbox-error.js'
import { spawnBrowser, type BrowserProcess, type SpawnBrowserOptions } from './spawn-browser.js'

export interface LaunchBrowserOptions {
  /** Default: the user of this process. */
  user?: BrowserUser | undefined
  /** Whether the browser may run without its sandbox where it cannot have one. Default: false. */
  allowUnsandboxed?: boolean | undefined
  log?: LogEvent | undefined
}

const CALL_TIMEOUT_MS = 60_000
const CLOSE_TIMEOUT_MS = 2_000
const UNSANDBOXED_RISK = 'a page that exploits a bug of Chromium runs programs as the user of the browser'
/** Printed by Chromium where the kernel, or a container, does not allow namespaces. */
const SANDBOX_ERROR = /no usable sandbox|new namespace|credentials\.cc/i

/**
 * Launches a Chromium with its own profile and process group, in its sandbox.
 *
 * @throws  {SandboxError} where it cannot have one and `allowUnsandboxed` is not set; {Error} with what Chromium printed,
 *          when it does not start.
 */
export async function launchBrowser(
  chromium: ChromiumExecutable,
  { user, allowUnsandboxed, log }: LaunchBrowserOptions,
): Promise<RunningBrowser> {
  const launchUnsandboxed = (reason: string) => {
    log?.({ event: 'browser-unsandboxed', level: 'warn', reason, risk: UNSANDBOXED_RISK })
    return launch(chromium, { isSandboxed: false, user })
  }
  // Chromium refuses to start in its sandbox as root.
  if (isRootOnLinux() && !user) {
    if (!allowUnsandboxed) throw new SandboxError('the service runs as root', { remedy: 'Run it as another user' })
    return launchUnsandboxed('the browser runs as root')
  }
  try {
    return await launch(chromium, { isSandboxed: true, user })
  } catch (error) {
    if (!SANDBOX_ERROR.test(String(error))) throw error
    if (!allowUnsandboxed) throw new SandboxError(String(error), { cause: error })
    return launchUnsandboxed(String(error))
  }
}

const isRootOnLinux = () => platform() === 'linux' && process.getuid?.() === 0

async function launch(chromium: ChromiumExecutable, options: SpawnBrowserOptions): Promise<RunningBrowser> {
  const browser = await spawnBrowser(chromium, options)
  const { gone, kill } = browser
  try {
    const transport = createPipeTransport(browser.input, browser.output)
    const connection = new Connection('', transport, 0, CALL_TIMEOUT_MS)
    const { userAgent, version } = await handshake(connection, gone)
    const pid = (await browserPid(connection)) ?? browser.pid
    const { captureScreenshot } = transport
    return {
      connection,
      captureScreenshot,
      userAgent,
      version,
      pid,
      gone,
      kill,
      close: () => close(browser, connection),
    }
  } catch (cause) {
    kill()
    await browser.exited
    throw new Error(`${chromium.path} does not start: ${browser.stderr() || String(cause)}`, { cause })
  }
}

/** Debian's `chromium-headless-shell` is a script, so the spawned process is not always the browser itself. */
async function browserPid(connection: Connection): Promise<number | undefined> {
  const { processInfo } = await connection.send('SystemInfo.getProcessInfo')
  return processInfo.find(({ type }) => type === 'browser')?.id
}

async function close({ exited, kill }: BrowserProcess, connection: Connection): Promise<void> {
  // Fails only when the browser has already exited.
  connection.send('Browser.close').catch(() => undefined)
  const timer = setTimeout(kill, CLOSE_TIMEOUT_MS)
  await exited
  clearTimeout(timer)
}
