// @ts-check
// Makes a checkout ready to run from nothing: plain JavaScript that old versions of Node can read, because it runs before anything is
// installed.
import { spawn } from 'node:child_process'
import { readdirSync, statSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

/** Folder of the checkout. */
export const root = fileURLToPath(new URL('../..', import.meta.url))

const BUILD_STAMP = join(root, 'dist/.built')
const BUILD_INPUTS = [
  'src',
  'stories/docs/errors.mdx',
  'package.json',
  'package-lock.json',
  'vite.config.ts',
  'tsconfig.json',
]
const NOT_INPUTS = ['dist', 'node_modules']

/**
 * Installs what the lockfile of a folder names, unless that is done.
 *
 * @param {string} [dir]   Default: the checkout.
 * @param {string} [what]  For messages.
 */
export async function installDependencies(dir = root, what = 'the dependencies') {
  const installed = join(dir, 'node_modules/.package-lock.json')
  if (lastModified(installed) >= lastModified(join(dir, 'package-lock.json'))) return
  log(`installing ${what}`)
  await requireSuccess(
    runNpm(['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'], dir),
    `Could not install ${what}: see above; check the network and the free disk space.`,
  )
}

/** Builds both packages, unless no source has changed since the last build. */
export async function buildPackages() {
  const changed = Math.max(...BUILD_INPUTS.map((path) => lastModified(join(root, path))))
  if (lastModified(BUILD_STAMP) > changed) return
  log('building')
  await requireSuccess(runNpm(['run', '--silent', 'build']), 'The build failed: see above.')
  writeFileSync(BUILD_STAMP, '')
}

/** Installs and builds. */
export async function prepareCheckout() {
  await installDependencies()
  await buildPackages()
}

/**
 * Finds the Chromium that the service uses, and installs one if there is none.
 *
 * @returns {Promise<NodeJS.ProcessEnv>} Variables with which tests start the same Chromium.
 */
export async function chromiumEnvironment() {
  const { ensureChromium } = await import(pathToFileURL(join(root, 'src/server/dist/browser/index.js')).href)
  const mirror = process.env.PAGE_PREVIEW_BROWSER_MIRROR
  const { path, libraryPath, fontsPath, source } = await ensureChromium({ mirror, log: logChromiumEvent })
  log(`using ${CHROMIUM_SOURCES[/** @type {keyof typeof CHROMIUM_SOURCES} */ (source)] ?? path}`)
  const libraries = [libraryPath, process.env.LD_LIBRARY_PATH].filter(Boolean).join(delimiter)
  return {
    CHROMIUM_PATH: path,
    ...(libraries && { LD_LIBRARY_PATH: libraries }),
    ...(fontsPath && { FONTCONFIG_PATH: fontsPath }),
  }
}

const CHROMIUM_SOURCES = {
  playwright: 'the Chromium of Playwright',
  system: 'the Chromium of this system',
  installed: 'the Chromium that was installed for the service',
}

/** @param {Record<string, string> & { receivedBytes: number, totalBytes: number }} event */
function logChromiumEvent({ event, path, reason, origin, instead, version, receivedBytes, totalBytes }) {
  if (event === 'chromium-skipped') log(`${path} does not start (${reason}); trying the next one`)
  if (event === 'chromium-install-started') log(`there is no Chromium on this machine; installing ${origin}`)
  if (event === 'chromium-download-failed') log(`${reason}; using ${instead} instead`)
  if (event === 'chromium-downloading' && totalBytes > 0)
    log(`downloading Chromium ${version}: ${Math.floor((100 * receivedBytes) / totalBytes)} %`)
}

/**
 * @param {string} path
 * @returns {number} Milliseconds of the newest file at or below the path; 0 if there is none.
 */
function lastModified(path) {
  const stats = statSync(path, { throwIfNoEntry: false })
  if (!stats) return 0
  if (!stats.isDirectory()) return stats.mtimeMs
  const names = readdirSync(path).filter((name) => !NOT_INPUTS.includes(name))
  return Math.max(0, ...names.map((name) => lastModified(join(path, name))))
}

/**
 * Runs a program with its output on this terminal, and forwards signals to it.
 *
 * @param {string} command
 * @param {string[]} args
 * @param {{ env?: NodeJS.ProcessEnv, cwd?: string }} [options]  `env` is added to this process's. Default of `cwd`: the checkout.
 * @returns {Promise<number>} Its exit code.
 */
export function runProgram(command, args, { env = {}, cwd = root } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, stdio: 'inherit', env: { ...process.env, ...env } })
    const forward = (/** @type {NodeJS.Signals} */ signal) => void child.kill(signal)
    process.on('SIGTERM', forward).on('SIGINT', forward)
    child.once('error', reject)
    child.once('exit', (code) => {
      process.off('SIGTERM', forward).off('SIGINT', forward)
      resolve(code ?? 1)
    })
  })
}

/**
 * Runs a script with this Node.
 *
 * @param {string} file  @param {string[]} [args]  @param {NodeJS.ProcessEnv} [env]
 */
export const runNode = (file, args = [], env) => runProgram(process.execPath, [file, ...args], { env })

/**
 * Runs the npm that started this process, or else the one on `PATH`.
 *
 * @param {string[]} args  @param {string} [cwd]
 */
export const runNpm = (args, cwd) =>
  process.env.npm_execpath
    ? runProgram(process.execPath, [process.env.npm_execpath, ...args], { cwd })
    : runProgram('npm', args, { cwd })

/**
 * @param {Promise<number>} exitCode
 * @param {string} advice  The message of the error that is thrown for another exit code than 0.
 */
export async function requireSuccess(exitCode, advice) {
  if ((await exitCode) !== 0) throw new Error(advice)
}

/** @param {string} line */
export const log = (line) => console.log(`page-preview: ${line}`)
