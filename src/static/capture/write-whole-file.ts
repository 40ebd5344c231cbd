import { open, readdir, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'

const TEMPORARY = /^\.[^/]*\.partial$/

/** Writes a file so that, whenever the process ends, it is there whole or not at all. */
export async function writeWholeFile(path: string, content: Uint8Array | string): Promise<void> {
  const temporaryPath = join(dirname(path), `.${basename(path)}.partial`)
  try {
    const file = await open(temporaryPath, 'w')
    try {
      await file.writeFile(content)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(temporaryPath, path)
  } catch (error) {
    await rm(temporaryPath, { force: true })
    throw error
  }
}

/** Removes what a process that was killed left of its files. */
export async function removePartialFiles(dir: string): Promise<void> {
  for (const name of await readdir(dir)) if (TEMPORARY.test(name)) await rm(join(dir, name), { force: true })
}
