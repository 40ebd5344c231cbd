import { hash, randomUUID } from 'node:crypto'
import { mkdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { mkdir, open, readdir, readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { ImageName } from './store.js'

const IMAGE_NAME = /^[0-9a-f]{64}\.[a-z0-9]{1,8}$/
const TEMPORARY_FOLDER = 'unfinished'
/** Nobody writes one file for so long: what is older was left behind by a process that died. */
const TEMPORARY_AGE_MS = 3_600_000

/** Images as files named by their content: `ab/abcd….jpg`. */
export type ImageFiles = Awaited<ReturnType<typeof openImageFiles>>

/** Whether a name leads to a file of the images folder, and nowhere else. */
export function isImageName(name: string): name is ImageName {
  return IMAGE_NAME.test(name)
}

/** @throws {TypeError} when the type is not one that a file name may end with. */
export function nameImage(bytes: Uint8Array, type: string): ImageName {
  const name = `${hash('sha256', bytes, 'hex')}.${type}`
  if (!isImageName(name)) throw new TypeError(`${JSON.stringify(type)} is not a file type such as "jpg"`)
  return name
}

/**
 * Opens the folder, made when missing. What changes a name is synchronous, so that it can be part of a transaction of the
 * database: the lock of that transaction is what keeps several processes from removing what another one just wrote.
 */
export async function openImageFiles(folder: string) {
  await mkdir(join(folder, TEMPORARY_FOLDER), { recursive: true, mode: 0o700 })
  const folderOf = (name: ImageName) => join(folder, name.slice(0, 2))
  const pathOf = (name: ImageName) => join(folderOf(name), name)

  return {
    /** Whether there is a file of that name and size. */
    has: (name: ImageName, size: number): boolean => statSync(pathOf(name), { throwIfNoEntry: false })?.size === size,

    /** The bytes, or nothing when there is no such file. */
    async read(name: ImageName): Promise<Uint8Array | undefined> {
      try {
        return await readFile(pathOf(name))
      } catch (error) {
        if (isMissing(error)) return undefined
        throw error
      }
    },

    /** Writes the bytes so that they survive a power cut, under a name of their own; gives the path. */
    async writeTemporary(bytes: Uint8Array): Promise<string> {
      const path = join(folder, TEMPORARY_FOLDER, randomUUID())
      try {
        const file = await open(path, 'wx', 0o600)
        try {
          await file.writeFile(bytes)
          await file.sync()
        } finally {
          await file.close()
        }
      } catch (error) {
        await rm(path, { force: true })
        throw error
      }
      return path
    },

    removeTemporary: (path: string): Promise<void> => rm(path, { force: true }),

    place(temporary: string, name: ImageName): void {
      mkdirSync(folderOf(name), { recursive: true, mode: 0o700 })
      renameSync(temporary, pathOf(name))
    },

    remove(name: ImageName): void {
      rmSync(pathOf(name), { force: true })
    },

    /** Every image there is a file of. */
    async list(): Promise<Set<ImageName>> {
      const names = new Set<ImageName>()
      for (const part of await readdir(folder)) {
        if (!/^[0-9a-f]{2}$/.test(part)) continue
        for (const name of await readdir(join(folder, part))) {
          if (isImageName(name) && name.startsWith(part)) names.add(name)
        }
      }
      return names
    },

    async removeOldTemporaries(): Promise<void> {
      for (const name of await readdir(join(folder, TEMPORARY_FOLDER))) {
        const path = join(folder, TEMPORARY_FOLDER, name)
        const found = await stat(path).catch((error: unknown) => {
          if (isMissing(error)) return undefined
          throw error
        })
        if (found && Date.now() - found.mtimeMs > TEMPORARY_AGE_MS) await rm(path, { force: true })
      }
    },
  }
}

const isMissing = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'ENOENT'
