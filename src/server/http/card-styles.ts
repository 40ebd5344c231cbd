import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { assetsDir } from '../package-root.js'

/** Reads the built stylesheet of the components when it is first asked for, and remembers it. */
export function readCardStyles(): () => Promise<string> {
  let styles: Promise<string> | undefined
  return async () => {
    styles ??= readFile(join(assetsDir, 'styles.css'), 'utf8')
    try {
      return await styles
    } catch (error) {
      // Next time it is looked for again: a build may be under way.
      styles = undefined
      throw error
    }
  }
}
