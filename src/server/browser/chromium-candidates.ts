import { readdir } from 'node:fs/promises'
import { homedir, platform } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { chromiumPackageFolder } from './chromium-package-folder.js'
import type { ChromiumSource } from './found-chromium.js'

export interface ChromiumCandidate {
  path: string
  source: ChromiumSource
}

const NAMES_ON_PATH = [
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

const PLAYWRIGHT_EXECUTABLE =
  /^(headless_shell|chrome-headless-shell|chrome|Chromium|Google Chrome for Testing)(\.exe)?$/

/** Where a Chromium may be, best first; not every path exists. */
export async function chromiumCandidates(env: NodeJS.ProcessEnv): Promise<ChromiumCandidate[]> {
  const paths = [
    ...(await playwrightPaths(env)).map((path) => ({ path, source: 'playwright' as const })),
    ...systemPaths(env).map((path) => ({ path, source: 'system' as const })),
  ]
  return [...paths, { path: join(chromiumPackageFolder(env), 'chromium'), source: 'package' }]
}

/** Headless shells first, they are twice as fast; the newest first. */
async function playwrightPaths(env: NodeJS.ProcessEnv): Promise<string[]> {
  const folder = playwrightFolder(env)
  const builds = (await namesIn(folder))
    .map((name) => /^(chromium_headless_shell|chromium)-(\d+)$/.exec(name))
    .filter((match) => match !== null)
    .toSorted(([, kind, build], [, otherKind, otherBuild]) =>
      kind === otherKind ? Number(otherBuild) - Number(build) : kind!.length < otherKind!.length ? 1 : -1,
    )
  const paths: string[] = []
  for (const [build] of builds) paths.push(...(await executablesIn(join(folder, build), 5)))
  return paths
}

function playwrightFolder(env: NodeJS.ProcessEnv): string {
  // https://playwright.dev/docs/browsers#managing-browser-binaries
  if (env.PLAYWRIGHT_BROWSERS_PATH && env.PLAYWRIGHT_BROWSERS_PATH !== '0') return env.PLAYWRIGHT_BROWSERS_PATH
  const home = env.HOME ?? homedir()
  if (platform() === 'darwin') return join(home, 'Library/Caches/ms-playwright')
  if (platform() === 'win32') return join(env.LOCALAPPDATA ?? join(home, 'AppData', 'Local'), 'ms-playwright')
  return join(env.XDG_CACHE_HOME ?? join(home, '.cache'), 'ms-playwright')
}

/** @param depth  How many folders deep: on a Mac the executable is inside an `.app`. */
async function executablesIn(folder: string, depth: number): Promise<string[]> {
  const names = await namesIn(folder)
  const found = names.filter((name) => PLAYWRIGHT_EXECUTABLE.test(name)).map((name) => join(folder, name))
  const inner = names.filter((name) => /^chrome-|\.app$|^(Contents|MacOS)$/.test(name))
  if (found.length || !depth) return found
  return (await Promise.all(inner.map((name) => executablesIn(join(folder, name), depth - 1)))).flat()
}

function systemPaths(env: NodeJS.ProcessEnv): string[] {
  if (platform() === 'win32')
    return [env.PROGRAMFILES, env['PROGRAMFILES(X86)'], env.LOCALAPPDATA].flatMap((folder) =>
      folder === undefined
        ? []
        : [
            join(folder, 'Google/Chrome/Application/chrome.exe'),
            join(folder, 'Chromium/Application/chrome.exe'),
            join(folder, 'Microsoft/Edge/Application/msedge.exe'),
          ],
    )
  const folders = new Set([...(env.PATH ?? '').split(delimiter), '/usr/local/bin', '/usr/bin', '/snap/bin'])
  const onPath = NAMES_ON_PATH.flatMap((name) => [...folders].filter(Boolean).map((folder) => join(folder, name)))
  if (platform() !== 'darwin') return [...onPath, '/opt/google/chrome/chrome', '/opt/microsoft/msedge/msedge']
  return [
    ...onPath,
    ...['Google Chrome', 'Chromium', 'Microsoft Edge'].map(
      (name) => `/Applications/${name}.app/Contents/MacOS/${name}`,
    ),
  ]
}

/** Nothing for a folder that is not there. */
async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder)
  } catch (error) {
    if (error instanceof Error && 'code' in error && /^(ENOENT|ENOTDIR|EACCES)$/.test(String(error.code))) return []
    throw new Error(`The folder ${dirname(folder)} cannot be read while looking for a Chromium.`, { cause: error })
  }
}
