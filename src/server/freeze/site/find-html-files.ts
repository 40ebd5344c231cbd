import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { isTemporaryFile } from '../write-file.js'

const MAX_DEPTH = 64
const SKIPPED_FOLDERS = new Set(['node_modules'])

/**
 * Finds the HTML files below a folder, in the order of their paths. Symbolic links are not followed, so that nothing outside
 * of the folder is read or written; hidden folders are left out. What a run that was killed had not finished writing is removed.
 *
 * @returns  Paths relative to the folder, with slashes.
 */
export async function* findHtmlFiles(dir: string, folder = '', depth = 0): AsyncGenerator<string> {
  const entries = await readdir(join(dir, folder), { withFileTypes: true })
  for (const entry of entries.toSorted((one, other) => (one.name < other.name ? -1 : 1))) {
    const { name } = entry
    const path = folder ? `${folder}/${name}` : name
    if (entry.isFile() && isTemporaryFile(name)) await rm(join(dir, path), { force: true })
    else if (entry.isFile() && /\.html?$/i.test(name)) yield path
    else if (entry.isDirectory() && isSearched(name) && depth < MAX_DEPTH) yield* findHtmlFiles(dir, path, depth + 1)
  }
}

const isSearched = (name: string) => !SKIPPED_FOLDERS.has(name) && (!name.startsWith('.') || name === '.well-known')
