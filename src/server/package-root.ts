import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

function findPackage(dir: string): { root: string; version: string } {
  try {
    const { name, version } = JSON.parse(readFileSync(join(dir, 'package.json'), 'utf8')) as Record<string, string>
    if (name === 'page-preview' && version) return { root: dir, version }
  } catch (error) {
    if (dirname(dir) === dir) throw error
  }
  return findPackage(dirname(dir))
}

const { root, version } = findPackage(dirname(fileURLToPath(import.meta.url)))

/** Version of this package. */
export { version }

/** Where the build puts the script tag and the playground; the same from the source and from the build. */
export const assetsDir = join(root, 'dist')
