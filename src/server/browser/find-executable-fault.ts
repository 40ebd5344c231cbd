import { access, constants, stat } from 'node:fs/promises'
import { resolve } from 'node:path'

/**
 * Why a file cannot be run as a browser, as the end of a sentence that names the path which was tried.
 *
 * @param path  Relative to the working directory, or absolute.
 * @returns     `undefined` when nothing speaks against it.
 */
export async function findExecutableFault(path: string): Promise<string | undefined> {
  const tried = resolve(path)
  try {
    if (!(await stat(tried)).isFile()) return `${tried} is no file`
    await access(tried, constants.X_OK)
    return undefined
  } catch (error) {
    return isMissing(error) ? `there is no file ${tried}` : `this user may not run ${tried}`
  }
}

const isMissing = (error: unknown) =>
  error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')
