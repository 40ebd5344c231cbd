import { createHash } from 'node:crypto'
import { readdir, readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { loadOnce } from '../../server/static-tools.js'
import { createFolder, FreezeError, writeFile } from '../files.js'
import { parseJson } from '../json.js'
import { MAX_IMAGE_BYTES } from '../preview-source.js'
import { frozenName, isContentOf, isFrozenName } from './frozen-preview.js'
import { parseLockEntry, type LockEntry } from './lock.js'

/** A folder of images, named by their content, and of finished previews. It may be kept in version control. */
export interface PreviewCache {
  /**
   * @returns  The name of the image.
   * @throws   {FreezeError}
   */
  writeImage(bytes: Uint8Array, width: number, type: string): Promise<string>
  /** @returns  `undefined` if it is missing, or its content does not match its name. */
  readImage(name: string): Promise<Uint8Array | undefined>
  /** The same, of an image that an earlier run has written into the site. */
  readWrittenImage(name: string): Promise<Uint8Array | undefined>
  /** @throws  {FreezeError} */
  writePreview(key: string, entry: LockEntry): Promise<void>
  /** @returns  `undefined` if it is missing or damaged. */
  readPreview(key: string): Promise<LockEntry | undefined>
  /**
   * Removes all previews, which are in the lock file by now, and all images that are not used.
   *
   * @throws  {FreezeError}
   */
  prune(usedImages: ReadonlySet<string>): Promise<void>
}

const MAX_PREVIEW_BYTES = 200_000
const PREVIEW_NAME = /^[\da-f]{64}\.json$/

/**
 * Nothing is created before the first file is written.
 *
 * @param writtenDir  Folder of the images that an earlier run has written into the site.
 */
export function openPreviewCache(dir: string, writtenDir?: string): PreviewCache {
  const imagesDir = join(dir, 'images')
  const previewsDir = join(dir, 'previews')
  const createFolders = loadOnce(async () => {
    await createFolder(dir)
    await createFolder(imagesDir)
    await createFolder(previewsDir)
  })
  const previewPath = (key: string) => join(previewsDir, `${createHash('sha256').update(key).digest('hex')}.json`)
  const readImageIn = async (folder: string, name: string) => {
    const path = join(folder, name)
    if (!isFrozenName(name) || ((await sizeOf(path)) ?? Infinity) > MAX_IMAGE_BYTES) return undefined
    const bytes = await readFile(path).catch(() => undefined)
    return bytes && isContentOf(name, bytes) ? bytes : undefined
  }
  return {
    readImage: (name) => readImageIn(imagesDir, name),
    readWrittenImage: async (name) => (writtenDir === undefined ? undefined : readImageIn(writtenDir, name)),
    async writeImage(bytes, width, type) {
      const name = frozenName(bytes, width, type)
      if (await readImageIn(imagesDir, name)) return name
      await createFolders()
      await writeFile(join(imagesDir, name), bytes)
      return name
    },
    async writePreview(key, entry) {
      await createFolders()
      await writeFile(previewPath(key), `${JSON.stringify({ key, ...entry }, null, 2)}\n`)
    },
    async readPreview(key) {
      const path = previewPath(key)
      if (((await sizeOf(path)) ?? Infinity) > MAX_PREVIEW_BYTES) return undefined
      const text = await readFile(path, 'utf8').catch(() => '')
      return parseLockEntry(parseJson(text))
    },
    async prune(usedImages) {
      const unused = (await namesIn(imagesDir)).filter((name) => isFrozenName(name) && !usedImages.has(name))
      const previews = (await namesIn(previewsDir)).filter((name) => PREVIEW_NAME.test(name))
      const paths = [...unused.map((name) => join(imagesDir, name)), ...previews.map((name) => join(previewsDir, name))]
      try {
        for (const path of paths) await rm(path, { force: true })
      } catch (cause) {
        throw new FreezeError(`Unused files in the cache folder ${dir} cannot be removed: ${String(cause)}`, { cause })
      }
    },
  }
}

/** Empty if the folder does not exist yet. */
const namesIn = (dir: string): Promise<string[]> => readdir(dir).catch(() => [])

/** `undefined` for anything but a file, since pipes and devices have no end. */
const sizeOf = (path: string): Promise<number | undefined> =>
  stat(path).then(
    (found) => (found.isFile() ? found.size : undefined),
    () => undefined,
  )
