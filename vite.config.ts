import { storybookTest } from '@storybook/addon-vitest/vitest-plugin'
import react from '@vitejs/plugin-react'
import { playwright } from '@vitest/browser-playwright'
import { transform } from 'lightningcss'
import { createHash } from 'node:crypto'
import { chmodSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { defineConfig, type Plugin, type UserConfig } from 'vite'
import type { TestProjectConfiguration } from 'vitest/config'
import { errorsPage } from './src/playground/vite-errors-page.js'

const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }
const define = { __VERSION__: JSON.stringify(version) }
const PREVIEWS = 'dist/.previews'

/** What a library build does not do by itself: the stylesheet as it is, with types for its import, and a command that can be run. */
const packageFiles: Plugin = {
  name: 'package-files',
  generateBundle() {
    this.emitFile({ type: 'asset', fileName: 'styles.css', source: readFileSync('src/react/styles.css', 'utf8') })
    this.emitFile({ type: 'asset', fileName: 'styles.d.ts', source: 'export {}\n' })
  },
  writeBundle() {
    chmodSync('dist/cli/index.js', 0o755)
  },
}

/** The directive stays where it was written; that a page of our own has no use for it is nothing to warn of. */
const withoutDirectives: NonNullable<NonNullable<UserConfig['build']>['rolldownOptions']> = {
  onLog: (level, log, write) => void (log.code === 'MODULE_LEVEL_DIRECTIVE' || write(level, log)),
}

/** The library: one ES module per source file, so that `"use client"` stays where it was written. */
const library: UserConfig = {
  define,
  plugins: [packageFiles],
  build: {
    target: 'es2022',
    minify: false,
    sourcemap: true,
    emptyOutDir: true,
    lib: {
      entry: [
        'query/index',
        'query/help/index',
        'client/index',
        'react/index',
        'react/rsc/index',
        'react/card-slot.browser',
        'proxy/index',
        'react/messages/index',
        'embed/element/index',
        'embed/element/react',
        'embed/element/solid',
        'embed/element/svelte',
        'embed/element/vue',
        'server/index',
        'server/browser/index',
        'cli/index',
      ].map((name) => `src/${name}.ts${name.endsWith('.browser') ? 'x' : ''}`),
      formats: ['es'],
    },
    rolldownOptions: {
      ...withoutDirectives,
      external: [/^(?![./\0]|[a-z]:\\|src\/)/i],
      output: { preserveModules: true, preserveModulesRoot: 'src', entryFileNames: '[name].js' },
    },
  },
}

/** Of react-query the script needs what asks: mutations and endless lists stay out of it. */
const withoutMutations: Plugin = {
  name: 'without-mutations',
  enforce: 'pre',
  resolveId(id, importer) {
    const isUnused =
      /\/(mutationCache|infiniteQueryBehavior)\.js$/.test(id) && /\/(queryClient|query)\.js$/.test(importer ?? '')
    return isUnused ? resolve('src/embed/previews/never-used.ts') : undefined
  },
}

/** The script brings nothing before there is something to ask and to show, so neither need wait any longer. */
const withoutWaiting: Plugin = {
  name: 'without-waiting',
  enforce: 'pre',
  transform: {
    filter: { id: /\/(page-preview-query-options|early-card)\.tsx?$/ },
    handler: (code) =>
      code.includes("import('./ask-page.js')")
        ? `import * as asking from './ask-page.js'\n${code.replace("import('./ask-page.js')", 'Promise.resolve(asking)')}`
        : code.replace('Suspense,', 'Fragment as Suspense,'),
  },
}

/**
 * What the script tag brings when the first preview is near, with preact in the place of React: what asks, what shows, and
 * what those load when it is needed.
 */
const embedPreviews = (): UserConfig => ({
  define: { ...define, 'process.env.NODE_ENV': '"production"', __STYLES__: JSON.stringify(styles()) },
  resolve: {
    alias: {
      'react/jsx-runtime': 'preact/jsx-runtime',
      'react-dom/client': 'preact/compat/client',
      'react-dom': 'preact/compat',
      react: 'preact/compat',
    },
  },
  plugins: [withoutMutations, withoutWaiting],
  build: {
    target: 'es2022',
    outDir: PREVIEWS,
    lib: { entry: { asking: 'src/embed/asking/index.ts', previews: 'src/embed/previews/index.ts' }, formats: ['es'] },
    rolldownOptions: {
      ...withoutDirectives,
      preserveEntrySignatures: 'allow-extension',
      output: { minify: true, entryFileNames: '[name].js', chunkFileNames: '[name].js' },
    },
  },
})

type NamedFile = readonly [file: string, hash: string]

/** What is said of a file lets a browser check its content. */
function writeFile(file: string, content: Uint8Array | string): NamedFile {
  writeFileSync(`dist/${file}`, content)
  return [file, `sha256-${createHash('sha256').update(content).digest('base64')}`]
}

/** A name that changes with the content. */
const nameFor = (content: Uint8Array | string, extension: string) =>
  `page-preview.${createHash('sha256').update(content).digest('hex').slice(0, 8)}.${extension}`

