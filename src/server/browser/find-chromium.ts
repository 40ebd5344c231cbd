// Where a Chromium may be on this machine, and the first of them that starts.
import { readdir } from 'node:fs/promises'
import { platform } from 'node:os'
import { basename, delimiter, join } from 'node:path'
import { hasErrorCode } from '../node-errors.js'
import type { LogEvent } from '../log.js'
import { chromiumsFolder, listInstalled, type InstalledChromium } from './installed-chromiums.js'
import { exists, homeOf, probeChromium, type ChromiumExecutable } from './probe-chromium.js'

/** A Chromium, and who put it there; `option`: whoever configures the service. */
export type FoundChromium = ChromiumExecutable &
  (
    | { source: 'option' | 'CHROMIUM_PATH' | 'playwright' | 'system'; installed?: undefined }
    | { source: 'installed'; installed: InstalledChromium }
  )

export interface FindChromiumOptions {
  env?: NodeJS.ProcessEnv
  /** Executables to try after those on `PATH`. Default: where this platform's installers put a browser. */
  installedPaths?: readonly string[] | undefined
  log?: LogEvent | undefined
  signal?: AbortSignal | undefined
}

type Origin = { source: 'playwright' | 'system' } | { source: 'installed'; installed: InstalledChromium }

/**
 * Finds a Chromium that starts: `CHROMIUM_PATH`, Playwright's, the system's, or the newest that the service has installed.
 *
 * @throws  {Error} when `CHROMIUM_PATH` names a file that does not exist or does not start.
 */
export async function findChromium({
  env = process.env,
  installedPaths = platformPaths(env),
  log,
  signal,
}: FindChromiumOptions = {}): Promise<FoundChromium | undefined> {
  if (env.CHROMIUM_PATH) return configuredChromium(env.CHROMIUM_PATH, { env, signal })
  const candidates: (Origin & { path: string })[] = [
    ...(await playwrightPaths(env)).map((path) => ({ path, source: 'playwright' as const })),
    ...[...new Set([...pathsOnPath(env), ...installedPaths])].map((path) => ({ path, source: 'system' as const })),
    ...(await listInstalled(chromiumsFolder(env))).map((installed) => ({
      path: installed.path,
      source: 'installed' as const,
      installed,
    })),
  ]
  for (const candidate of candidates) {
    const { path } = candidate
    if (!(await exists(path))) continue
    try {
      return { ...candidate, ...(await probeChromium(path, { env, signal })) }
    } catch (error) {
      signal?.throwIfAborted()
      log?.({ event: 'chromium-skipped', path, reason: String(error) })
    }
  }
  return undefined
}

async function configuredChromium(
  path: string,
  options: Pick<FindChromiumOptions, 'signal'> & { env: NodeJS.ProcessEnv },
): Promise<FoundChromium> {
  try {
    return { ...(await probeChromium(path, options)), source: 'CHROMIUM_PATH' }
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

/** Headless shells come first because they render twice as fast; within a kind, the newest build does. */
async function playwrightPaths(env: NodeJS.ProcessEnv): Promise<string[]> {
  const folder = playwrightFolder(env)
  const builds = (await listFolder(folder))
    .map((name) => /^(chromium_headless_shell|chromium)-(\d+)$/.exec(name))
    .filter((match) => match !== null)
    .map(([name, kind, number]) => ({ name, isShell: kind !== 'chromium', number: Number(number) }))
    .toSorted((a, b) => Number(b.isShell) - Number(a.isShell) || b.number - a.number)
  const paths = await Promise.all(builds.map(({ name }) => executablesIn(join(folder, name))))
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

/** On a Mac they are nested inside an `.app` bundle. */
const executablesIn = async (folder: string): Promise<string[]> =>
  (await listFolder(folder, { recursive: true }))
    .filter((path) => PLAYWRIGHT_EXECUTABLE.test(basename(path)))
    .map((path) => join(folder, path))

/** An empty list for a folder that does not exist or may not be read. */
async function listFolder(folder: string, options: { recursive?: boolean } = {}): Promise<string[]> {
  try {
    return await readdir(folder, options)
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
