import { createHash } from 'node:crypto'
import { access, chmod, cp, mkdir, mkdtemp, readdir, readFile, rename, rm, stat, utimes } from 'node:fs/promises'
import { platform } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { hasErrorCode, ignoreCodes } from '../node-errors.js'
import { runCommand } from '../child-processes.js'
import { serveOptions } from '../serve-options.js'
import { DAY_MS } from '../utc-day.js'
import type { LogEvent } from '../log.js'
import { chromiumEnvironment, type ChromiumExecutable } from './probe-chromium.js'

/** The unprivileged user that runs the browser if the service runs as root. */
export interface BrowserUser {
  name: string
  uid: number
  gid: number
}

/**
 * Looks up the user that the browser runs as, since Chromium has no sandbox as root.
 *
 * @param name  Default: as for `serve`.
 * @returns     `undefined` if the service does not run as root: the browser then runs as the same user.
 * @throws      {SandboxError} when there is no such user, or when it is root.
 */
export async function findBrowserUser(
  name: string = serveOptions.browserUser.default,
): Promise<BrowserUser | undefined> {
  if (!isRootOnLinux()) return undefined
  const accounts = (await readFile('/etc/passwd', 'utf8')).split('\n').map((line) => line.split(':'))
  const [, , uid, gid] = accounts.find(([each]) => each === name) ?? []
  if (!Number(uid))
    throw new SandboxError(`the service runs as root, and this machine has no unprivileged user ${name}`, {
      remedy: 'Set --browser-user to an unprivileged user, or run the service as one',
    })
  return { name, uid: Number(uid), gid: Number(gid) }
}

export const isRootOnLinux = () => platform() === 'linux' && process.getuid?.() === 0

const ALLOW_NAMESPACES =
  'Allow user namespaces (in a container with --security-opt seccomp=seccomp.json, on the host with sysctl user.max_user_namespaces ' +
  'and kernel.apparmor_restrict_unprivileged_userns)'

/** Chromium cannot run with its sandbox, and may not run without it. The message contains the remedy. */
export class SandboxError extends Error {
  override readonly name = 'SandboxError'
  /** @param remedy  Default: how to allow user namespaces. */
  constructor(reason: string, { remedy = ALLOW_NAMESPACES, cause }: { remedy?: string; cause?: unknown } = {}) {
    super(
      `Chromium cannot run with its sandbox: ${reason}. Without the sandbox, a page that exploits a bug in Chromium could run programs on this machine. ` +
        `${remedy}, or accept the risk with --allow-unsandboxed.`,
      { cause },
    )
  }
}

const CACHE_FOLDER = '/var/cache/page-preview'
const PROBE_TIMEOUT_MS = 10_000
/** Folders of copies, including incomplete ones of processes that died. */
const COPY_NAME = /^browser-[\da-f]{16}(\.part-\w+)?$/
/** A copy that no launch has used for this long is removed. */
const UNUSED_AFTER_MS = 7 * DAY_MS
/** Files that belong to a Chromium executable. Nothing else is copied, because every user can read the copy. */
const CHROMIUM_FILE =
  /^(al2023|fonts|locales|resources|swiftshader|hyphen-data|vk_swiftshader_icd\.json|icudtl\.dat|(snapshot_blob|v8_context_snapshot)\.bin|chrome_crashpad_handler)$|\.pak$|^lib[\w-]+\.so(\.|$)/

interface ReadableChromiumOptions {
  user: BrowserUser
  /** Folder of the copies. Default: `/var/cache/page-preview`. */
  cacheFolder?: string
  log?: LogEvent | undefined
  signal: AbortSignal
}

/**
 * Returns a Chromium that the user can run: this one, or a copy of it if only root can read it, as in root's home.
 *
 * @throws  {SandboxError} when it cannot be copied.
 */
