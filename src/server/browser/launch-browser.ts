import { spawn, type ChildProcess } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { chown, mkdtemp, readdir, rm } from 'node:fs/promises'
import { Socket } from 'node:net'
import { platform, tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import type { Connection } from 'puppeteer-core'
import { hasErrorCode } from '../node-errors.js'
import { findBrowserUser, isRootOnLinux, readableChromium, SandboxError, type BrowserUser } from './browser-user.js'
import { launchFlags } from './chromium-flags.js'
import { createPipeTransport } from './pipe-transport.js'
import { findChromium, type FoundChromium } from './find-chromium.js'
import { ensureChromium } from './install-chromium.js'
import { markInUse } from './installed-chromiums.js'
import type { LogEvent } from '../log.js'
import { childrenOf, lowerPriority } from './processes.js'
import { isOwnerRunning, ownerName } from './process-owner.js'
import { chromiumEnvironment, probeChromium } from './probe-chromium.js'
import { createConnection, handshake, type LaunchBrowser, type RunningBrowser } from './running-browser.js'

export interface LauncherOptions {
  /** Path of a Chromium. Default: an installed one, or a downloaded one. */
  executable?: string | undefined
  /** Where a Chromium is downloaded from: see `serveOptions.browserMirror`. Default: Google. */
  mirror?: string | undefined
  /** Name of the user that runs the browser if the service runs as root. Default: `nobody`. */
  browserUser?: string | undefined
  /** Whether the browser may run without its sandbox if it cannot have one. Default: false. */
  allowUnsandboxed?: boolean | undefined
  log?: LogEvent | undefined
}

/** Launches one Chromium at a time, and can change to another one. */
export interface Launcher {
  /**
   * Launches the browser with its own profile and process group, in its sandbox.
   *
   * @throws  {SandboxError} if it cannot have a sandbox and `allowUnsandboxed` is not set.
   * @throws  {Error} with what Chromium printed, when it does not start.
   */
  launch: LaunchBrowser
  /** The Chromium that was launched last, and is launched next; `undefined` before the first launch and after a failed one. */
  chromium(): FoundChromium | undefined
  /**
   * Launches another Chromium from now on.
   *
   * @returns  Called once no browser of the Chromium before runs any more.
   * @throws   {SandboxError} if the user of the browser cannot run it; the Chromium before stays.
   */
  use(chromium: FoundChromium, signal: AbortSignal): Promise<() => Promise<void>>
  /** Called once no browser runs any more. */
  close(): Promise<void>
}

/** What is launched: a Chromium, and the user that runs it; `undefined`: the user of this process. */
interface LaunchTarget {
  chromium: FoundChromium
  user: BrowserUser | undefined
  /** Lets other processes remove it, if it is an installed one. */
  endUse: () => Promise<void>
}

const CLOSE_TIMEOUT_MS = 2_000
const UNSANDBOXED_RISK = 'a page that exploits a bug in Chromium can run programs as the user of the browser'
/** Printed by Chromium if the kernel, or a container, does not allow namespaces. */
const SANDBOX_ERROR = /no usable sandbox|new namespace|credentials\.cc/i

/** Creates a launcher for the configured Chromium. It is found, or installed, with the first launch. */
export function createLauncher(options: LauncherOptions): Launcher {
  const find = createFinder(options)
  let finding: Promise<LaunchTarget> | undefined
  let launched: FoundChromium | undefined
  return {
    async launch(signal) {
      const target = (finding ??= find(signal).then((chromium) => targetOf(chromium, options, signal)))
      try {
        const running = await launch(await target, options)
        if (finding === target) launched = (await target).chromium
        return running
      } catch (error) {
        // The next launch finds it again, since a Chromium may have been installed or moved by then.
        if (finding === target) finding = launched = undefined
        await target.then(({ endUse }) => endUse()).catch(() => undefined)
        throw error
      }
    },
    chromium: () => launched,
    async use(chromium, signal) {
      const target = await targetOf(chromium, options, signal)
      const previous = finding
      finding = Promise.resolve(target)
      launched = chromium
      return async () => (await previous)?.endUse()
    },
    close: async () => (await finding?.catch(() => undefined))?.endUse(),
  }
}

const FIRST_INSTALL_DELAY_MS = 15_000
const MAX_INSTALL_DELAY_MS = 3_600_000

/**
 * Finds the configured Chromium, or installs one. After a failed installation the next one has to wait, up to an hour: each may
 * download 100 MB of a Chromium that does not start on this system.
 */
function createFinder({ executable, mirror, log }: LauncherOptions): (signal: AbortSignal) => Promise<FoundChromium> {
  let failures = 0
  let latest: { error: unknown; retryAt: number } | undefined

  return async (signal) => {
    if (executable) return { ...(await probeChromium(executable, { env: process.env, signal })), source: 'option' }
    if (latest && performance.now() < latest.retryAt) {
      const found = await findChromium({ log, signal })
      if (!found) throw latest.error
      return found
    }
    try {
      return await ensureChromium({ mirror, log, signal })
    } catch (error) {
      signal.throwIfAborted()
      const delayMs = Math.min(FIRST_INSTALL_DELAY_MS * 2 ** failures++, MAX_INSTALL_DELAY_MS)
      latest = { error, retryAt: performance.now() + delayMs }
      throw error
    }
  }
}

async function targetOf(
  chromium: FoundChromium,
  { browserUser, allowUnsandboxed, log }: LauncherOptions,
  signal: AbortSignal,
): Promise<LaunchTarget> {
  const endUse = chromium.installed ? await markInUse(chromium.installed) : async () => undefined
  try {
    const user = await findBrowserUser(browserUser)
    const runnable = user ? await readableChromium(chromium, { user, log, signal }) : chromium
    return { chromium: { ...chromium, ...runnable }, user, endUse }
  } catch (error) {
    // Then the browser runs as root, which `launch` warns about.
    if (error instanceof SandboxError && allowUnsandboxed) return { chromium, user: undefined, endUse }
    await endUse()
    throw error
  }
}

async function launch(target: LaunchTarget, { allowUnsandboxed, log }: LauncherOptions): Promise<RunningBrowser> {
  const launchUnsandboxed = (reason: string) => {
    log?.({ event: 'browser-unsandboxed', level: 'warn', reason, risk: UNSANDBOXED_RISK })
    return start(target, { isSandboxed: false })
  }
  // Chromium refuses to start in its sandbox as root.
  if (isRootOnLinux() && !target.user) {
    if (!allowUnsandboxed) throw new SandboxError('the service runs as root', { remedy: 'Run it as another user' })
    return launchUnsandboxed('the browser runs as root')
  }
  try {
    return await start(target, { isSandboxed: true })
  } catch (error) {
    if (!SANDBOX_ERROR.test(String(error))) throw error
    if (!allowUnsandboxed) throw new SandboxError(String(error), { cause: error })
    return launchUnsandboxed(String(error))
  }
}

/** Resolves once the browser responds. */
async function start(target: LaunchTarget, options: { isSandboxed: boolean }): Promise<RunningBrowser> {
  const { child, gone, exited, stderr, kill } = await spawnBrowser(target, options)
  try {
    if (child.pid === undefined) {
      await exited
      gone.throwIfAborted()
    }
    const transport = createPipeTransport(child.stdio[3] as Writable, child.stdio[4] as Readable)
    const connection = createConnection(transport)
    const { userAgent, version } = await handshake(connection, gone)
    const pid = (await browserPid(connection)) ?? child.pid!
    const close = async () => {
      // Fails only when the browser has already exited.
      connection.send('Browser.close').catch(() => undefined)
      const timer = setTimeout(kill, CLOSE_TIMEOUT_MS)
      await exited
      clearTimeout(timer)
    }
    return { connection, captureScreenshot: transport.captureScreenshot, userAgent, version, pid, gone, kill, close }
  } catch (cause) {
    kill()
    await exited
    throw new Error(`${target.chromium.path} does not start: ${stderr() || String(cause)}`, { cause })
  }
}

/** Debian's `chromium-headless-shell` is a script, so the spawned process is not always the browser itself. */
async function browserPid(connection: Connection): Promise<number | undefined> {
  const { processInfo } = await connection.send('SystemInfo.getProcessInfo')
  return processInfo.find(({ type }) => type === 'browser')?.id
}

/**
 * A priority between the service and the renderers, which get a lower one: neither a page that computes nor one that floods the
 * browser may delay cached responses.
 */
const PRIORITY = 2
/** Of the browser and its renderers together, where the kernel schedules sessions as groups. */
const SESSION_PRIORITY = 5
/** How long a browser may take to exit after its pipe has closed. */
const EXIT_TIMEOUT_MS = 2_000
const MAX_STDERR_CHARS = 600

/** A Chromium in its own process group, which may not respond yet. */
interface BrowserProcess {
  /** The browser, or a wrapper script around it. Its fourth and fifth pipe carry the messages of DevTools. */
  child: ChildProcess
  /** Aborts as soon as the browser can no longer be reached. */
  gone: AbortSignal
  /** Resolves once the process has exited and its profile is removed. */
  exited: Promise<void>
  /** The end of what the browser printed on stderr. */
  stderr: () => string
  /** Kills the whole process group. */
  kill: () => void
}

/** Spawns a Chromium with a new profile. It exits with this process, because its pipes close then. */
async function spawnBrowser(
  { chromium, user }: LaunchTarget,
  { isSandboxed }: { isSandboxed: boolean },
): Promise<BrowserProcess> {
  const userDataDir = await createProfileFolder(user)
  const child = spawn(chromium.path, await launchFlags({ userDataDir, isSandboxed }), {
    detached: platform() !== 'win32',
    cwd: userDataDir,
    env: { ...chromiumEnvironment(chromium), ...(user && { HOME: userDataDir }) },
    ...(user && { uid: user.uid, gid: user.gid }),
    stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'],
  })
  yieldToService(child)
  return {
    child,
    ...trackExit(child, () => removeProfileFolder(userDataDir)),
    stderr: collectStderr(child),
    kill: () => killGroup(child),
  }
}

function yieldToService({ pid }: ChildProcess): void {
  if (pid === undefined) return
  lowerPriorityOfTree(pid)
  try {
    // Linux may schedule each session as a group, and the browser's process group is a session: then only the group's priority counts.
    if (platform() === 'linux') writeFileSync(`/proc/${pid}/autogroup`, String(SESSION_PRIORITY))
  } catch {
    // It has exited already, which `exited` reports, or the kernel has no such groups.
  }
}

/** On a busy machine the browser may have started processes before. */
function lowerPriorityOfTree(pid: number): void {
  lowerPriority(pid, PRIORITY)
  for (const child of childrenOf(pid)) lowerPriorityOfTree(child)
}

function trackExit(child: ChildProcess, removeProfile: () => Promise<void>) {
  // Node creates none when there are no file descriptors left.
  const pipes = ((child.stdio as ChildProcess['stdio'] | undefined) ?? []).slice(3)
  const [input, output] = pipes
  const gone = new AbortController()
  const exited = new Promise<void>((resolve) => {
    let timer: NodeJS.Timeout | undefined
    // A pipe closes before the process exits; from then on the browser must not be used.
    const onPipeClosed = () => {
      gone.abort(output?.errored ?? new Error('The browser closed its pipe.'))
      if (child.exitCode === null && child.signalCode === null)
        timer ??= setTimeout(() => killGroup(child), EXIT_TIMEOUT_MS)
    }
    const onExit = (reason: Error) => {
      gone.abort(reason)
      clearTimeout(timer)
      timer = undefined
      // Child processes of the browser may outlive it. Those of another group keep its pipes open, and so this process running.
      killGroup(child)
      for (const pipe of pipes) pipe?.destroy()
      if (child.stderr instanceof Socket) child.stderr.unref()
      void removeProfile().then(resolve)
    }
    input?.once('error', onPipeClosed)
    output?.once('close', onPipeClosed)
    child.once('error', onExit)
    child.once('exit', (exitCode, signal) => onExit(new Error(`The browser exited (${signal ?? exitCode}).`)))
  })
  return { gone: gone.signal, exited }
}

function collectStderr(child: ChildProcess): () => string {
  let stderr = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderr = (stderr + text).slice(-4 * MAX_STDERR_CHARS)
  })
  return () => stderr.trim().slice(-MAX_STDERR_CHARS)
}

