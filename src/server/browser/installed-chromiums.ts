// The Chromiums that the service has installed: a folder for each version, which is complete from the moment that it has its name.
import { chmod, mkdir, mkdtemp, readdir, readFile, rename, rm, statfs, writeFile } from 'node:fs/promises'
import { basename, join, relative } from 'node:path'
import { Browser, getVersionComparator } from '@puppeteer/browsers'
import { hasErrorCode } from '../node-errors.js'
import { homeOf, probeChromium } from './probe-chromium.js'
import { isOwnerRunning, ownerName } from './process-owner.js'

/** A version that was installed. */
export interface InstalledChromium {
  /** Absolute. */
  folder: string
  /** Of its executable. */
  path: string
  /** `153.0.8010.0` */
  version: string
  /** Where it came from: the URL of an archive, or an npm package with its version. */
  origin: string
  /** Milliseconds since 1970. */
  installedAt: number
}

/** The folder of all versions; `PAGE_PREVIEW_CHROMIUM_DIR` overrides the default, which is in the cache of the user. */
export function chromiumsFolder(env: NodeJS.ProcessEnv): string {
  if (env.PAGE_PREVIEW_CHROMIUM_DIR) return env.PAGE_PREVIEW_CHROMIUM_DIR
  return join(env.XDG_CACHE_HOME ?? join(homeOf(env), '.cache'), 'page-preview', 'chromium')
}

/** Puts versions in their order. */
export const compareVersions = getVersionComparator(Browser.CHROMEHEADLESSSHELL)

/** In the folder of a version; it has all properties of `InstalledChromium` that the folder's name does not tell. */
const RECORD = 'installed.json'

/** @returns  Newest version first. */
export async function listInstalled(root: string): Promise<InstalledChromium[]> {
  const folders = (await namesIn(root)).filter((name) => /^\d+(\.\d+){3}$/.test(name)).map((name) => join(root, name))
  const installed = (await Promise.all(folders.map(readRecord))).filter((each) => each !== undefined)
  return installed.toSorted((a, b) => compareVersions(b.version, a.version))
}

/** `undefined` if there is no such folder, or it is damaged. */
async function readRecord(folder: string): Promise<InstalledChromium | undefined> {
  try {
    const record: unknown = JSON.parse(await readFile(join(folder, RECORD), 'utf8'))
    if (typeof record !== 'object' || record === null) return undefined
    const { executable, origin, installedAt } = record as Record<string, unknown>
    if (typeof executable !== 'string' || typeof origin !== 'string' || typeof installedAt !== 'number')
      return undefined
    return { folder, path: join(folder, executable), version: basename(folder), origin, installedAt }
  } catch {
    return undefined
  }
}

/** None for a folder that does not exist or may not be read. */
const namesIn = (folder: string): Promise<string[]> => readdir(folder).catch(() => [])

interface AddOptions {
  env: NodeJS.ProcessEnv
  signal?: AbortSignal | undefined
}

/** An archive and what is unpacked from it. */
export const REQUIRED_BYTES = 600_000_000

/**
 * Lets `fill` put a Chromium into a staging folder, starts it, and adds it to the installed ones. Several processes may do so at the
 * same time.
 *
 * @param fill  Returns the path of the executable, where it came from and, if that is known, its version.
 * @throws      {Error} of `fill`, or if the Chromium does not start or is of another version; nothing is added then.
 */
export async function addChromium(
  root: string,
  fill: (staging: string) => Promise<{ path: string; origin: string; version?: string }>,
  options: AddOptions,
): Promise<InstalledChromium> {
  const staging = await createStagingFolder(root)
  try {
    const { path, origin, version: expected } = await fill(staging)
    const { version: printed } = await probeChromium(path, options)
    const version = printed ?? expected
    if (version === undefined || (expected !== undefined && version !== expected))
      throw new Error(`${origin} contains version ${version} instead of ${expected}`)
    const record = { executable: relative(staging, path), origin, installedAt: Date.now() }
    await writeFile(join(staging, RECORD), JSON.stringify(record))
    // Another user may run the browser.
    await chmod(staging, 0o755)
    return await moveIntoPlace(staging, join(root, version), options)
  } finally {
    await rm(staging, { recursive: true, force: true, maxRetries: 3 })
  }
}

