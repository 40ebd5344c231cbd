import { mkdir } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'

/**
 * Makes the folder that a service keeps its answers, images, counters and keys in.
 *
 * @param told  Default: `page-preview` in the user's folder for data, by the XDG base directory specification.
 * @returns     Its path.
 * @throws      Error with a sentence when it cannot be made.
 */
export async function makeDataDir(told: string | undefined): Promise<string> {
  const dataDir = told ?? join(process.env.XDG_DATA_HOME || join(homedir(), '.local/share'), 'page-preview')
  await mkdir(dataDir, { recursive: true, mode: 0o700 }).catch((error: unknown) => {
    throw new Error(`The data folder ${dataDir} cannot be made (${String(error)}); choose another with --data-dir.`, {
      cause: error,
    })
  })
  return dataDir
}
