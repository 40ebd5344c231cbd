import { randomUUID } from 'node:crypto'
import { open, readdir, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'

interface WriteFileOptions {
  /** Permissions of the file. Default: those of a new file. */
  mode?: number | undefined
  /** Whether it must survive a power failure. Default: false. */
  isDurable?: boolean
}

const TEMPORARY_NAME = /^\.[\da-f-]{36}\.page-preview\.tmp$/

/** Whether a file is a temporary one, which remains only when a run was killed. */
export const isTemporaryFile = (name: string): boolean => TEMPORARY_NAME.test(name)

/**
 * Writes a file atomically: it has either its old or its new content at any time.
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

/** Removes what a run that was killed left of its files in a folder. */
export async function removeTemporaryFiles(dir: string): Promise<void> {
  for (const name of await readdir(dir)) if (isTemporaryFile(name)) await rm(join(dir, name), { force: true })
}
