import react from '@vitejs/plugin-react'
import { chmodSync, readFileSync } from 'node:fs'
import type { Plugin, UserConfig } from 'vite'
import { errorsPage } from './vite-errors-page.js'

type Define = NonNullable<UserConfig['define']>
type RolldownOptions = NonNullable<NonNullable<UserConfig['build']>['rolldownOptions']>

/** Everything but the project's own modules. */
const OTHER_PACKAGES = /^(?![./\0]|[a-z]:\\|src\/)/i

/** Directives such as `"use client"` stay in their files, and a busy machine is slow: neither needs a warning. */
const withoutNeedlessWarnings: RolldownOptions = {
  checks: { bundlerTimings: false },
  onLog: (level, log, write) => void (log.code === 'MODULE_LEVEL_DIRECTIVE' || write(level, log)),
}

/**
 * Adds the stylesheet without its comments, because not every app minifies it, and types for importing it. It is not minified itself:
 * some minifiers of apps fail on what others write.
 */
const stylesheet: Plugin = {
  name: 'page-preview:stylesheet',
  generateBundle() {
    const [first, ...commented] = readFileSync('src/react/styles.css', 'utf8').split('/*')
    const source = [first, ...commented.map((part) => part.slice(part.indexOf('*/') + '*/'.length).trimStart())].join(
      '',
    )
    this.emitFile({ type: 'asset', fileName: 'styles.css', source })
    this.emitFile({ type: 'asset', fileName: 'styles.d.ts', source: 'export {}\n' })
  },
}

/** Allows a built file to be run as a command. */
const executable = (file: string): Plugin => ({
  name: 'page-preview:executable',
  writeBundle: () => chmodSync(file, 0o755),
})

/** The library: one ES module per source file, so that `"use client"` stays where it was written. */
export const libraryBuild = (define: Define): UserConfig => ({
  define,
  plugins: [stylesheet],
  build: {
    target: 'es2022',
    minify: false,
    sourcemap: true,
    emptyOutDir: true,
    lib: {
      entry: [
        'src/query/index.ts',
        'src/client/index.ts',
        'src/client/batch-fetch.ts',
        'src/react/index.ts',
        'src/react/parts/index.ts',
        'src/react/messages/index.ts',
        'src/react/index.server.ts',
        'src/proxy/index.ts',
        'src/testing/index.ts',
        'src/embed/element/index.ts',
        'src/embed/element/react.ts',
        'src/embed/element/solid.ts',
        'src/embed/element/svelte.ts',
        'src/embed/element/vue.ts',
      ],
      formats: ['es'],
    },
    rolldownOptions: {
      ...withoutNeedlessWarnings,
      external: OTHER_PACKAGES,
      output: { preserveModules: true, preserveModulesRoot: 'src', entryFileNames: '[name].js' },
    },
  },
})

/** The command `page-preview`, in one file: it uses more of the library than the package exports. It is not minified, so it needs no map. */
export const commandBuild = (define: Define): UserConfig => ({
  define,
  plugins: [executable('dist/cli/index.js')],
  build: {
    target: 'node22',
    outDir: 'dist/cli',
    minify: false,
    lib: { entry: { index: 'src/cli/index.ts' }, formats: ['es'] },
    rolldownOptions: {
      ...withoutNeedlessWarnings,
      external: [/^node:/, /^page-preview/],
      output: { entryFileNames: '[name].js', chunkFileNames: '[name].js' },
    },
  },
})

/**
 * The package `page-preview-server`: one ES module per source file. It contains a copy of the folders of the library that it uses, since
 * it needs more of them than `page-preview` exports.
 */
export const serverBuild = (define: Define): UserConfig => ({
  define,
  plugins: [executable('src/server/dist/static/commands/page-preview-server.js')],
  build: {
    target: 'node22',
    outDir: 'src/server/dist',
    minify: false,
    sourcemap: true,
    emptyOutDir: true,
    lib: {
      entry: [
        'src/server/index.ts',
        'src/server/browser/index.ts',
        'src/static/freeze-entry.ts',
        'src/static/plugins/astro.ts',
        'src/static/plugins/eleventy.ts',
        'src/static/plugins/rehype.ts',
        'src/static/plugins/vite.ts',
        'src/static/plugins/vitepress.ts',
        'src/static/commands/index.ts',
        'src/static/commands/page-preview-server.ts',
        'src/server/demo/png-process.ts',
        'src/server/images/image-process.ts',
        'src/server/batches/list-worker.ts',
        'src/server/content/content-worker.ts',
        'src/server/page/document-worker.ts',
        'src/server/event-loop-watchdog.ts',
      ],
      formats: ['es'],
    },
    rolldownOptions: {
      ...withoutNeedlessWarnings,
      external: OTHER_PACKAGES,
      output: { preserveModules: true, preserveModulesRoot: 'src/server', entryFileNames: '[name].js' },
    },
  },
})

/** The playground, which the service delivers. */
export const playgroundBuild = (define: Define): UserConfig => ({
  define,
  root: 'src/playground',
  base: './',
  plugins: [react(), errorsPage()],
  build: {
    target: 'es2022',
    outDir: '../server/dist/playground',
    emptyOutDir: true,
    rolldownOptions: withoutNeedlessWarnings,
  },
})
