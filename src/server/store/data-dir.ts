import { access, constants, mkdir, realpath, stat } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { ignoreCodes } from '../node-errors.js'

/** The permissions of everybody but the owner. */
const GROUP_AND_OTHERS = 0o077

/** The files directly in a data folder, by path. All of them are for the user of the service alone. */
export const dataFiles = (dataDir: string) => ({
  /** The cache, a SQLite database. */
  database: join(dataDir, 'cache.db'),
  /** API keys and request counters, apart from the cache, so that damage to the cache does not reach them. */
  keyDatabase: join(dataDir, 'keys.db'),
  /** Jobs with their results, apart from the cache, which may be evicted. */
  jobDatabase: join(dataDir, 'jobs.db'),
  signingSecret: join(dataDir, 'signing-secret'),
})

/** A SQLite database, its log of changes, and the index of that log, which all processes map into memory. */
export const databaseFiles = (path: string): string[] => [path, `${path}-wal`, `${path}-shm`]

/**
 * Creates the data folder of the service unless it exists, and checks that other users cannot read or change it.
 *
 * @param dataDir  Default: `page-preview` in the user's data folder.
 * @returns        Its path.
 * @throws         Error with a sentence for the operator when it cannot be used, or other users can.
 * @see            https://specifications.freedesktop.org/basedir-spec/latest/
 */
export async function ensureDataDir(dataDir = defaultDataDir()): Promise<string> {
  const exposed = await createDataDir(dataDir)
  if (exposed.length)
    throw new Error(
      `Other users can read or change the results and keys of the service: ${exposed.join(', ')}. ` +
        `Make them private: chmod -R go= ${shellWord(await realpath(dataDir))}`,
    )
  return dataDir
}

async function createDataDir(dataDir: string): Promise<string[]> {
  try {
    await mkdir(dataDir, { recursive: true, mode: 0o700 })
    await assertWritable(dataDir)
    return await findExposedPaths(dataDir)
  } catch (cause) {
    const message = `The data folder ${dataDir} cannot be used (${String(cause)}); set --data-dir to another folder.`
    throw new Error(message, { cause })
  }
}

/** SQLite names no path when it may not write, as with a volume that is mounted read-only. */
async function assertWritable(dataDir: string): Promise<void> {
  const { database, keyDatabase, jobDatabase } = dataFiles(dataDir)
  await access(dataDir, constants.W_OK)
  for (const path of [database, keyDatabase, jobDatabase])
    await access(path, constants.W_OK).catch(ignoreCodes('ENOENT'))
}

/**
 * The paths of the data folder that other users can read or change, itself included, each with its mode: `/data (mode 755)`.
 * There are none on Windows, which has no modes.
 */
async function findExposedPaths(dataDir: string): Promise<string[]> {
  if (process.platform === 'win32') return []
  const exposed: string[] = []
  const { database, keyDatabase, jobDatabase, signingSecret } = dataFiles(dataDir)
  const paths = [dataDir, ...[database, keyDatabase, jobDatabase].flatMap(databaseFiles), signingSecret]
  for (const path of paths) {
    const mode = await modeOf(path)
    if (mode !== undefined && mode & GROUP_AND_OTHERS) exposed.push(`${path} (mode ${(mode & 0o7777).toString(8)})`)
  }
  return exposed
}

/** `undefined` if there is no such file. */
const modeOf = async (path: string): Promise<number | undefined> =>
  (await stat(path).catch(ignoreCodes('ENOENT')))?.mode

const defaultDataDir = () => join(process.env.XDG_DATA_HOME || join(homedir(), '.local/share'), 'page-preview')

const shellWord = (text: string) => (/^[\w./+-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`)
