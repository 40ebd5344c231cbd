import { transform } from 'lightningcss'
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Plugin, UserConfig } from 'vite'

type Define = NonNullable<UserConfig['define']>

const PREVIEWS = 'dist/.previews'

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

/** Public methods that neither we nor what we use of react-query calls; bundlers keep what a class has. */
const UNUSED = new Set(
  [
    'setTimeoutProvider fetchOptimistic getOptimisticResult trackResult trackProp getCurrentQuery isMutating',
    'setQueriesData removeQueries resetQueries infiniteQuery fetchInfiniteQuery prefetchInfiniteQuery',
    'ensureInfiniteQueryData ensureQueryData setQueryDefaults setMutationDefaults getMutationDefaults defaultMutationOptions',
  ].flatMap((names) => names.split(' ')),
)

const withoutUnused: Plugin = {
  name: 'without-unused',
  transform: {
    filter: { id: /\/query-core\/.*\/(queryClient|queryObserver|timeoutManager)\.js$/ },
    handler(code) {
      const classes = this.parse(code).body.flatMap((part) =>
        part.type === 'VariableDeclaration' ? part.declarations.map(({ init }) => init) : [],
      )
      const unused = classes
        .flatMap((made) => (made?.type === 'ClassExpression' ? made.body.body : []))
        .filter(
          (part) => part.type === 'MethodDefinition' && part.key.type === 'Identifier' && UNUSED.has(part.key.name),
        )
      return unused.reduceRight((text, { start, end }) => text.slice(0, start) + text.slice(end), code)
    },
  },
  generateBundle(_, files) {
    for (const file of Object.values(files))
      for (const [, name = ''] of file.type === 'chunk' ? file.code.matchAll(/\.(\w+)\(/g) : [])
        if (UNUSED.has(name)) this.error(`${file.fileName} calls ${name}: take it out of what is unused.`)
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
export const scriptParts = (define: Define): UserConfig => ({
  define: { ...define, 'process.env.NODE_ENV': '"production"', __STYLES__: JSON.stringify(styles()) },
  resolve: {
    alias: {
      'react/jsx-runtime': 'preact/jsx-runtime',
      'react-dom/client': 'preact/compat/client',
      'react-dom': 'preact/compat',
      react: 'preact/compat',
    },
  },
  plugins: [withoutMutations, withoutUnused, withoutWaiting],
  build: {
    target: 'es2022',
    outDir: PREVIEWS,
    lib: { entry: { asking: 'src/embed/asking/index.ts', previews: 'src/embed/previews/index.ts' }, formats: ['es'] },
    rolldownOptions: {
      // The directive stays where it was written; that the script has no use for it is nothing to warn of.
      onLog: (level, log, write) => void (log.code === 'MODULE_LEVEL_DIRECTIVE' || write(level, log)),
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
export function scriptTag(define: Define): UserConfig {
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
