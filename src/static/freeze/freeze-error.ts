import { access, constants, mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { writeFileAtomically } from '../write-file.js'

/** A run cannot continue; the message says what happened and what to do. Finished previews are kept. */
export class FreezeError extends Error {
  override readonly name = 'FreezeError'
}

/**
 * Writes a file atomically: it has either its old or its new content at any time.
 *
 * @throws  {FreezeError}
 */
export async function writeFile(
  path: string,
  content: string | Uint8Array,
  options?: Parameters<typeof writeFileAtomically>[2],
): Promise<void> {
  try {
    await writeFileAtomically(path, content, options)
  } catch (cause) {
    throw writeError(path, cause)
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
function writeError(path: string, cause: unknown): FreezeError {
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined
  const [reason, remedy] = reasonOf(code, cause)
  return new FreezeError(`${path} cannot be written: ${reason}. ${remedy}`, { cause })
}

function reasonOf(code: unknown, cause: unknown): [reason: string, remedy: string] {
  switch (code) {
    case 'ENOSPC':
    case 'EDQUOT':
      return ['the disk is full', 'Free some space and run it again; previews that are finished are kept.']
    case 'EROFS':
      return ['the file system is read-only', 'Run it where the files of the site can be changed.']
    case 'EACCES':
    case 'EPERM':
      return ['this user has no permission', 'Change the permissions, or run it as the owner of the folder.']
    default:
      return [cause instanceof Error ? cause.message : String(cause), 'Files that were written before are complete.']
  }
}
