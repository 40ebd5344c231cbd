import { lstat, readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { createFolder, FreezeError, writeFile } from '../files.js'
import { isFrozenName } from './frozen-preview.js'

/** The folder of a site with images and stylesheets, which are named by their content. */
export interface Assets {
  /**
   * Writes a file unless it is there.
   *
   * @returns  The bytes that were added.
   * @throws   {FreezeError}
   */
  write(name: string, content: string | Uint8Array): Promise<number>
  /** Whether a file is there. */
  has(name: string): boolean
  /** Keeps the files that an unchanged page refers to, and the images of its hover previews, whose data is in a file. */
  keepReferences(html: Uint8Array): Promise<void>
  /** Removes images and stylesheets that are neither written nor kept. */
  removeOthers(): Promise<void>
}

/** Its name in the folder of a site, and in URLs. */
export const ASSETS_FOLDER = 'page-preview'
/** File names of text that pages refer to: a stylesheet, data of hover previews, the script tag. */
const TEXT_NAME = /^[\w-]{1,64}(\.[\w-]{1,64}){0,3}\.(css|js|json)$/
/** Text whose name contains a hash of it; an SVG of a page, which would be a document of the site, is only removed. */
const HASHED_NAME =
  /^((page-preview\.)?[\da-f]{16}\.(css|json)|[\da-f]{16}\.\d{1,5}\.svg|page-preview\.[\da-f]{8}\.(js|css))$/
const NAMES = /(page-preview\.)?[\da-f]{16}\.(\d{1,5}\.)?[a-z]{3,4}/g

/** @throws  {FreezeError} when the folder is a link to somewhere else. */
export async function openAssets(dir: string): Promise<Assets> {
  const folder = join(dir, ASSETS_FOLDER)
  const found = await lstat(folder).catch(() => undefined)
  if (found && !found.isDirectory())
    throw new FreezeError(
      `${folder} is not a folder, but previews are written to a folder of this name. Rename or remove it.`,
    )
  const existing = new Set(found ? await readdir(folder) : [])
  const used = new Set<string>()
  return {
    async write(name, content) {
      if (!isFrozenName(name) && !TEXT_NAME.test(name)) throw new FreezeError(`${name} is not a file of a preview.`)
      used.add(name)
      const bytes = typeof content === 'string' ? Buffer.from(content) : content
      const path = join(folder, name)
      if (existing.has(name) && (await isSame(path, bytes))) return 0
      if (existing.size === 0) await createFolder(folder)
      await writeFile(path, bytes)
      existing.add(name)
      return bytes.byteLength
    },
    has: (name) => existing.has(name),
    async keepReferences(html) {
      for (const name of namesIn(html)) {
        used.add(name)
        if (!name.endsWith('.json')) continue
        const data = await readFile(join(folder, name)).catch(() => Buffer.of())
        for (const image of namesIn(data)) used.add(image)
      }
    },
    async removeOthers() {
      const others = [...existing].filter((name) => !used.has(name) && (isFrozenName(name) || HASHED_NAME.test(name)))
      for (const name of others) await rm(join(folder, name), { force: true })
    },
  }
}

const namesIn = (text: Uint8Array) => Array.from(Buffer.from(text).toString('latin1').matchAll(NAMES), ([name]) => name)

async function isSame(path: string, bytes: Uint8Array): Promise<boolean> {
  const current = await readFile(path).catch(() => undefined)
  return current !== undefined && Buffer.compare(current, bytes) === 0
}
