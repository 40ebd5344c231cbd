import { LRUCache } from 'lru-cache'
import { createHash, randomUUID } from 'node:crypto'
import { createReadStream, mkdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ReadableStream } from 'node:stream/web'
import { ignoreCodes } from '../../node-errors.js'
import { isImageName, type ImageName } from '../stored-image.js'

const TEMPORARY_FOLDER = 'unfinished'
/** No write takes this long: an older temporary file was abandoned by a process that died. */
const ABANDONED_AFTER_MS = 3_600_000
const MAX_VERIFIED_NAMES = 50_000

/**
 * Images as files named by their content: `ab/abcd….jpg`. The methods that add or remove a name are synchronous, so that
 * they can run inside a database transaction: its lock keeps one process from removing what another has just written.
 */
export interface ImageFiles {
  /** Bytes; `undefined` when there is no such file. */
  sizeOf(name: ImageName): number | undefined
  /** `undefined` when there is no such file. */
  read(name: ImageName): Promise<Uint8Array | undefined>
  /** The bytes from `start` to `end`, both included; the file is open from the first read on. An error of it is one of the stream. */
  stream(name: ImageName, range: { start: number; end: number }): ReadableStream<Uint8Array<ArrayBuffer>>
  /** Writes the bytes to a temporary file, synced so that they survive a power cut, and returns its path. */
  writeTemporary(bytes: Uint8Array): Promise<string>
  removeTemporary(path: string): Promise<void>
  /** Moves a temporary file to its final name. */
  commit(temporaryPath: string, name: ImageName): void
  remove(name: ImageName): void
  /** The names of all image files. */
  list(): Promise<Set<ImageName>>
  removeAbandonedTemporaries(): Promise<void>
}

/** Opens the folder of the images, and creates it when it is missing. */
export async function openImageFiles(folder: string): Promise<ImageFiles> {
  const temporaryFolder = join(folder, TEMPORARY_FOLDER)
  const folderOf = (name: ImageName) => join(folder, name.slice(0, 2))
  const pathOf = (name: ImageName) => join(folderOf(name), name)
  await mkdir(temporaryFolder, { recursive: true, mode: 0o700 })

  return {
    sizeOf: (name) => statSync(pathOf(name), { throwIfNoEntry: false })?.size,
    read: (name) => readFile(pathOf(name)).catch(ignoreCodes('ENOENT')),
    stream: (name, range) => ReadableStream.from(readChunks(pathOf(name), range)),
    async writeTemporary(bytes) {
      const path = join(temporaryFolder, randomUUID())
      // The folder may have been removed while the service runs.
      await mkdir(temporaryFolder, { recursive: true, mode: 0o700 })
      await writeSynced(path, bytes)
      return path
    },
    removeTemporary: (path) => rm(path, { force: true }),
    commit(temporaryPath, name) {
      mkdirSync(folderOf(name), { recursive: true, mode: 0o700 })
      renameSync(temporaryPath, pathOf(name))
    },
    remove: (name) => rmSync(pathOf(name), { force: true }),
    list: () => listImages(folder),
    async removeAbandonedTemporaries() {
      for (const name of await readFolder(temporaryFolder)) await removeIfAbandoned(join(temporaryFolder, name))
    },
  }
}

async function* readChunks(path: string, range: { start: number; end: number }) {
  yield* createReadStream(path, range)
}

async function writeSynced(path: string, bytes: Uint8Array): Promise<void> {
  try {
    await writeFile(path, bytes, { flag: 'wx', mode: 0o600, flush: true })
  } catch (error) {
    await rm(path, { force: true })
    throw error
  }
}

async function listImages(folder: string): Promise<Set<ImageName>> {
  const names = new Set<ImageName>()
  for (const prefix of await readFolder(folder)) {
    if (!/^[0-9a-f]{2}$/.test(prefix)) continue
    for (const name of await readFolder(join(folder, prefix))) {
      if (isImageName(name) && name.startsWith(prefix)) names.add(name)
    }
  }
  return names
}

const readFolder = async (folder: string): Promise<string[]> =>
  (await readdir(folder).catch(ignoreCodes('ENOENT'))) ?? []

async function removeIfAbandoned(path: string): Promise<void> {
  const stats = await stat(path).catch(ignoreCodes('ENOENT'))
  if (stats && Date.now() - stats.mtimeMs > ABANDONED_AFTER_MS) await rm(path, { force: true })
}

/**
 * Checks the content of each image file when it is first read since the start, unless it was written since then: the name of an
 * image is the SHA-256 of its bytes, and a file can be damaged without a change of its length.
 */
export function createVerifiedImages(files: Pick<ImageFiles, 'stream'>) {
  const verified = new LRUCache<ImageName, true>({ max: MAX_VERIFIED_NAMES })

  /** Reads the file once more than necessary, in pieces, because a large one should not be in memory as a whole. */
  async function isIntact(name: ImageName, size: number): Promise<boolean> {
    if (verified.get(name)) return true
    const hash = createHash('sha256')
    for await (const chunk of files.stream(name, { start: 0, end: Math.max(size - 1, 0) })) hash.update(chunk)
    if (!name.startsWith(`${hash.digest('hex')}.`)) return false
    verified.set(name, true)
    return true
  }

  /** Remembers an image that was written under the hash of its bytes. */
  const addWritten = (name: ImageName) => void verified.set(name, true)

  return { isIntact, addWritten }
}
