import { access, constants, readdir } from 'node:fs/promises'
import { homedir, platform } from 'node:os'
import { dirname, join } from 'node:path'
import { chromiumEnvironment, type FoundChromium } from './found-chromium.js'
import { runCommand } from './run-command.js'

const VERSION_TIMEOUT_MS = 10_000
const FONT_FOLDERS = ['/usr/share/fonts', '/usr/local/share/fonts', '.fonts', '.local/share/fonts']

/**
 * Starts a Chromium for its version, with the libraries beside it where the system lacks some.
 *
 * @throws  {Error} when it is not there, or does not start.
 */
export async function probeChromium(
  path: string,
  { env, signal }: { env: NodeJS.ProcessEnv; signal?: AbortSignal | undefined },
): Promise<Pick<FoundChromium, 'libraryPath' | 'fontsPath'>> {
  await access(path, constants.X_OK)
  // There `--version` opens a window instead: https://crbug.com/158372
  if (platform() === 'win32') return {}
  const extras = platform() === 'linux' ? await extrasOf(path, { env, signal }) : {}
  const version = await runCommand(path, ['--version'], {
    env: chromiumEnvironment(extras, env),
    timeoutMs: VERSION_TIMEOUT_MS,
    signal,
  })
  if (!/\d+\.\d+/.test(version)) throw new Error(`${path} --version prints no version`)
  return extras
}

async function extrasOf(path: string, options: { env: NodeJS.ProcessEnv; signal?: AbortSignal | undefined }) {
  const folder = dirname(path)
  const libraryPath = join(folder, 'al2023', 'lib')
  const fontsPath = join(folder, 'fonts')
  return {
    ...((await exists(libraryPath)) && (await lacksLibraries(path, options)) && { libraryPath }),
    ...((await exists(join(fontsPath, 'fonts.conf'))) && !(await hasFonts(options.env)) && { fontsPath }),
  }
}

async function lacksLibraries(
  path: string,
  { env, signal }: { env: NodeJS.ProcessEnv; signal?: AbortSignal | undefined },
): Promise<boolean> {
  try {
    return /not found/.test(await runCommand('ldd', [path], { env, timeoutMs: VERSION_TIMEOUT_MS, signal }))
  } catch {
    // No ldd, no answer: the libraries that came along are the safer choice, for they fit this very program.
    return true
  }
}

async function hasFonts(env: NodeJS.ProcessEnv): Promise<boolean> {
  const home = env.HOME ?? homedir()
  const found = await Promise.all(
    FONT_FOLDERS.map((folder) =>
      readdir(folder.startsWith('/') ? folder : join(home, folder)).then(
        (names) => names.length > 0,
        () => false,
      ),
    ),
  )
  return found.includes(true)
}

const exists = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  )
