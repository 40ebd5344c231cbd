import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { assetsDir } from './assets-dir.js'
import { contentFile } from './content-file.js'
import type { TextFile } from './freeze-html-options.js'

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
