import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** A file below the folder of assets, named by its content. */
export interface TextFile {
  name: string
  text: string
}

/** A file that is named by its content, with a prefix if it has one: `page-preview.0123456789abcdef.css`. */
export function contentFile(extension: string, text: string, prefix = ''): TextFile {
  const hash = createHash('sha256').update(text).digest('hex').slice(0, 16)
  return { name: `${prefix}${hash}.${extension}`, text }
}

/** Rules for frozen cards only. */
const FROZEN_STYLES = `@layer page-preview {
  page-preview[data-frozen] {
    display: block;
    min-inline-size: 0;
    max-inline-size: 100%;
  }
  page-preview[data-frozen]:has(> [data-layout='inline']) {
    display: inline;
  }
  p > page-preview[data-frozen],
  p + page-preview[data-frozen],
  page-preview[data-frozen]:has(+ p) {
    margin-block: 1em;
  }
  page-preview[data-frozen][hidden] {
    display: none;
  }
  :where(.pp-archive) {
    position: relative;
    justify-self: end;
    color: inherit;
  }
}
`

/** The stylesheet of frozen cards, named by its content. */
export async function readStylesheet(): Promise<TextFile> {
  const styles = await readFile(join(assetsDir, 'styles.css'), 'utf8')
  return contentFile('css', styles + FROZEN_STYLES, 'page-preview.')
}

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

/** Folder of the built script tag and stylesheet, which the package `page-preview` contains. */
const assetsDir = join(dirname(fileURLToPath(import.meta.resolve('page-preview/package.json'))), 'dist')
