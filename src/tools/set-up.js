// @ts-check
// What `npm start` and `npm test` do on a checkout, from nothing: plain JavaScript, for it runs before anything is installed.
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, delimiter, dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { findFirefox } from './find-firefox.js'

const root = join(dirname(fileURLToPath(import.meta.url)), '../..')
const built = join(root, 'dist/.built')
const appsDir = join(root, 'stories/apps')
const sources = ['src', 'package.json', 'package-lock.json', 'vite.config.ts', 'tsconfig.json']

/** @param {string} line */
const say = (line) => console.log(`page-preview: ${line}`)

/** @param {string} path @returns {number} Milliseconds of the newest change at or below the path; 0 where nothing is. */
function newest(path) {
  const stats = statSync(path, { throwIfNoEntry: false })
  if (!stats) return 0
  if (!stats.isDirectory()) return stats.mtimeMs
  return Math.max(0, ...readdirSync(path).map((name) => newest(join(path, name))))
}

/**
 * Runs a program with its output on ours.
 *
 * @param {string} command @param {string[]} args @param {NodeJS.ProcessEnv} [env] @param {string} [cwd]  Default: the checkout.
 * @returns {Promise<number>} Its exit code; a signal to us is passed on to it.
 */
function run(command, args, env = {}, cwd = root) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, stdio: 'inherit', env: { ...process.env, ...env } })
    const pass = (/** @type {NodeJS.Signals} */ signal) => void child.kill(signal)
    process.on('SIGTERM', pass).on('SIGINT', pass)
    child.once('error', reject)
    child.once('exit', (code) => {
      process.off('SIGTERM', pass).off('SIGINT', pass)
      resolve(code ?? 1)
    })
  })
}

/** @param {string[]} args @param {string} [cwd] */
const npm = (args, cwd) => {
  const path = process.env.npm_execpath
  return path ? run(process.execPath, [path, ...args], {}, cwd) : run('npm', args, {}, cwd)
}

/** @param {string} file @param {string[]} args @param {NodeJS.ProcessEnv} [env] */
const node = (file, args, env) => run(process.execPath, [file, ...args], env)

/** @param {Promise<number>} running @param {string} sentence  What to do when it fails. */
async function must(running, sentence) {
  const code = await running
  if (code !== 0) throw new Error(sentence)
}

function checkNode() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  if ((major === 20 && minor >= 19) || (major === 22 && minor >= 13) || major >= 24) return
  throw new Error(`Node ${process.versions.node} is too old: install 20.19, 22.13, or 24 and newer.`)
}

async function install(dir = root) {
  const installed = join(dir, 'node_modules/.package-lock.json')
  if (newest(installed) >= newest(join(dir, 'package-lock.json'))) return
  say(dir === root ? 'installing dependencies' : `installing dependencies of the app ${basename(dir)}`)
  await must(
    npm(['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'], dir),
    'The dependencies could not be installed: see above; is there a network, and room on the disk?',
  )
}

async function build() {
  if (newest(built) > Math.max(...sources.map((path) => newest(join(root, path))))) return
  say('building')
  await must(npm(['run', '--silent', 'build']), 'The build failed: see above.')
  writeFileSync(built, '')
}

/** What is said of the search for a Chromium, by event; what has no sentence is not worth one. */
const chromiumNews = {
  /** @param {{ path: string, reason: string }} event */
  'chromium-skipped': ({ path, reason }) => `${path} does not start (${reason}), looking further`,
  'chromium-install-started': () => 'no Chromium on this machine, installing one for the service alone',
}

/** @returns {Promise<NodeJS.ProcessEnv>} What tests need to start the same Chromium as the service. */
async function findChromium() {
  const { ensureChromium } = await import(pathToFileURL(join(root, 'src/server/dist/browser/index.js')).href)
  const log = (/** @type {{ event: keyof typeof chromiumNews, path: string, reason: string }} */ event) => {
    const sentence = chromiumNews[event.event]?.(event)
    if (sentence) say(sentence)
  }
  const { path, libraryPath, fontsPath, source } = await ensureChromium({ log })
  say(`using the Chromium of ${sourceNames[/** @type {keyof typeof sourceNames} */ (source)] ?? source}`)
  const libraries = [libraryPath, process.env.LD_LIBRARY_PATH].filter(Boolean).join(delimiter)
  return {
    CHROMIUM_PATH: path,
    ...(libraries && { LD_LIBRARY_PATH: libraries }),
    ...(fontsPath && { FONTCONFIG_PATH: fontsPath }),
  }
}

const sourceNames = { playwright: 'Playwright', system: 'the system', package: 'its own folder' }

