// @ts-check
// The npm scripts of a checkout, each with its set-up from nothing: plain JavaScript that old versions of Node can read, because it
// runs before anything is installed.
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, delimiter, join } from 'node:path'
import {
  buildPackages,
  chromiumEnvironment,
  installDependencies,
  log,
  prepareCheckout,
  requireSuccess,
  root,
  runNode,
  runNpm,
  runProgram,
} from './checkout.js'
import { findFirefox, findFullChromium } from './find-browser.js'
import { isSupportedNode, runWithOwnNode } from './own-node.js'

const APPS_DIR = join(root, 'test/apps')
const PACKAGE_DIRS = ['.', 'src/server']

/** @param {string[]} args  @param {NodeJS.ProcessEnv} [env] */
const vitest = (args, env) => runNode('node_modules/vitest/vitest.mjs', ['run', ...args], env)

/** @param {string[]} args  Options of `page-preview-server serve`. */
async function start(args) {
  await prepareCheckout()
  await chromiumEnvironment()
  log('starting the service with its sample site; stop it with Ctrl+C')
  return runNode('src/server/dist/static/commands/page-preview-server.js', ['serve', '--demo', ...args])
}

/** @param {string[]} args  Passed on to vitest. */
async function test(args) {
  await installDependencies()
  await Promise.all([checkStyle(), buildAndCheckTypes()])
  const chromium = await chromiumEnvironment()
  log('testing')
  await requireSuccess(vitest(args, { ...chromium, STORYBOOK_DISABLE_TELEMETRY: '1' }), 'A test failed: see above.')
  return 0
}

async function checkStyle() {
  log('checking format, lint rules, types and unused code')
  await requireSuccess(runNode('node_modules/oxfmt/bin/oxfmt', ['--check', '.']), 'Run: npm run format')
  await requireSuccess(runNpm(['run', '--silent', 'lint']), 'The linter or its type checker reports errors: see above.')
  const knip = runNode('node_modules/knip/bin/knip.js')
  await requireSuccess(knip, 'Something is unused, or a dependency is not declared: see above.')
}

/**
 * The linter checks the types of each file, and the build checks none. What runs in browsers and in Node is checked here once
 * more, without the types of the DOM.
 */
async function buildAndCheckTypes() {
  await buildPackages()
  const checkWithoutDom = runNode('node_modules/typescript/bin/tsc', ['-p', 'src/tsconfig.node.json'])
  await requireSuccess(checkWithoutDom, 'There are type errors: see above.')
}

/**
 * A run of `src/tools/test-runs.ts` that needs nothing but the built packages and a Chromium.
 *
 * @param {string} mode
 * @returns {(args: string[]) => Promise<number>} Takes what is passed on to vitest.
 */
const testRun = (mode) => async (args) => {
  await prepareCheckout()
  return vitest(['--mode', mode, ...args], await chromiumEnvironment())
}

/** The security tests whose outcome depends on the kind of the browser. */
const BROWSER_ATTACKS = [
  'guard-browser',
  'guard-packets',
  'hostile-browser',
  'hostile-captures',
  'isolation',
  'sandbox',
]

/**
 * Attacks the service, and once more with full Chromium what depends on the browser.
 *
 * @param {string[]} args  Passed on to vitest, both times.
 */
async function security(args) {
  await prepareCheckout()
  const env = await chromiumEnvironment()
  const namespace = networkNamespaceCommand()
  log(namespace ? 'attacking in its own network namespace' : LOOPBACK_ALONE)
  const attack = (/** @type {NodeJS.ProcessEnv} */ chromium, /** @type {string[]} */ files) => {
    const vitestArgs = ['node_modules/vitest/vitest.mjs', 'run', '--mode', 'security', ...files]
    const [command = '', ...commandArgs] = [...(namespace ?? []), process.execPath, ...vitestArgs]
    return runProgram(command, commandArgs, { env: chromium })
  }
  const exitCode = await attack(env, args)
  if (exitCode !== 0) return exitCode
  const full = await findFullChromium()
  if ('reason' in full) {
    log(`skipping the attacks on full Chromium, because there is none: ${full.reason}`)
    return 0
  }
  if (full.path === env.CHROMIUM_PATH) return 0
  log(`attacking ${full.path}`)
  const files = args.length > 0 ? args : BROWSER_ATTACKS.map((name) => `test/security/${name}.test.ts`)
  return attack({ ...env, CHROMIUM_PATH: full.path }, files)
}

const LOOPBACK_ALONE = 'attacking on loopback alone, because this user may not create a network namespace'

/**
 * Sets up a network that ends in this machine: private addresses that servers can listen on, a range of public addresses that
 * are reached but belong to no interface, and a DNS server that a test has to start. `$1` is the file for `resolv.conf`.
 */
const SET_UP = `
set -e
ip link set lo up
ip addr add 10.1.2.3/32 dev lo
ip link add wan type veth peer name peer
ip addr add 10.1.2.4/24 dev wan
ip link set wan up
ip link set peer up
ip addr add 169.254.169.254/32 dev lo
ip addr add fd00::1/128 dev lo nodad
ip route add local 93.184.215.0/24 dev lo
printf 'nameserver 127.0.0.53\\noptions timeout:2 attempts:1\\n' > "$1"
mount --bind "$1" /etc/resolv.conf
rm "$1"
shift
exec "$@"
`