/** The folder is next to the final ones, so that a rename is enough; also removes folders of processes that died. */
async function createStagingFolder(root: string): Promise<string> {
  await mkdir(root, { recursive: true })
  for (const name of await namesIn(root)) {
    const [prefix, owner] = name.split('_', 2)
    if (prefix === 'part' && owner && !(await isOwnerRunning(owner)))
      await rm(join(root, name), { recursive: true, force: true })
  }
  const { bavail, bsize } = await statfs(root)
  if (bavail * bsize < REQUIRED_BYTES) throw new Error('ENOSPC: not enough space left')
  return mkdtemp(join(root, `part_${await ownerName()}_`))
}

/** A version that is there already stays if it starts. */
async function moveIntoPlace(staging: string, folder: string, options: AddOptions): Promise<InstalledChromium> {
  const existing = await readRecord(folder)
  const isUsable = existing !== undefined && (await starts(existing, options))
  if (isUsable) return existing
  await rm(folder, { recursive: true, force: true })
  await rename(staging, folder).catch((error: unknown) => {
    const wasSlower = hasErrorCode(error, 'ENOTEMPTY', 'EEXIST', 'EPERM')
    if (!wasSlower) throw error
  })
  const added = await readRecord(folder)
  if (added === undefined) throw new Error(`${folder} was removed while it was installed`)
  return added
}

const starts = ({ path }: InstalledChromium, options: AddOptions): Promise<boolean> =>
  probeChromium(path, options).then(
    () => true,
    () => false,
  )

const USES_FOLDER = 'in-use'

/**
 * Keeps other processes from removing an installed version while this one uses it.
 *
 * @returns  Ends the use.
 */
export async function markInUse({ folder, version }: InstalledChromium): Promise<() => Promise<void>> {
  const uses = join(folder, '..', USES_FOLDER)
  try {
    await mkdir(uses, { recursive: true })
    const mark = await mkdtemp(join(uses, `${version}_${await ownerName()}_`))
    return () => rm(mark, { recursive: true, force: true })
  } catch (error) {
    // Who may not write there may not remove anything either.
    if (hasErrorCode(error, 'EACCES', 'EROFS', 'EPERM')) return async () => undefined
    throw error
  }
}

/**
 * Removes all versions but the newest, except those that a running process uses.
 *
 * @returns  The removed ones.
 */
export async function removeOutdated(root: string): Promise<InstalledChromium[]> {
  const [, ...older] = await listInstalled(root)
  const versionsInUse = older.length > 0 ? await readUses(join(root, USES_FOLDER)) : []
  const unused = older.filter(({ version }) => !versionsInUse.includes(version))
  for (const { folder } of unused) await removeFolder(folder)
  return unused
}

/** Removes a version that turned out to be unusable, unless a running process uses it. */
export async function discard({ folder, version }: InstalledChromium): Promise<void> {
  const versionsInUse = await readUses(join(folder, '..', USES_FOLDER))
  if (!versionsInUse.includes(version)) await removeFolder(folder)
}

const removeFolder = (folder: string): Promise<void> => rm(folder, { recursive: true, force: true, maxRetries: 3 })

/** The versions in use; also removes the marks of processes that died. */
async function readUses(folder: string): Promise<string[]> {
  const versions: string[] = []
  for (const name of await namesIn(folder)) {
    const [version = '', owner] = name.split('_', 2)
    if (!/^[\d.]+$/.test(version) || owner === undefined) continue
    if (await isOwnerRunning(owner)) versions.push(version)
    else await rm(join(folder, name), { recursive: true, force: true })
  }
  return versions
}
