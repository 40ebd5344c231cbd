import { createHash } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { parseLockEntry } from '../lock/parse-lock-entry.js'
import type { LockEntry } from '../lock/lock-entry.js'
import { frozenName, isContentOf, isFrozenName } from '../frozen-name.js'
import { createFolder, writeFile } from '../write-file.js'

/** A folder of images by content, and of each preview as soon as it is finished. It may be kept in version control. */
export interface PreviewCache {
  /**
   * @returns  The name of the image.
   * @throws   {FreezeError}
   */
  writeImage(bytes: Uint8Array, width: number, type: string): Promise<string>
  /** @returns  `undefined` where it is missing, or its content is not that of its name. */
  readImage(name: string): Promise<Uint8Array | undefined>
  hasImage(name: string): Promise<boolean>
  /** @throws  {FreezeError} */
  writePreview(key: string, entry: LockEntry): Promise<void>
  /** @returns  `undefined` where it is missing or damaged. */
  readPreview(key: string): Promise<LockEntry | undefined>
}

const MAX_PREVIEW_BYTES = 200_000

/** Nothing is created before the first file is written. */
export function openPreviewCache(dir: string): PreviewCache {
  const imagesDir = join(dir, 'images')
  const previewsDir = join(dir, 'previews')
  const createFolders = once(async () => {
    await createFolder(dir)
    await createFolder(imagesDir)
    await createFolder(previewsDir)
  })
  const previewPath = (key: string) => join(previewsDir, `${createHash('sha256').update(key).digest('hex')}.json`)
  const readImage = async (name: string) => {
    if (!isFrozenName(name)) return undefined
    const bytes = await readFile(join(imagesDir, name)).catch(() => undefined)
    return bytes && isContentOf(name, bytes) ? bytes : undefined
  }
  return {
    readImage,
    async writeImage(bytes, width, type) {
      const name = frozenName(bytes, width, type)
      const path = join(imagesDir, name)
      if ((await sizeOf(path)) === bytes.byteLength) return name
      await createFolders()
      await writeFile(path, bytes)
      return name
    },
    hasImage: async (name) => isFrozenName(name) && Boolean(await sizeOf(join(imagesDir, name))),
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
  }
}

const sizeOf = (path: string): Promise<number | undefined> =>
  stat(path).then(
    (found) => (found.isFile() ? found.size : undefined),
    () => undefined,
  )

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function once(work: () => Promise<void>): () => Promise<void> {
  let result: Promise<void> | undefined
  return () => (result ??= work())
}