/**
 * The command that runs another one in its own network namespace, from which nothing outside can be reached.
 *
 * @returns {string[] | undefined} To be put in front of a command; `undefined` if this system or user has no such namespaces.
 */
function networkNamespaceCommand() {
  if (process.platform !== 'linux') return undefined
  const resolvConf = join(tmpdir(), `page-preview-resolv-${process.pid}`)
  const candidates = [
    ['--net', '--mount'],
    ['--net', '--mount', '--map-root-user'],
  ].map((flags) => ['unshare', ...flags, '--', 'sh', '-c', SET_UP, 'sh', resolvConf])
  return candidates.find(([command = '', ...args]) => spawnSync(command, [...args, 'true']).status === 0)
}

/** @param {string[]} args  Passed on to vitest. */
async function firefox(args) {
  await prepareCheckout()
  const firefox = await findFirefox()
  if ('reason' in firefox) {
    log(`skipping the tests in Firefox, because there is none: ${firefox.reason}`)
    return 0
  }
  log(`testing the script tag in ${firefox.path}`)
  const { LD_LIBRARY_PATH, ...chromium } = await chromiumEnvironment()
  const libraries = [firefox.libraries, LD_LIBRARY_PATH].filter(Boolean).join(delimiter)
  const env = { ...chromium, FIREFOX_PATH: firefox.path, ...(libraries && { LD_LIBRARY_PATH: libraries }) }
  return vitest(['--mode', 'firefox', ...args], env)
}

/** @param {string[]} args  Passed on to vitest. */
const apps = (args) =>
  withPackages(async (env) => {
    await checkPackages()
    const entries = readdirSync(APPS_DIR, { withFileTypes: true }).filter((entry) => entry.isDirectory())
    for (const { name } of entries) {
      await installDependencies(join(APPS_DIR, name), `the dependencies of the app ${name}`)
      await unpackInto(join(APPS_DIR, name), env.LIBRARY_TARBALL)
    }
    log('building and opening the apps')
    return vitest(['--mode', 'apps', ...args], env)
  })

/** @param {string[]} args  Passed on to vitest. */
const sites = (args) =>
  withPackages((env) => {
    log('building, freezing and opening the sites')
    return vitest(['--mode', 'sites', ...args], env)
  })

/**
 * Runs tests on the packages as they would be published.
 *
 * @param {(env: Record<string, string> & { LIBRARY_TARBALL: string, SERVER_TARBALL: string }) => Promise<number>} run
 */
async function withPackages(run) {
  await prepareCheckout()
  const chromium = await chromiumEnvironment()
  const packDir = mkdtempSync(join(tmpdir(), 'page-preview-pack-'))
  try {
    const pack = ['pack', '--silent', '--workspaces', '--include-workspace-root', '--pack-destination', packDir]
    await requireSuccess(runNpm(pack), 'The packages could not be packed.')
    const tarballs = readdirSync(packDir).map((name) => join(packDir, name))
    const isServer = (/** @type {string} */ path) => basename(path).startsWith('page-preview-server-')
    const [SERVER_TARBALL = '', LIBRARY_TARBALL = ''] = [
      tarballs.find(isServer),
      tarballs.find((path) => !isServer(path)),
    ]
    return await run({ ...chromium, LIBRARY_TARBALL, SERVER_TARBALL })
  } finally {
    rmSync(packDir, { recursive: true, force: true })
  }
}

/** Checks that what npm would publish can be installed and imported. */
async function checkPackages() {
  log('checking the packages')
  const advice = 'A package is not fit to publish: see above.'
  for (const dir of PACKAGE_DIRS) {
    await requireSuccess(runNode('node_modules/publint/src/cli.js', [dir, '--strict']), advice)
    const types = ['--pack', dir, '--profile', 'esm-only', '--quiet']
    await requireSuccess(runNode('node_modules/@arethetypeswrong/cli/dist/index.js', types), advice)
  }
}

/**
 * Puts the packed library into an app whose lockfile does not name it.
 *
 * @param {string} app  @param {string} tarball
 */
async function unpackInto(app, tarball) {
  const target = join(app, 'node_modules/page-preview')
  rmSync(target, { recursive: true, force: true })
  mkdirSync(target)
  const unpack = runProgram('tar', ['-xzf', tarball, '--strip-components=1', '-C', target])
  await requireSuccess(unpack, 'The package could not be unpacked.')
}

/** Prints what a browser loads of each entry, and fails if that exceeds its budget. */
async function size() {
  await prepareCheckout()
  return vitest(['test/project/size.test.ts', '--project=node', '--disable-console-intercept=true'])
}

const tasks = {
  start,
  test,
  slow: testRun('slow'),
  faults: testRun('faults'),
  security,
  firefox,
  apps,
  sites,
  drills: testRun('drills'),
  bench: testRun('bench'),
  size,
}
const [task, ...args] = process.argv.slice(2)
try {
  if (!Object.hasOwn(tasks, task ?? '')) throw new Error(`Pass one of ${Object.keys(tasks).join(', ')}.`)
  process.exitCode = await (isSupportedNode()
    ? tasks[/** @type {keyof typeof tasks} */ (task)](args)
    : runWithOwnNode())
} catch (error) {
  console.error(`page-preview: ${describeError(error)}`)
  process.exitCode = 1
}

/** @param {unknown} error */
function describeError(error) {
  if (!(error instanceof Error)) return String(error)
  const isDiskFull = 'code' in error && error.code === 'ENOSPC'
  return isDiskFull ? 'The disk is full: make room and try again.' : error.message
}
