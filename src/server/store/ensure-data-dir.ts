import { mkdir, realpath } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { findExposedPaths } from './find-exposed-paths.js'

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
    return await findExposedPaths(dataDir)
  } catch (cause) {
    const message = `The data folder ${dataDir} cannot be used (${String(cause)}); choose another with --data-dir.`
    throw new Error(message, { cause })
  }
}

const defaultDataDir = () => join(process.env.XDG_DATA_HOME || join(homedir(), '.local/share'), 'page-preview')

const shellWord = (text: string) => (/^[\w./+-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`)
