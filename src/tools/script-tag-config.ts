import { writeFileSync } from 'node:fs'
import type { UserConfig } from 'vite'
import { buildScriptParts } from './build-script-parts.js'
import { minifyStyles } from './minify-styles.js'

const OUT_DIR = 'dist'

/**
 * The build of `page-preview.js`, a classic script that names the parts which load with the first preview and their hashes,
 * and of `page-preview.css`, which reserves the space of previews until then. It builds the parts first.
 */
export async function scriptTagConfig(define: NonNullable<UserConfig['define']>): Promise<UserConfig> {
  const { prefetch, previews } = await buildScriptParts(define, OUT_DIR)
  writeFileSync(`${OUT_DIR}/page-preview.css`, await minifyStyles('src/embed/reserved-space.css'))
  return {
    define: { ...define, __SCRIPT_PARTS__: JSON.stringify([prefetch, previews]) },
    build: {
      target: 'es2022',
      cssTarget: 'chrome120',
      outDir: OUT_DIR,
      emptyOutDir: false,
      lib: {
        entry: 'src/embed/index.ts',
        formats: ['iife'],
        name: 'PagePreviewScript',
        fileName: () => 'page-preview.js',
      },
    },
  }
}
