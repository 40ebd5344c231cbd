import { access, constants, readdir, stat } from 'node:fs/promises'
import { homedir, platform } from 'node:os'
import { delimiter, dirname, join, resolve } from 'node:path'
import { hasErrorCode } from '../node-errors.js'
import { childEnvironment, runCommand } from '../child-processes.js'
import manifest from './chromium-package/package.json' with { type: 'json' }
import type { LogEvent } from '../log.js'

/** A Chromium that has been started once, successfully. */
export interface ChromiumExecutable {
  path: string
  /** Libraries shipped with it, for `LD_LIBRARY_PATH`; only if the system lacks some of them. */
  libraryPath?: string
  /** Fonts shipped with it, for `FONTCONFIG_PATH`; only if the system has none. */
  fontsPath?: string
  source: ChromiumSource
}

type ChromiumSource = 'CHROMIUM_PATH' | 'playwright' | 'system' | 'package' | 'option'

export interface FindChromiumOptions {
  env?: NodeJS.ProcessEnv
  /** Executables to try after those on `PATH`. Default: where this platform's installers put a browser. */
  installedPaths?: readonly string[] | undefined
  log?: LogEvent | undefined
  signal?: AbortSignal | undefined
}

/** What looking at one executable needs of `FindChromiumOptions`. */
type ProbeOptions = { env: NodeJS.ProcessEnv; signal?: AbortSignal | undefined }

/**
 * Finds a Chromium that starts: `CHROMIUM_PATH`, Playwright's, the system's, or the one in the npm package once it is unpacked.
 *
 * @throws  {Error} when `CHROMIUM_PATH` names a file that does not exist or does not start.
 */
export async function findChromium({
  env = process.env,
  installedPaths = platformPaths(env),
  log,
  signal,
}: FindChromiumOptions = {}): Promise<ChromiumExecutable | undefined> {
  if (env.CHROMIUM_PATH) return configuredChromium(env.CHROMIUM_PATH, { env, signal })
  const candidates: Pick<ChromiumExecutable, 'path' | 'source'>[] = [
    ...(await playwrightPaths(env)).map((path) => ({ path, source: 'playwright' as const })),
    ...[...new Set([...pathsOnPath(env), ...installedPaths])].map((path) => ({ path, source: 'system' as const })),
    { path: join(chromiumPackageFolder(env), 'chromium'), source: 'package' },
  ]
  for (const { path, source } of candidates) {
    if (!(await exists(path))) continue
    try {
      return await probeChromium(path, source, { env, signal })
    } catch (error) {
      signal?.throwIfAborted()
      log?.({ event: 'chromium-skipped', path, reason: String(error) })
    }
  }
  return undefined
}

async function configuredChromium(path: string, options: ProbeOptions): Promise<ChromiumExecutable> {
  try {
    return await probeChromium(path, 'CHROMIUM_PATH', options)
  } catch (cause) {
    options.signal?.throwIfAborted()
    const isMissing = hasErrorCode(cause, 'ENOENT')
    const reason = isMissing ? 'that file does not exist' : `it does not start: ${String(cause)}`
    throw new Error(
      `CHROMIUM_PATH is ${path}, but ${reason}. Correct the path, or unset the variable to search for a Chromium.`,
      { cause },
    )
  }
}

const PLAYWRIGHT_EXECUTABLE =
  /^(headless_shell|chrome-headless-shell|chrome|Chromium|Google Chrome for Testing)(\.exe)?$/
/** On a Mac the executable is nested inside an `.app` bundle. */
const MAX_BUNDLE_DEPTH = 5

/** Headless shells come first because they render twice as fast; within a kind, the newest build does. */
async function playwrightPaths(env: NodeJS.ProcessEnv): Promise<string[]> {
  const folder = playwrightFolder(env)
  const builds = (await listFolder(folder))
    .map((name) => /^(chromium_headless_shell|chromium)-(\d+)$/.exec(name))
    .filter((match) => match !== null)
    .map(([name, kind, number]) => ({ name, isShell: kind !== 'chromium', number: Number(number) }))
    .toSorted((a, b) => Number(b.isShell) - Number(a.isShell) || b.number - a.number)
  const paths = await Promise.all(builds.map(({ name }) => executablesIn(join(folder, name), MAX_BUNDLE_DEPTH)))
  return paths.flat()
}

