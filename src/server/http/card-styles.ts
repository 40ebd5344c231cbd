import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { loadOnce } from '../jobs/index.js'

/**
 * Reads the built stylesheet of the components on first use and caches it.
 *
 * @param assetsDir  Folder of the built files.
 */
export const readCardStyles = (assetsDir: string): (() => Promise<string>) =>
  // After a failure the next request tries again: a build may be in progress.
  loadOnce(() => readFile(join(assetsDir, 'styles.css'), 'utf8'))