export async function readableChromium(
  chromium: ChromiumExecutable,
  { user, cacheFolder = CACHE_FOLDER, log, signal }: ReadableChromiumOptions,
): Promise<ChromiumExecutable> {
  if (await canRun(user, chromium, signal)) return chromium
  try {
    const copy = await copyOnce(chromium, cacheFolder)
    signal.throwIfAborted()
    if (!(await canRun(user, copy, signal))) {
      await rm(dirname(copy.path), { recursive: true, force: true })
      throw new Error('the copy does not start')
    }
    log?.({ event: 'chromium-copied', path: chromium.path, to: copy.path, user: user.name })
    await removeUnusedCopies(copy, cacheFolder)
    return copy
  } catch (cause) {
    signal.throwIfAborted()
    const reason = `${user.name} cannot run ${chromium.path}, and it cannot be copied to ${cacheFolder} (${String(cause)})`
    throw new SandboxError(reason, { remedy: `Install Chromium where ${user.name} can run it`, cause })
  }
}

function canRun(user: BrowserUser, chromium: ChromiumExecutable, signal: AbortSignal): Promise<boolean> {
  const env = chromiumEnvironment(chromium)
  return runCommand(chromium.path, ['--version'], { cwd: '/', env, user, timeoutMs: PROBE_TIMEOUT_MS, signal }).then(
    () => true,
    () => false,
  )
}

async function copyOnce(chromium: ChromiumExecutable, cacheFolder: string): Promise<ChromiumExecutable> {
  const { path, libraryPath, fontsPath } = chromium
  const { size, mtimeMs } = await stat(path)
  const digest = createHash('sha256').update(`${path} ${size} ${mtimeMs}`).digest('hex').slice(0, 16)
  const folder = join(cacheFolder, `browser-${digest}`)
  const isCopied = await access(folder).then(
    () => true,
    () => false,
  )
  if (!isCopied) await copyFolder(path, folder)
  return {
    ...chromium,
    path: join(folder, basename(path)),
    ...(libraryPath && { libraryPath: join(folder, libraryPath.slice(dirname(path).length)) }),
    ...(fontsPath && { fontsPath: join(folder, fontsPath.slice(dirname(path).length)) }),
  }
}

async function copyFolder(executable: string, folder: string): Promise<void> {
  await mkdir(dirname(folder), { recursive: true })
  await chmod(dirname(folder), 0o755)
  const staging = await mkdtemp(`${folder}.part-`)
  try {
    const names = await readdir(dirname(executable))
    for (const name of names.filter((name) => name === basename(executable) || CHROMIUM_FILE.test(name)))
      await cp(join(dirname(executable), name), join(staging, name), { recursive: true, verbatimSymlinks: true })
    await makeReadable(staging)
    await rename(staging, folder)
  } catch (error) {
    // Another process may have been faster.
    const isTaken = hasErrorCode(error, 'ENOTEMPTY', 'EEXIST')
    if (!isTaken) throw error
  } finally {
    await rm(staging, { recursive: true, force: true })
  }
}

/** Removes copies of earlier versions, but no copy that another service on this machine has launched within a week. */
async function removeUnusedCopies({ path }: ChromiumExecutable, cacheFolder: string): Promise<void> {
  const now = new Date()
  await utimes(dirname(path), now, now)
  for (const name of (await readdir(cacheFolder)).filter((name) => COPY_NAME.test(name))) {
    const folder = join(cacheFolder, name)
    // Another service may have removed it in the meantime.
    const stats = await stat(folder).catch(ignoreCodes('ENOENT'))
    if (stats && now.getTime() - stats.mtimeMs > UNUSED_AFTER_MS) await rm(folder, { recursive: true, force: true })
  }
}

async function makeReadable(folder: string): Promise<void> {
  await chmod(folder, 0o755)
  for (const entry of await readdir(folder, { withFileTypes: true, recursive: true })) {
    if (entry.isSymbolicLink()) continue
    const path = join(entry.parentPath, entry.name)
    const isRunnable = entry.isDirectory() || ((await stat(path)).mode & 0o100) !== 0
    await chmod(path, isRunnable ? 0o755 : 0o644)
  }
}