/** @see https://playwright.dev/docs/browsers#managing-browser-binaries */
function playwrightFolder(env: NodeJS.ProcessEnv): string {
  if (env.PLAYWRIGHT_BROWSERS_PATH && env.PLAYWRIGHT_BROWSERS_PATH !== '0') return env.PLAYWRIGHT_BROWSERS_PATH
  const home = homeOf(env)
  if (platform() === 'darwin') return join(home, 'Library/Caches/ms-playwright')
  if (platform() === 'win32') return join(env.LOCALAPPDATA ?? join(home, 'AppData', 'Local'), 'ms-playwright')
  return join(env.XDG_CACHE_HOME ?? join(home, '.cache'), 'ms-playwright')
}

async function executablesIn(folder: string, maxDepth: number): Promise<string[]> {
  const names = await listFolder(folder)
  const executables = names.filter((name) => PLAYWRIGHT_EXECUTABLE.test(name)).map((name) => join(folder, name))
  if (executables.length || !maxDepth) return executables
  const subfolders = names.filter((name) => /^chrome-|\.app$|^(Contents|MacOS)$/.test(name))
  return (await Promise.all(subfolders.map((name) => executablesIn(join(folder, name), maxDepth - 1)))).flat()
}

/** An empty list for a folder that does not exist or may not be read. */
async function listFolder(folder: string): Promise<string[]> {
  try {
    return await readdir(folder)
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT', 'ENOTDIR', 'EACCES')) return []
    throw new Error(`The folder ${folder} cannot be read while looking for a Chromium.`, { cause: error })
  }
}

/** Best first. */
const EXECUTABLE_NAMES = [
  'chromium-headless-shell',
  'chrome-headless-shell',
  'headless_shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  'chrome',
  'msedge',
  'microsoft-edge',
]
const MAC_APPLICATIONS = ['Google Chrome', 'Chromium', 'Microsoft Edge']
const WINDOWS_EXECUTABLES = [
  'Google/Chrome/Application/chrome.exe',
  'Chromium/Application/chrome.exe',
  'Microsoft/Edge/Application/msedge.exe',
]

function pathsOnPath(env: NodeJS.ProcessEnv): string[] {
  if (platform() === 'win32') return []
  return executablesInFolders((env.PATH ?? '').split(delimiter).filter(Boolean))
}

function platformPaths(env: NodeJS.ProcessEnv): string[] {
  if (platform() === 'win32') return windowsPaths(env)
  // A service manager may start the service with a shorter PATH than a login shell has.
  const paths = executablesInFolders(['/usr/local/bin', '/usr/bin', '/snap/bin'])
  if (platform() === 'darwin')
    return [...paths, ...MAC_APPLICATIONS.map((name) => `/Applications/${name}.app/Contents/MacOS/${name}`)]
  return [...paths, '/opt/google/chrome/chrome', '/opt/microsoft/msedge/msedge']
}

function windowsPaths(env: NodeJS.ProcessEnv): string[] {
  return [env.PROGRAMFILES, env['PROGRAMFILES(X86)'], env.LOCALAPPDATA].flatMap((folder) =>
    folder === undefined ? [] : WINDOWS_EXECUTABLES.map((executable) => join(folder, executable)),
  )
}

const executablesInFolders = (folders: readonly string[]): string[] =>
  EXECUTABLE_NAMES.flatMap((name) => folders.map((folder) => join(folder, name)))

export const CHROMIUM_PACKAGE = '@sparticuz/chromium'

/** The folder that the npm package's Chromium is unpacked into. `PAGE_PREVIEW_CHROMIUM_DIR` overrides the default. */
export function chromiumPackageFolder(env: NodeJS.ProcessEnv): string {
  if (env.PAGE_PREVIEW_CHROMIUM_DIR) return env.PAGE_PREVIEW_CHROMIUM_DIR
  const cache = env.XDG_CACHE_HOME ?? join(homeOf(env), '.cache')
  return join(cache, 'page-preview', `chromium-${manifest.dependencies[CHROMIUM_PACKAGE]}`)
}

