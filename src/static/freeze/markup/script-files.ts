import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { assetsDir } from './assets-dir.js'

/** A file of the script tag, and where it is copied from. */
export interface ScriptFile {
  /** Path below the folder of assets. */
  name: string
  path: string
}

/** The script tag and the parts that it loads, with their hashes in their names. */
const SCRIPT_FILE = /^page-preview(\.js|\.[\da-f]{8}\.(js|css))$/

/** The files that a page with frozen hover previews needs beside its images. */
export async function scriptFiles(): Promise<ScriptFile[]> {
  const names = await readdir(assetsDir)
  return names.filter((name) => SCRIPT_FILE.test(name)).map((name) => ({ name, path: join(assetsDir, name) }))
}
