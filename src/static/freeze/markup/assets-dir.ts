import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Folder of the built script tag and stylesheet, which the package `page-preview` contains. */
export const assetsDir = join(dirname(fileURLToPath(import.meta.resolve('page-preview/package.json'))), 'dist')
