import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const packageFolder = (name: string) => dirname(fileURLToPath(import.meta.resolve(`${name}/package.json`)))

/** Folder of the built script tag and stylesheet, which the package `page-preview` contains. */
export const assetsDir = join(packageFolder('page-preview'), 'dist')

/** Folder of the built playground. */
export const playgroundDir = join(packageFolder('page-preview-server'), 'dist/playground')
