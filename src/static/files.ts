import { randomUUID } from 'node:crypto'
import { access, constants, mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/** A run cannot continue; the message says what happened and what to do. Finished previews are kept. */
export class FreezeError extends Error {
  override readonly name = 'FreezeError'
}

/** The code of an error of Node or of the system, such as `ENOENT`. */
export const errorCodeOf = (error: unknown): unknown =>
  error instanceof Error && 'code' in error ? error.code : undefined

/**
 * Reads a text file, without its byte order mark.
 *
 * @param maxBytes  The largest size; nothing of a larger file is read.
 * @returns         `undefined` if there is no file.
 * @throws          {FreezeError} when it cannot be read.
 */
export async function readTextFile(path: string, maxBytes: number): Promise<string | undefined> {
  try {
    const found = await stat(path)
    // A pipe or a device has no end.
    if (!found.isFile()) throw new Error('it is not a file')
    if (found.size > maxBytes) throw new Error(`it is larger than ${maxBytes / 1e6} MB`)
    return (await readFile(path, 'utf8')).replace(/^\uFEFF/, '')
  } catch (cause) {
    if (errorCodeOf(cause) === 'ENOENT') return undefined
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new FreezeError(`${path} cannot be read: ${reason}.`, { cause })
  }
}

interface WriteFileOptions {
  /** Permissions of the file. Default: as for any new file. */
  mode?: number | undefined
  /** Whether it must survive a power failure. Default: false. */
  isDurable?: boolean
}

/**
 * Writes a file atomically: it has either its old or its new content at any time.
 *
 * @throws  {FreezeError}
 */
export async function writeFile(path: string, content: string | Uint8Array, options?: WriteFileOptions): Promise<void> {
  try {
    await writeFileAtomically(path, content, options)
  } catch (cause) {
    throw writeError(path, cause)
  }
}

const TEMPORARY_NAME = /^\.[\da-f-]{36}\.page-preview\.tmp$/

/** Whether a file is a temporary one, which remains only when a run was killed. */
export const isTemporaryFile = (name: string): boolean => TEMPORARY_NAME.test(name)

/** Removes the temporary files in a folder that a run left when it was killed. */
export async function removeTemporaryFiles(dir: string): Promise<void> {
  for (const name of await readdir(dir)) if (isTemporaryFile(name)) await rm(join(dir, name), { force: true })
}

/**
 * Writes a file as `writeFile` does, without a sentence in its errors.
 *
 * @throws  Error of the file system, `ENOSPC` for a full disk; the file then has its old content.
 */
export async function writeFileAtomically(
  path: string,
  content: string | Uint8Array,
  { mode, isDurable = false }: WriteFileOptions = {},
): Promise<void> {
  const temporaryPath = join(dirname(path), `.${randomUUID()}.page-preview.tmp`)
  try {
    const file = await open(temporaryPath, 'wx')
    try {
      await file.writeFile(content)
      if (mode !== undefined) await file.chmod(mode)
      if (isDurable) await file.sync()
    } finally {
      await file.close()
    }
    await rename(temporaryPath, path)
  } catch (error) {
    await rm(temporaryPath, { force: true }).catch(() => undefined)
    throw error
  }
}

/**
 * Creates a folder and its parent folders.
 *
 * @throws  {FreezeError}
 */
export async function createFolder(path: string): Promise<void> {
  try {
    await mkdir(path, { recursive: true })
  } catch (cause) {
    // On a read-only file system, Node says that the folder does not exist.
    const reason = await access(dirname(path), constants.W_OK).then(
      () => cause,
      (error: unknown) => error,
    )
    throw writeError(path, reason)
  }
}

/** The error of a file or folder that cannot be written. */
export function writeError(path: string, cause: unknown): FreezeError {
  const [reason, remedy] = reasonOf(cause)
  return new FreezeError(`${path} cannot be written: ${reason}. ${remedy}`, { cause })
}

function reasonOf(cause: unknown): [reason: string, remedy: string] {
  switch (errorCodeOf(cause)) {
    case 'ENOSPC':
    case 'EDQUOT':
      return ['the disk is full', 'Free some space and run the command again. Finished previews are kept.']
    case 'EROFS':
      return ['the file system is read-only', 'Run the command where the files of the site can be changed.']
    case 'EACCES':
    case 'EPERM':
      return ['this user has no permission', 'Change the permissions, or run the command as the owner of the folder.']
    default:
      return [cause instanceof Error ? cause.message : String(cause), 'Files that were written before are complete.']
  }
}