/** Gives the parts their names, and each that loads another the hash of that: `import()` takes none, but waits for a preload. */
function namedPreviews(): (part: string) => NamedFile {
  const parts = new Map(readdirSync(PREVIEWS).map((file) => [file, readFileSync(`${PREVIEWS}/${file}`, 'utf8')]))
  // They name each other, so what one is called depends on them all.
  const nameOf = (part: string) => nameFor(part + [...parts.values()].join(), 'js')
  const written = (part: string): NamedFile =>
    writeFile(
      nameOf(part),
      parts
        .get(part)!
        .replace(/(?<=\b(?:from|import) *["'`]\.\/)[\w-]+\.js(?=["'`])/g, nameOf)
        .replace(/\bimport\(["'`]\.\/([\w-]+\.js)["'`]\)/g, (_, other: string) => checkedImport(written(other))),
    )
  return written
}

const checkedImport = ([file, integrity]: NamedFile) =>
  `(document.querySelector('[integrity="${integrity}"]')||document.head.append(Object.assign(document.createElement("link"),` +
  `{rel:"modulepreload",integrity:"${integrity}",href:new URL("./${file}",import.meta.url)})),import("./${file}"))`

const minified = (filename: string) => transform({ filename, code: readFileSync(filename), minify: true }).code

function styles(): NamedFile {
  const content = minified('src/react/styles.css')
  return writeFile(nameFor(content, 'css'), content)
}

/** The script tag itself; it knows the files of what makes previews, and what is in them. */
function embed(): UserConfig {
  const previews = namedPreviews()
  const files = [previews('asking.js'), previews('previews.js')]
  rmSync(PREVIEWS, { recursive: true })
  writeFileSync('dist/page-preview.css', minified('src/embed/places.css'))
  return {
    define: { ...define, __FILES__: JSON.stringify(files) },
    build: {
      target: 'es2022',
      cssTarget: 'chrome120',
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

const playground: UserConfig = {
  define,
  root: 'src/playground',
  base: './',
  plugins: [react(), errorsPage()],
  build: { target: 'es2022', outDir: '../../dist/playground', emptyOutDir: true, rolldownOptions: withoutDirectives },
}

const chromium = (viewport = { width: 1280, height: 720 }) => ({
  enabled: true,
  headless: true,
  screenshotFailures: false,
  provider: playwright({
    contextOptions: { viewport },
    launchOptions: {
      ...(process.env.CHROMIUM_PATH && { executablePath: process.env.CHROMIUM_PATH }),
      args: ['--no-sandbox', '--disable-background-networking', '--lang=en-US'],
    },
  }),
  instances: [{ browser: 'chromium' as const }],
})

// Every project a `define` of its own: vitest takes out of it what it has read.
const projects: TestProjectConfiguration[] = [
  {
    define: { ...define },
    test: {
      name: 'node',
      exclude: ['**/*.{slow,firefox}.test.ts'],
      environment: 'node',
      globalSetup: 'test/shared/global-setup.ts',
      include: ['test/{query,client,proxy,server,cli,project,end-to-end}/**/*.test.ts'],
      testTimeout: 30_000,
      hookTimeout: 60_000,
    },
  },
  {
    define: { ...define },
    plugins: [react()],
    test: {
      name: 'dom',
      environment: 'jsdom',
      include: ['test/{react,embed,playground}/**/*.dom.test.{ts,tsx}'],
      setupFiles: 'test/shared/patience.ts',
      testTimeout: 30_000,
    },
  },
  {
    define: { ...define },
    plugins: [react()],
    test: {
      name: 'react-18',
      environment: 'jsdom',
      include: ['test/react/**/*.dom.test.tsx'],
      setupFiles: ['test/react/hooks/use-react-18.ts', 'test/shared/patience.ts'],
      testTimeout: 30_000,
    },
  },
  {
    define: { ...define },
    plugins: [react()],
    // Found only when a page asks for it, which would reload the page in the middle of a test.
    optimizeDeps: { include: ['pretty-bytes'] },
    test: {
      name: 'browser',
      browser: chromium(),
      include: ['test/{react,embed,playground}/**/*.browser.test.{ts,tsx}'],
      testTimeout: 30_000,
    },
  },
  {
    define: { ...define },
    plugins: [storybookTest({ configDir: 'stories/.storybook' })],
    test: {
      name: 'storybook',
      testTimeout: 60_000,
      browser: {
        ...chromium({ width: 1320, height: 2600 }),
        expect: {
          toMatchScreenshot: {
            comparatorName: 'pixelmatch',
            comparatorOptions: { allowedMismatchedPixelRatio: 0.02 },
            screenshotOptions: { animations: 'disabled', caret: 'hide' },
            resolveScreenshotPath: ({ arg, ext, root }) => `${root}/looks/${arg}${ext}`,
          },
        },
      },
      setupFiles: ['.storybook/take-pictures.ts'],
    },
  },
  {
    define: { ...define },
    test: {
      name: 'types',
      include: [],
      typecheck: { enabled: true, only: true, include: ['test/**/*.test-d.{ts,tsx}'], tsconfig: 'test/tsconfig.json' },
    },
  },
]

export default defineConfig(({ mode }) => {
  if (mode === 'embed-previews') return embedPreviews()
  if (mode === 'embed') return embed()
  if (mode === 'playground') return playground
  if (mode === 'bench')
    return {
      test: {
        include: ['test/bench/**/*.bench.ts'],
        fileParallelism: false,
        testTimeout: 300_000,
        hookTimeout: 60_000,
      },
    }
  if (mode === 'apps')
    return { define, test: { include: ['test/apps/**/*.test.ts'], testTimeout: 60_000, hookTimeout: 240_000 } }
  if (mode === 'firefox')
    return { define, test: { include: ['test/**/*.firefox.test.ts'], testTimeout: 30_000, hookTimeout: 60_000 } }
  if (mode === 'slow')
    return { define, test: { include: ['test/**/*.slow.test.ts'], fileParallelism: false, testTimeout: 120_000 } }
  return mode === 'test' ? { test: { projects, maxWorkers: 2 } } : library
})
