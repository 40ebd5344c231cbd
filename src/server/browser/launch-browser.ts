import { Connection } from 'puppeteer-core'
import type { ChromiumExecutable } from './chromium-executable.js'
import { createPipeTransport } from './create-pipe-transport.js'
import { handshake } from './handshake.js'
import type { LogEvent } from './log-event.js'
import type { RunningBrowser } from './running-browser.js'
import { spawnBrowser, type BrowserProcess, type SpawnBrowserOptions } from './spawn-browser.js'

export interface LaunchBrowserOptions {
  proxyUrl: string
  log?: LogEvent | undefined
}

const CALL_TIMEOUT_MS = 60_000
const CLOSE_TIMEOUT_MS = 2_000
/** Printed by Chromium where the kernel, or a container, gives it no namespaces. */
const SANDBOX_ERROR = /no usable sandbox|new namespace|credentials\.cc/i

/**
 * Launches a Chromium with its own profile and process group, sandboxed where that is possible.
 *
 * @throws  {Error} with what Chromium printed, when it does not start.
 */
export async function launchBrowser(
  chromium: ChromiumExecutable,
  { proxyUrl, log }: LaunchBrowserOptions,
): Promise<RunningBrowser> {
  const isRoot = process.getuid?.() === 0
  if (isRoot) return launch(chromium, { proxyUrl, isSandboxed: false })
  try {
    return await launch(chromium, { proxyUrl, isSandboxed: true })
  } catch (error) {
    if (!SANDBOX_ERROR.test(String(error))) throw error
    log?.({ event: 'browser-sandbox-unavailable', reason: String(error) })
    return launch(chromium, { proxyUrl, isSandboxed: false })
  }
}

async function launch(chromium: ChromiumExecutable, options: SpawnBrowserOptions): Promise<RunningBrowser> {
  const browser = await spawnBrowser(chromium, options)
  const { gone, kill } = browser
  try {
    const connection = new Connection('', createPipeTransport(browser.input, browser.output), 0, CALL_TIMEOUT_MS)
    const { userAgent } = await handshake(connection, gone)
    const pid = (await browserPid(connection)) ?? browser.pid
    return { connection, userAgent, pid, gone, kill, close: () => close(browser, connection) }
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
