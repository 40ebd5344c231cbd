// @ts-check
// Plain JavaScript, because set-up.js imports it before anything is installed.
import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'

/**
 * @typedef {object} Browser  A browser that tests need beside the one of the service.
 * @property {string} variable       Environment variable with its path.
 * @property {string[]} commands     Its names on `PATH`.
 * @property {string} debianPackage
 * @property {string} executable     Its path in that package.
 * @property {RegExp} version        What it prints with `--version`.
 */

const START_TIMEOUT_MS = 20_000
const DOWNLOAD_TIMEOUT_MS = 180_000

const run = promisify(execFile)

export const findFirefox = () =>
  findBrowser({
    variable: 'FIREFOX_PATH',
    commands: ['firefox-esr', 'firefox'],
    debianPackage: 'firefox-esr',
    executable: 'usr/lib/firefox-esr/firefox-esr',
    version: /Firefox/,
  })

/** Finds a Chromium that can also have windows, which differs from the headless shell in flags and in its own requests. */
export const findFullChromium = () =>
  findBrowser({
    variable: 'FULL_CHROMIUM_PATH',
    commands: ['chromium', 'google-chrome'],
    debianPackage: 'chromium',
    executable: 'usr/lib/chromium/chromium',
    version: /Chrom/,
  })

/**
 * Finds a browser that starts: the configured one, one on `PATH`, or Debian's, whose packages it unpacks into the user's cache
 * folder without root, with the libraries that this machine lacks.
 *
 * @param {Browser} browser
 * @returns {Promise<{ path: string, libraries?: string } | { reason: string }>}
 */
async function findBrowser({ variable, commands, debianPackage, executable, version }) {
  const configuredPath = process.env[variable]
  if (configuredPath)
    return (await canStart(configuredPath, version))
      ? { path: configuredPath }
      : { reason: `${variable} (${configuredPath}) does not start` }
  for (const command of commands) if (await canStart(command, version)) return { path: await fullPath(command) }
  const cacheFolder = process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache')
  const folder = join(cacheFolder, 'page-preview', `debian-${debianPackage}`)
  const unpacked = { path: join(folder, executable), libraries: join(folder, librariesOf(executable)) }
  try {
    if (!existsSync(unpacked.path)) await unpackPackage(debianPackage, executable, folder)
    return (await canStart(unpacked.path, version, unpacked.libraries))
      ? unpacked
      : { reason: `${unpacked.path} does not start` }
  } catch (error) {
    return { reason: error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error) }
  }
}

/** Where the service looks for the libraries that are installed with a Chromium. @param {string} executable */
const librariesOf = (executable) => join(dirname(executable), 'al2023/lib')

/** @param {string} path @param {RegExp} version @param {string} [libraries] */
const canStart = (path, version, libraries) =>
  run(path, ['--version'], {
    timeout: START_TIMEOUT_MS,
    env: libraries ? { ...process.env, LD_LIBRARY_PATH: libraries } : process.env,
  }).then(
    ({ stdout }) => version.test(stdout),
    () => false,
  )

/** @param {string} command */
const fullPath = async (command) => (await run('/bin/sh', ['-c', `command -v ${command}`])).stdout.trim()

/** @param {string} debianPackage @param {string} executable @param {string} folder */
async function unpackPackage(debianPackage, executable, folder) {
  const partialFolder = `${folder}.${process.pid}`
  mkdirSync(partialFolder, { recursive: true })
  try {
    const options = { cwd: partialFolder, timeout: DOWNLOAD_TIMEOUT_MS, killSignal: /** @type {const} */ ('SIGKILL') }
    const simulate = ['install', '--simulate', '--no-install-recommends', debianPackage]
    const simulation = await run('apt-get', simulate, options)
    const packages = [...simulation.stdout.matchAll(/^Inst (\S+)/gm)].map(([, name = '']) => name)
    await run('apt-get', ['download', ...packages], options)
    for (const file of readdirSync(partialFolder).filter((name) => name.endsWith('.deb'))) {
      await run('dpkg', ['-x', file, '.'], options)
      rmSync(join(partialFolder, file))
    }
    gatherLibraries(join(partialFolder, 'usr/lib'), join(partialFolder, librariesOf(executable)))
    rmSync(folder, { recursive: true, force: true })
    renameSync(partialFolder, folder)
  } finally {
    rmSync(partialFolder, { recursive: true, force: true })
  }
}

/** Moves the libraries of all packages into one folder. @param {string} from @param {string} to */
function gatherLibraries(from, to) {
  mkdirSync(to, { recursive: true })
  for (const architecture of readdirSync(from).filter((name) => name.endsWith('-linux-gnu')))
    for (const entry of readdirSync(join(from, architecture), { recursive: true, withFileTypes: true }))
      if (/^lib.*\.so/.test(entry.name)) renameSync(join(entry.parentPath, entry.name), join(to, entry.name))
}
