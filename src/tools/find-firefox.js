// @ts-check
// Plain JavaScript, because set-up.js imports it before anything is installed.
import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const START_TIMEOUT_MS = 20_000
const DOWNLOAD_TIMEOUT_MS = 180_000
const LIBRARY_DIR = 'usr/lib/x86_64-linux-gnu'

const run = promisify(execFile)

/**
 * Finds a Firefox that starts: `FIREFOX_PATH`, one on `PATH`, or Debian's, whose packages it unpacks into the user's cache folder
 * without root, with the libraries that this machine lacks.
 *
 * @returns {Promise<{ path: string, libraries?: string } | { reason: string }>}
 */
export async function findFirefox() {
  const configuredPath = process.env.FIREFOX_PATH
  if (configuredPath)
    return (await canStart(configuredPath))
      ? { path: configuredPath }
      : { reason: `FIREFOX_PATH (${configuredPath}) does not start` }
  for (const path of ['firefox-esr', 'firefox']) if (await canStart(path)) return { path: await fullPath(path) }
  const folder = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'page-preview/firefox')
  const unpacked = { path: join(folder, 'usr/lib/firefox-esr/firefox-esr'), libraries: join(folder, LIBRARY_DIR) }
  try {
    if (!existsSync(unpacked.path)) await unpackFirefox(folder)
    return (await canStart(unpacked.path, unpacked.libraries))
      ? unpacked
      : { reason: `${unpacked.path} does not start` }
  } catch (error) {
    return { reason: error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error) }
  }
}

/** @param {string} path @param {string} [libraries] */
const canStart = (path, libraries) =>
  run(path, ['--version'], {
    timeout: START_TIMEOUT_MS,
    env: libraries ? { ...process.env, LD_LIBRARY_PATH: libraries } : process.env,
  }).then(
    ({ stdout }) => stdout.includes('Firefox'),
    () => false,
  )

/** @param {string} name */
const fullPath = async (name) => (await run('/bin/sh', ['-c', `command -v ${name}`])).stdout.trim()

/** @param {string} folder */
async function unpackFirefox(folder) {
  const partialFolder = `${folder}.${process.pid}`
  mkdirSync(partialFolder, { recursive: true })
  try {
    const options = { cwd: partialFolder, timeout: DOWNLOAD_TIMEOUT_MS, killSignal: /** @type {const} */ ('SIGKILL') }
    const simulation = await run(
      'apt-get',
      ['install', '--simulate', '--no-install-recommends', 'firefox-esr'],
      options,
    )
    const packages = [...simulation.stdout.matchAll(/^Inst (\S+)/gm)].map(([, name = '']) => name)
    await run('apt-get', ['download', ...packages], options)
    for (const file of readdirSync(partialFolder)) {
      await run('dpkg', ['-x', file, '.'], options)
      rmSync(join(partialFolder, file))
    }
    rmSync(folder, { recursive: true, force: true })
    renameSync(partialFolder, folder)
  } finally {
    rmSync(partialFolder, { recursive: true, force: true })
  }
}
