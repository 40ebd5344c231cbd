import { spawn, type ChildProcess } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { platform, setPriority } from 'node:os'
import type { Readable, Writable } from 'node:stream'
import { hasErrorCode } from '../node-errors.js'
import { withoutInheritedFiles } from '../without-inherited-files.js'
import { chromiumEnvironment } from './chromium-environment.js'
import type { ChromiumExecutable } from './chromium-executable.js'
import { chromiumFlags } from './chromium-flags.js'
import type { BrowserUser } from './find-browser-user.js'
import { createProfileFolder, removeProfileFolder } from './profile-folder.js'

/** A Chromium in its own process group, which may not respond yet. */
export interface BrowserProcess {
  /** Id of the process that was spawned: the browser, or a wrapper script around it. */
  pid: number | undefined
  /** DevTools messages to and from the browser. */
  input: Writable
  output: Readable
  /** Aborts as soon as the browser can no longer be reached. */
  gone: AbortSignal
  /** Resolves once the process has exited and its profile is removed. */
  exited: Promise<void>
  /** The end of what the browser printed on stderr. */
  stderr(): string
  /** Kills the whole process group. */
  kill: () => void
}

export interface SpawnBrowserOptions {
  isSandboxed: boolean
  /** Default: the user of this process. */
  user?: BrowserUser | undefined
}

const MAX_STDERR_CHARS = 600
/** Between the service and its image processes: a page that computes must not delay cached responses. */
const PRIORITY = 5
/** How long a browser may take to exit after its pipe has closed. */
const EXIT_TIMEOUT_MS = 2_000

/** Spawns a Chromium with a new profile. It exits with this process, because its pipes close then. */
export async function spawnBrowser(
  chromium: ChromiumExecutable,
  { isSandboxed, user }: SpawnBrowserOptions,
): Promise<BrowserProcess> {
  const userDataDir = await createProfileFolder(user)
  const child = spawn(chromium.path, await chromiumFlags({ userDataDir, isSandboxed }), {
    detached: platform() !== 'win32',
    cwd: userDataDir,
    env: { ...chromiumEnvironment(chromium), ...(user && { HOME: userDataDir }) },
    ...(user && { uid: user.uid, gid: user.gid }),
    stdio: withoutInheritedFiles(['ignore', 'ignore', 'pipe', 'pipe', 'pipe']),
  })
  lowerPriority(child)
  return {
    pid: child.pid,
    input: child.stdio[3] as Writable,
    output: child.stdio[4] as Readable,
    ...trackExit(child, () => removeProfileFolder(userDataDir)),
    stderr: collectStderr(child),
    kill: () => killGroup(child),
  }
}

function lowerPriority({ pid }: ChildProcess): void {
  if (pid === undefined) return
  lowerPriorityOf(pid)
  try {
    // Linux may schedule each session as a group, and a process group of its own is a session: then only the group's priority counts.
    if (platform() === 'linux') writeFileSync(`/proc/${pid}/autogroup`, String(PRIORITY))
  } catch {
    // It has exited already, which `exited` reports, or the kernel has no such groups.
  }
}

/** Child processes inherit the priority of their parent, but on a busy machine the browser may have started some before. */
function lowerPriorityOf(pid: number): void {
  try {
    setPriority(pid, PRIORITY)
  } catch {
    // It has exited already.
    return
  }
  for (const child of childrenOf(pid)) lowerPriorityOf(child)
}

/** Empty where the system does not list them. */
function childrenOf(pid: number): number[] {
  try {
    return (readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').match(/\d+/g) ?? []).map(Number)
  } catch {
    return []
  }
}

function trackExit(child: ChildProcess, removeProfile: () => Promise<void>) {
  const gone = new AbortController()
  const exited = new Promise<void>((resolve) => {
    let timer: NodeJS.Timeout | undefined
    // A pipe closes before the process exits; from then on the browser must not be used.
    const onPipeClosed = () => {
      gone.abort(new Error('The browser closed its pipe.'))
      if (child.exitCode === null && child.signalCode === null)
        timer ??= setTimeout(() => killGroup(child), EXIT_TIMEOUT_MS)
    }
    const onExit = (reason: Error) => {
      gone.abort(reason)
      clearTimeout(timer)
      timer = undefined
      // Child processes of the browser may outlive it.
      killGroup(child)
      void removeProfile().then(resolve)
    }
    child.stdio[3]?.once('error', onPipeClosed)
    child.stdio[4]?.once('close', onPipeClosed)
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
