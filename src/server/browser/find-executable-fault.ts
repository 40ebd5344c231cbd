import { access, constants, stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { hasErrorCode } from '../node-errors.js'

/**
 * Explains why a file cannot be run as a browser, as the end of a sentence; names the absolute path.
 *
 * @param path  Relative to the working directory, or absolute.
 * @returns     `undefined` when it can be run.
 */
export async function findExecutableFault(path: string): Promise<string | undefined> {
  const tried = resolve(path)
  try {
    if (!(await stat(tried)).isFile()) return `${tried} is not a file`
    await access(tried, constants.X_OK)
    return undefined
  } catch (error) {
    return isMissing(error) ? `there is no file ${tried}` : `this user may not run ${tried}`
  }
}

const isMissing = (error: unknown) => hasErrorCode(error, 'ENOENT', 'ENOTDIR')
