// An executable that may be a Chromium: whether it starts, and what it needs to.
import { access, constants, readdir, stat } from 'node:fs/promises'
import { homedir, platform } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { hasErrorCode } from '../node-errors.js'
import { childEnvironment, runCommand } from '../child-processes.js'

/** A Chromium that has been started once, successfully. */
export interface ChromiumExecutable {
  path: string
  /** As it prints it, `153.0.8010.0`; `undefined` on Windows, where it does not. */
  version?: string
  /** Libraries shipped with it, for `LD_LIBRARY_PATH`; only if the system lacks some of them. */
  libraryPath?: string
  /** Fonts shipped with it, for `FONTCONFIG_PATH`; only if the system has none. */
  fontsPath?: string
}

interface ProbeOptions {
  env: NodeJS.ProcessEnv
  signal?: AbortSignal | undefined
}

const PROBE_TIMEOUT_MS = 10_000
/** In the folder of an executable that brings its own fonts. */
export const FONTS_FOLDER = 'fonts'
export const FONTS_CONFIG = 'fonts.conf'

/**
 * Starts a Chromium once, with `--version`, using the libraries next to it if the system lacks some.
 *
 * @throws  {Error} when the file does not exist or does not start.
 */
export async function probeChromium(path: string, { env, signal }: ProbeOptions): Promise<ChromiumExecutable> {
  await access(path, constants.X_OK)
  // On Windows `--version` opens a window instead: https://crbug.com/158372
  if (platform() === 'win32') return { path }
  const bundled = platform() === 'linux' ? await missingResources(path, { env, signal }) : {}
  const printed = await runCommand(path, ['--version'], {
    env: chromiumEnvironment(bundled, env),
    timeoutMs: PROBE_TIMEOUT_MS,
    signal,
  })
  const version = /\b\d{1,6}(?:\.\d{1,6}){1,3}/.exec(printed)?.[0]
  if (version === undefined) throw new Error(`${path} --version prints no version`)
  return { path, version, ...bundled }
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
  const fontsPath = join(folder, FONTS_FOLDER)
  return {
    ...((await exists(libraryPath)) && (await lacksLibraries(path, options)) && { libraryPath }),
    ...((await exists(join(fontsPath, FONTS_CONFIG))) && !(await hasFonts(options.env)) && { fontsPath }),
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

/** Relative ones are in the home directory. */
const FONT_FOLDERS = ['/usr/share/fonts', '/usr/local/share/fonts', '.fonts', '.local/share/fonts']

export async function hasFonts(env: NodeJS.ProcessEnv): Promise<boolean> {
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

export const homeOf = (env: NodeJS.ProcessEnv) => env.HOME ?? homedir()

export const exists = (path: string): Promise<boolean> =>
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

/**
 * A wrong path would otherwise show only when the first screenshot is requested.
 *
 * @param browser  The value of `--browser`. Default: the variable `CHROMIUM_PATH`.
 * @throws         Error with a sentence for the operator.
 */
export async function assertBrowserExists(browser: string | undefined): Promise<void> {
  const [name, path] = browser === undefined ? ['CHROMIUM_PATH', process.env.CHROMIUM_PATH] : ['--browser', browser]
  const fault = path ? await findExecutableFault(path) : undefined
  if (fault === undefined) return
  throw new Error(
    `${name} is ${path}, but ${fault}. Correct the path, or leave ${name} out to use a Chromium that is found or installed.`,
  )
}