function killGroup(child: ChildProcess): void {
  if (child.pid === undefined) return
  try {
    if (platform() === 'win32')
      spawn('taskkill', ['/pid', String(child.pid), '/t', '/f'], { stdio: 'ignore' }).on('error', () => child.kill())
    else process.kill(-child.pid, 'SIGKILL')
  } catch (error) {
    const isGroupGone = hasErrorCode(error, 'ESRCH', 'EPERM')
    if (!isGroupGone) throw error
  }
}

/**
 * Creates a folder for a browser's profile, and removes the folders of services that were killed before they could clean up.
 *
 * @param owner  Default: the user of this process.
 */
export async function createProfileFolder(owner?: { uid: number; gid: number }): Promise<string> {
  for (const name of await readdir(tmpdir())) {
    const [, owner] = /^page-preview-browser-(\d+(?:-[\da-z]+)?)-\w+$/.exec(name) ?? []
    if (owner && !(await isOwnerRunning(owner))) await removeProfileFolder(join(tmpdir(), name))
  }
  const folder = await mkdtemp(join(tmpdir(), `page-preview-browser-${await ownerName()}-`))
  if (owner) await chown(folder, owner.uid, owner.gid)
  return folder
}

/** Never rejects: a folder that cannot be removed now is removed before the next launch. */
async function removeProfileFolder(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true, maxRetries: 5 }).catch(() => undefined)
}
