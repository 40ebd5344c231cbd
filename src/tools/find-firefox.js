// @ts-check
// A Firefox for the tests that run in a second engine: plain JavaScript, like the set-up that runs it.
import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const START_TIMEOUT_MS = 20_000
const DOWNLOAD_TIMEOUT_MS = 180_000
const LIBRARIES = 'usr/lib/x86_64-linux-gnu'

const run = promisify(execFile)

/**
 * Looks for a Firefox that starts: `FIREFOX_PATH`, then those on `PATH`, then one of Debian's that was unpacked before into the
 * cache folder; else unpacks one there, with the libraries that this machine lacks. Needs no root.
 *
 * @returns {Promise<{ path: string, libraries?: string } | { reason: string }>}
 */
export async function findFirefox() {
  const configuredPath = process.env.FIREFOX_PATH
  if (configuredPath)
    return (await starts(configuredPath))
      ? { path: configuredPath }
      : { reason: `FIREFOX_PATH (${configuredPath}) does not start` }
  for (const path of ['firefox-esr', 'firefox']) if (await starts(path)) return { path: await fullPath(path) }
  const folder = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'page-preview/firefox')
  const unpacked = { path: join(folder, 'usr/lib/firefox-esr/firefox-esr'), libraries: join(folder, LIBRARIES) }
  try {
    if (!existsSync(unpacked.path)) await unpack(folder)
    return (await starts(unpacked.path, unpacked.libraries)) ? unpacked : { reason: `${unpacked.path} does not start` }
  } catch (error) {
    return { reason: error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error) }
  }
}

/** @param {string} path @param {string} [libraries] */
const starts = (path, libraries) =>
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
async function unpack(folder) {
  const half = `${folder}.${process.pid}`
  mkdirSync(half, { recursive: true })
  try {
    const options = { cwd: half, timeout: DOWNLOAD_TIMEOUT_MS, killSignal: /** @type {const} */ ('SIGKILL') }
    const plan = await run('apt-get', ['install', '--simulate', '--no-install-recommends', 'firefox-esr'], options)
    const missing = [...plan.stdout.matchAll(/^Inst (\S+)/gm)].map(([, name = '']) => name)
    await run('apt-get', ['download', ...missing], options)
    for (const file of readdirSync(half)) {
      await run('dpkg', ['-x', file, '.'], options)
      rmSync(join(half, file))
    }
    rmSync(folder, { recursive: true, force: true })
    renameSync(half, folder)
  } finally {
    rmSync(half, { recursive: true, force: true })
  }
}
