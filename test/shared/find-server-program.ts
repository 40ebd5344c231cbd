import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { runCommand } from '../../src/server/child-processes.js'

/** A program that the tests run, and the Debian package that contains it. */
export interface ServerProgram {
  /** Names on the `PATH`, best first. */
  names: readonly string[]
  /** An environment variable with another path. */
  variable: string
  package: string
  /** Path in the package. */
  packagePath: string
  /** Prints the version and ends. */
  versionFlag: string
  /** Environment variables that it needs when its packages are unpacked in a folder. */
  variables?: (folder: string) => Readonly<Record<string, string>>
}

/** A program that starts, or the reason why there is none. */
export type FoundProgram =
  | { path: string; libraryPath: string | undefined; variables?: Readonly<Record<string, string>> | undefined }
  | { missing: string }

export const HAPROXY: ServerProgram = {
  names: ['haproxy', '/usr/sbin/haproxy'],
  variable: 'HAPROXY_PATH',
  package: 'haproxy',
  packagePath: 'usr/sbin/haproxy',
  versionFlag: '-v',
}

const VERSION_TIMEOUT_MS = 5_000
const APT_TIMEOUT_MS = 180_000

/** Finds a program for the tests: from its variable, from the system, or from Debian's packages, unpacked into the cache folder without root. */
export async function findServerProgram(
  program: ServerProgram,
  env: NodeJS.ProcessEnv = process.env,
): Promise<FoundProgram> {
  const { names, variable, versionFlag } = program
  const chosen = env[variable]
  for (const path of chosen ? [chosen] : names)
    if (await starts(path, versionFlag)) return { path, libraryPath: undefined }
  if (chosen) return { missing: `${variable} is ${chosen}, which does not start` }

  const cache = join(env.XDG_CACHE_HOME ?? join(env.HOME ?? homedir(), '.cache'), 'page-preview')
  const folder = join(cache, program.package)
  try {
    if (!existsSync(folder)) await unpackPackages(program.package, cache, folder)
  } catch (error) {
    const reason = (error instanceof Error ? error.message : String(error)).replace(/\s+/g, ' ')
    return { missing: `it is not installed, and apt-get could not fetch it (${reason})` }
  }
  const path = join(folder, program.packagePath)
  const libraryPath = await librariesIn(folder)
  const variables = program.variables?.(folder)
  return (await starts(path, versionFlag, { ...programEnvironment(libraryPath), ...variables }))
    ? { path, libraryPath, variables }
    : { missing: `the program in ${folder} does not start; remove the folder` }
}

export const programEnvironment = (libraryPath: string | undefined): NodeJS.ProcessEnv =>
  libraryPath ? { ...process.env, LD_LIBRARY_PATH: libraryPath } : process.env

async function starts(path: string, versionFlag: string, env: NodeJS.ProcessEnv = process.env): Promise<boolean> {
  return runCommand(path, [versionFlag], { env, timeoutMs: VERSION_TIMEOUT_MS }).then(
    () => true,
    () => false,
  )
}

/** With its own state and cache folders, apt needs no root; it downloads only the packages that this system lacks. */
async function unpackPackages(name: string, cache: string, folder: string): Promise<void> {
  await mkdir(cache, { recursive: true })
  const stagingFolder = await mkdtemp(join(cache, `${name}.part-`))
  const archives = join(stagingFolder, 'cache/archives')
  const root = join(stagingFolder, 'root')
  const settings = [
    `Dir::State=${stagingFolder}/state`,
    'Dir::State::status=/var/lib/dpkg/status',
    `Dir::Cache=${stagingFolder}/cache`,
    'Debug::NoLocking=true',
    'APT::Sandbox::User=',
  ].flatMap((setting) => ['-o', setting])
  const apt = (...args: string[]) =>
    runCommand('apt-get', [...settings, '-qq', ...args], { env: process.env, timeoutMs: APT_TIMEOUT_MS })
  try {
    await mkdir(join(stagingFolder, 'state/lists/partial'), { recursive: true })
    await mkdir(join(archives, 'partial'), { recursive: true })
    await apt('update')
    await apt('--yes', '--no-install-recommends', '--download-only', 'install', name)
    for (const name of await readdir(archives))
      if (name.endsWith('.deb'))
        await runCommand('dpkg', ['-x', join(archives, name), root], { env: process.env, timeoutMs: APT_TIMEOUT_MS })
    await rename(root, folder)
  } finally {
    await rm(stagingFolder, { recursive: true, force: true })
  }
}

async function librariesIn(folder: string): Promise<string | undefined> {
  const names = await readdir(join(folder, 'usr/lib')).catch(() => [])
  return names.map((name) => join(folder, 'usr/lib', name)).find((path) => /-linux-/.test(path))
}