const PROBE_TIMEOUT_MS = 10_000

/**
 * Starts a Chromium once, with `--version`, using the libraries next to it if the system lacks some.
 *
 * @throws  {Error} when the file does not exist or does not start.
 */
export async function probeChromium(
  path: string,
  source: ChromiumSource,
  { env, signal }: ProbeOptions,
): Promise<ChromiumExecutable> {
  await access(path, constants.X_OK)
  // On Windows `--version` opens a window instead: https://crbug.com/158372
  if (platform() === 'win32') return { path, source }
  const bundled = platform() === 'linux' ? await missingResources(path, { env, signal }) : {}
  const version = await runCommand(path, ['--version'], {
    env: chromiumEnvironment(bundled, env),
    timeoutMs: PROBE_TIMEOUT_MS,
    signal,
  })
  if (!/\d\.\d/.test(version)) throw new Error(`${path} --version prints no version`)
  return { path, source, ...bundled }
}

/** The environment variables that a Chromium process needs, and no others: the variables of the service contain secrets. */
export function chromiumEnvironment(
  { libraryPath, fontsPath }: Pick<ChromiumExecutable, 'libraryPath' | 'fontsPath'>,
  env: NodeJS.ProcessEnv = process.env,
): NodeJS.ProcessEnv {
  return {
    ...childEnvironment(env),
    // In the locale C, Chromium finds no text, so that text fragments have no effect, and calls its language en-US@posix.
    LC_ALL: 'en_US.UTF-8',
    ...(libraryPath && { LD_LIBRARY_PATH: [libraryPath, env.LD_LIBRARY_PATH].filter(Boolean).join(':') }),
    ...(fontsPath && { FONTCONFIG_PATH: fontsPath }),
  }
}

/** Libraries and fonts next to an executable that the system lacks. */
async function missingResources(path: string, options: ProbeOptions) {
  const folder = dirname(path)
  const libraryPath = join(folder, 'al2023', 'lib')
  const fontsPath = join(folder, 'fonts')
  return {
    ...((await exists(libraryPath)) && (await lacksLibraries(path, options)) && { libraryPath }),
    ...((await exists(join(fontsPath, 'fonts.conf'))) && !(await hasFonts(options.env)) && { fontsPath }),
  }
}

async function lacksLibraries(path: string, { env, signal }: ProbeOptions): Promise<boolean> {
  // The user that runs the browser may not be able to read the folders of this variable, but can read a copy of the bundled libraries.
  const { LD_LIBRARY_PATH: _, ...systemEnv } = childEnvironment(env)
  try {
    return /not found/.test(await runCommand('ldd', [path], { env: systemEnv, timeoutMs: PROBE_TIMEOUT_MS, signal }))
  } catch {
    // Without ldd the bundled libraries are the safer choice, because they were built for this executable.
    return true
  }
}

const FONT_FOLDERS = ['/usr/share/fonts', '/usr/local/share/fonts', '.fonts', '.local/share/fonts']

async function hasFonts(env: NodeJS.ProcessEnv): Promise<boolean> {
  const areFilled = await Promise.all(
    FONT_FOLDERS.map((folder) =>
      readdir(resolve(homeOf(env), folder)).then(
        (names) => names.length > 0,
        () => false,
      ),
    ),
  )
  return areFilled.includes(true)
}

const homeOf = (env: NodeJS.ProcessEnv) => env.HOME ?? homedir()

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  )

/**
 * Explains why a file cannot be run as a browser, as the end of a sentence; names the absolute path.
 *
 * @param path  Relative to the working directory, or absolute.
 * @returns     `undefined` when it can be run.
 */
export async function findExecutableFault(path: string): Promise<string | undefined> {
  const tried = resolve(path)
  try {
    if (!(await stat(tried)).isFile()) return `${tried} is not a file`
    await access(tried, constants.X_OK)
    return undefined
  } catch (error) {
    const isMissing = hasErrorCode(error, 'ENOENT', 'ENOTDIR')
    return isMissing ? `there is no file ${tried}` : `this user may not run ${tried}`
  }
}
