import { access, constants, readdir } from 'node:fs/promises'
import { homedir, platform } from 'node:os'
import { dirname, join } from 'node:path'
import { childEnvironment } from './child-environment.js'
import { chromiumEnvironment } from './chromium-environment.js'
import type { ChromiumExecutable } from './chromium-executable.js'
import { runCommand } from './run-command.js'

interface ProbeOptions {
  env: NodeJS.ProcessEnv
  signal?: AbortSignal | undefined
}

/** Libraries and fonts next to an executable that the system lacks. */
type BundledResources = Pick<ChromiumExecutable, 'libraryPath' | 'fontsPath'>

const COMMAND_TIMEOUT_MS = 10_000
const FONT_FOLDERS = ['/usr/share/fonts', '/usr/local/share/fonts', '.fonts', '.local/share/fonts']

/**
 * Starts a Chromium once, with `--version`, using the libraries next to it where the system lacks some.
 *
 * @throws  {Error} when the file does not exist or does not start.
 */
export async function probeChromium(path: string, { env, signal }: ProbeOptions): Promise<BundledResources> {
  await access(path, constants.X_OK)
  // On Windows `--version` opens a window instead: https://crbug.com/158372
  if (platform() === 'win32') return {}
  const resources = platform() === 'linux' ? await missingResources(path, { env, signal }) : {}
  const version = await runCommand(path, ['--version'], {
    env: chromiumEnvironment(resources, env),
    timeoutMs: COMMAND_TIMEOUT_MS,
    signal,
  })
  if (!/\d\.\d/.test(version)) throw new Error(`${path} --version prints no version`)
  return resources
}

async function missingResources(path: string, options: ProbeOptions): Promise<BundledResources> {
  const folder = dirname(path)
  const libraryPath = join(folder, 'al2023', 'lib')
  const fontsPath = join(folder, 'fonts')
  return {
    ...((await exists(libraryPath)) && (await lacksLibraries(path, options)) && { libraryPath }),
    ...((await exists(join(fontsPath, 'fonts.conf'))) && !(await hasFonts(options.env)) && { fontsPath }),
  }
}

async function lacksLibraries(path: string, { env, signal }: ProbeOptions): Promise<boolean> {
  try {
    return /not found/.test(
      await runCommand('ldd', [path], { env: childEnvironment(env), timeoutMs: COMMAND_TIMEOUT_MS, signal }),
    )
  } catch {
    // Without ldd the bundled libraries are the safer choice, because they were built for this executable.
    return true
  }
}

async function hasFonts(env: NodeJS.ProcessEnv): Promise<boolean> {
  const home = env.HOME ?? homedir()
  const areFilled = await Promise.all(
    FONT_FOLDERS.map((folder) =>
      readdir(folder.startsWith('/') ? folder : join(home, folder)).then(
        (names) => names.length > 0,
        () => false,
      ),
    ),
  )
  return areFilled.includes(true)
}

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  )