/** @param {string[]} args  Options of `page-preview serve`. */
async function start(args) {
  await install()
  await build()
  await findChromium()
  say('starting the service with its sample site; stop it with Ctrl+C')
  return node('src/server/dist/commands/page-preview-server.js', ['serve', '--demo', ...args])
}

/** @param {string[]} args  Passed on to vitest. */
async function test(args) {
  await install()
  say('checking the format')
  await must(
    node('node_modules/prettier/bin/prettier.cjs', ['--check', '--log-level=warn', '.']),
    'Run: npm run format',
  )
  say('linting')
  await must(npm(['run', '--silent', 'lint']), 'The linter found something: see above.')
  say('checking types')
  await must(npm(['run', '--silent', 'typecheck']), 'The types do not fit: see above.')
  await build()
  const chromium = await findChromium()
  say('testing')
  const env = { ...chromium, STORYBOOK_DISABLE_TELEMETRY: '1' }
  await must(node('node_modules/vitest/vitest.mjs', ['run', ...args], env), 'A test failed: see above.')
  say('checking the package')
  const unfit = 'The package is not fit to publish: see above.'
  await must(node('node_modules/publint/src/cli.js', ['--strict']), unfit)
  const typesOfEntries = ['--pack', '.', '--profile', 'esm-only', '--quiet']
  await must(node('node_modules/@arethetypeswrong/cli/dist/index.js', typesOfEntries), unfit)
  return 0
}

/** @param {string[]} args  Passed on to vitest. */
async function bench(args) {
  await install()
  await build()
  const chromium = await findChromium()
  return node('node_modules/vitest/vitest.mjs', ['run', '--mode', 'bench', '--reporter=verbose', ...args], chromium)
}

/** @param {string[]} args  Passed on to vitest. */
async function slow(args) {
  await install()
  await build()
  const chromium = await findChromium()
  return node('node_modules/vitest/vitest.mjs', ['run', '--mode', 'slow', ...args], chromium)
}

/** The script tag in a second engine, where there is one. @param {string[]} args  Passed on to vitest. */
async function firefox(args) {
  await install()
  await build()
  const found = await findFirefox()
  if ('reason' in found) {
    say(`the script tag was not tried in Firefox, for none can be had here: ${found.reason}`)
    return 0
  }
  say(`trying the script tag in ${found.path}`)
  const { LD_LIBRARY_PATH, ...chromium } = await findChromium()
  const libraries = [found.libraries, LD_LIBRARY_PATH].filter(Boolean).join(delimiter)
  const env = { ...chromium, FIREFOX_PATH: found.path, ...(libraries && { LD_LIBRARY_PATH: libraries }) }
  return node('node_modules/vitest/vitest.mjs', ['run', '--mode', 'firefox', ...args], env)
}

/** Puts the packed package into an app: what `npm install` of it would, without what only the service depends on. */
async function unpackInto(/** @type {string} */ app, /** @type {string} */ tarball) {
  const target = join(app, 'node_modules/page-preview')
  rmSync(target, { recursive: true, force: true })
  mkdirSync(target)
  await must(run('tar', ['-xzf', tarball, '--strip-components=1', '-C', target]), 'The package could not be unpacked.')
}

/** @param {string[]} args  Passed on to vitest. */
async function apps(args) {
  await install()
  await build()
  const chromium = await findChromium()
  const packDir = mkdtempSync(join(tmpdir(), 'page-preview-pack-'))
  try {
    await must(npm(['pack', '--silent', '--pack-destination', packDir]), 'The package could not be packed.')
    const tarball = join(packDir, readdirSync(packDir)[0] ?? '')
    for (const name of readdirSync(appsDir)) {
      await install(join(appsDir, name))
      await unpackInto(join(appsDir, name), tarball)
    }
  } finally {
    rmSync(packDir, { recursive: true, force: true })
  }
  say('building and opening the apps')
  return node('node_modules/vitest/vitest.mjs', ['run', '--mode', 'apps', ...args], chromium)
}

/** Prints what a browser loads of each entry, and fails where that is too much. */
async function size() {
  await install()
  await build()
  const args = ['run', 'test/project/size.test.ts', '--project=node', '--disable-console-intercept=true']
  return node('node_modules/vitest/vitest.mjs', args)
}

const tasks = { start, test, bench, slow, firefox, apps, size }
const [task, ...args] = process.argv.slice(2)
try {
  checkNode()
  process.exitCode = await tasks[/** @type {keyof typeof tasks} */ (task)](args)
} catch (error) {
  const isFull = error instanceof Error && 'code' in error && error.code === 'ENOSPC'
  console.error(
    `page-preview: ${isFull ? 'The disk is full: make room and try again.' : error instanceof Error ? error.message : String(error)}`,
  )
  process.exitCode = 1
}
