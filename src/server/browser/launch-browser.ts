import { spawn, type ChildProcess } from 'node:child_process'
import { platform } from 'node:os'
import type { Readable, Writable } from 'node:stream'
import { Connection } from 'puppeteer-core'
import { chromiumFlags } from './chromium-flags.js'
import { chromiumEnvironment, type FoundChromium, type Log } from './found-chromium.js'
import { greet } from './greet.js'
import { pipeTransport } from './pipe-transport.js'
import { createProfileFolder, removeProfileFolder } from './profile-folder.js'
import type { RunningBrowser } from './running-browser.js'

export interface LaunchBrowserOptions {
  proxyUrl: string
  log?: Log | undefined
}

const CALL_TIMEOUT_MS = 60_000
const CLOSE_TIMEOUT_MS = 2_000
const MAX_STDERR_LENGTH = 4_096
/** What Chromium says where the kernel, or a container, gives it no namespaces. */
const NO_SANDBOX = /no usable sandbox|new namespace|credentials\.cc/i

/**
 * Starts a Chromium with a profile of its own, in a process group of its own. It ends with this process, since its pipes do.
 *
 * @throws  {Error} with what Chromium said, when it does not start.
 */
export async function launchBrowser(
  chromium: FoundChromium,
  { proxyUrl, log }: LaunchBrowserOptions,
): Promise<RunningBrowser> {
  const isRoot = process.getuid?.() === 0
  if (isRoot) return launch(chromium, { proxyUrl, isSandboxed: false })
  try {
    return await launch(chromium, { proxyUrl, isSandboxed: true })
  } catch (error) {
    if (!NO_SANDBOX.test(String(error))) throw error
    log?.({ event: 'browser-sandbox-unavailable', reason: String(error) })
    return launch(chromium, { proxyUrl, isSandboxed: false })
  }
}

async function launch(
  chromium: FoundChromium,
  { proxyUrl, isSandboxed }: { proxyUrl: string; isSandboxed: boolean },
): Promise<RunningBrowser> {
  const userDataDir = await createProfileFolder()
  const child = spawn(chromium.path, await chromiumFlags({ proxyUrl, userDataDir, isSandboxed }), {
    detached: platform() !== 'win32',
    env: chromiumEnvironment(chromium),
    stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'],
  })
  const { gone, ended, said } = follow(child, userDataDir)
  const kill = () => killTree(child)
  try {
    const connection = new Connection(
      '',
      pipeTransport(child.stdio[3] as Writable, child.stdio[4] as Readable),
      0,
      CALL_TIMEOUT_MS,
    )
    const { userAgent } = await greet(connection, gone)
    const close = async () => {
      // Fails only when it is gone already.
      connection.send('Browser.close').catch(() => undefined)
      const timer = setTimeout(kill, CLOSE_TIMEOUT_MS)
      await ended
      clearTimeout(timer)
    }
    return { connection, userAgent, pid: child.pid, gone, kill, close }
  } catch (cause) {
    kill()
    await ended
    throw new Error(`${chromium.path} does not start: ${said() || String(cause)}`, { cause })
  }
}

function follow(child: ChildProcess, userDataDir: string) {
  const end = new AbortController()
  let stderr = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderr = (stderr + text).slice(-MAX_STDERR_LENGTH)
  })
  const ended = new Promise<void>((resolve) => {
    let timer: NodeJS.Timeout | undefined
    // Known a moment before its exit is: nobody shall be given a browser that cannot be spoken to.
    const onPipeEnd = () => {
      end.abort(new Error('The browser closed its pipe.'))
      if (child.exitCode === null && child.signalCode === null)
        timer ??= setTimeout(() => killTree(child), CLOSE_TIMEOUT_MS)
    }
    const onEnd = (reason: Error) => {
      end.abort(reason)
      clearTimeout(timer)
      timer = undefined
      // What outlived the browser itself, when that was killed.
      killTree(child)
      void removeProfileFolder(userDataDir).then(resolve)
    }
    child.stdio[3]?.once('error', onPipeEnd)
    child.stdio[4]?.once('close', onPipeEnd)
    child.once('error', onEnd)
    child.once('exit', (code, signal) => onEnd(new Error(`The browser ended (${signal ?? code}).`)))
  })
  return { gone: end.signal, ended, said: () => stderr.trim().slice(-600) }
}

function killTree(child: ChildProcess): void {
  if (child.pid === undefined) return
  try {
    if (platform() === 'win32')
      spawn('taskkill', ['/pid', String(child.pid), '/t', '/f'], { stdio: 'ignore' }).on('error', () => child.kill())
    else process.kill(-child.pid, 'SIGKILL')
  } catch (error) {
    // None of the group is left, or none that may be killed.
    if (!(error instanceof Error && 'code' in error && (error.code === 'ESRCH' || error.code === 'EPERM'))) throw error
  }
}
