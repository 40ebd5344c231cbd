import { mkdir } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'

/**
 * Creates the data folder of the service unless it exists.
 *
 * @param dataDir  Default: `page-preview` in the user's data folder.
 * @returns        Its path.
 * @throws         Error with a sentence for the operator when it cannot be created.
 * @see            https://specifications.freedesktop.org/basedir-spec/latest/
 */
export async function ensureDataDir(dataDir = defaultDataDir()): Promise<string> {
  try {
    await mkdir(dataDir, { recursive: true, mode: 0o700 })
  } catch (cause) {
    const message = `The data folder ${dataDir} cannot be created (${String(cause)}); choose another with --data-dir.`
    throw new Error(message, { cause })
  }
  return dataDir
}

const defaultDataDir = () => join(process.env.XDG_DATA_HOME || join(homedir(), '.local/share'), 'page-preview')
