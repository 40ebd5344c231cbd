import type { Dirent } from 'node:fs'
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { isTemporaryFile } from '../write-file.js'

const MAX_DEPTH = 64
const SKIPPED_FOLDERS = new Set(['node_modules'])

/** Called for a folder that is not searched, with its path relative to the site. */
export type OnSkippedFolder = (folder: string, reason: string) => void

/**
 * Finds the HTML files below a folder, in the order of their paths. Symbolic links are not followed, so that nothing outside
 * of the folder is read or written; hidden folders are left out. Temporary files of a run that was killed are removed.
 *
 * @returns  Paths relative to the folder, with slashes.
 * @throws   Error when the folder itself cannot be read.
 */
export async function* findHtmlFiles(
  dir: string,
  onSkipped: OnSkippedFolder,
  { folder = '', depth = 0 } = {},
): AsyncGenerator<string> {
  for (const entry of await entriesOf(dir, folder, onSkipped)) {
    const { name } = entry
    const path = folder ? `${folder}/${name}` : name
    if (entry.isFile() && isTemporaryFile(name)) await rm(join(dir, path), { force: true }).catch(() => undefined)
    else if (entry.isFile() && /\.html?$/i.test(name)) yield path
    else if (!entry.isDirectory() || !isSearched(name)) continue
    else if (depth < MAX_DEPTH) yield* findHtmlFiles(dir, onSkipped, { folder: path, depth: depth + 1 })
    else onSkipped(path, `It is more than ${MAX_DEPTH} folders deep.`)
  }
}

async function entriesOf(dir: string, folder: string, onSkipped: OnSkippedFolder): Promise<Dirent[]> {
  try {
    const entries = await readdir(join(dir, folder), { withFileTypes: true })
    return entries.toSorted((one, other) => (one.name < other.name ? -1 : 1))
  } catch (error) {
    if (!folder) throw error
    onSkipped(folder, error instanceof Error ? error.message : String(error))
    return []
  }
}

const isSearched = (name: string) => !SKIPPED_FOLDERS.has(name) && (!name.startsWith('.') || name === '.well-known')
