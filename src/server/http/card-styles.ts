import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * Reads the built stylesheet of the components on first use and caches it.
 *
 * @param assetsDir  Folder of the built files.
 */
export function readCardStyles(assetsDir: string): () => Promise<string> {
  let styles: Promise<string> | undefined
  return async () => {
    styles ??= readFile(join(assetsDir, 'styles.css'), 'utf8')
    try {
      return await styles
    } catch (error) {
      // The next request tries again: a build may be in progress.
      styles = undefined
      throw error
    }
  }
}
