import { minify } from '@swc/core'
import { transform } from 'lightningcss'
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Plugin, UserConfig } from 'vite'
import { shortNames } from './short-names.js'
import { slimReactQuery } from './slim-react-query.js'

type Define = NonNullable<UserConfig['define']>

const PREVIEWS = 'dist/.previews'
const REACT = resolve('src/embed/previews/react-of-preact.ts')

/**
 * The script brings nothing before there is something to ask and to show, so neither need wait any longer; and it takes over
 * no markup of a server.
 */
const withoutWaiting: Plugin = {
  name: 'without-waiting',
  enforce: 'pre',
  transform: {
    filter: { id: /\/(page-preview-query-options|hydrated-card|card-footer)\.tsx?$/ },
    handler(code, id) {
      if (id.includes('hydrated-card')) return READY_CARD
      if (id.includes('card-footer')) return code.replace(' suppressHydrationWarning', '')
      return code.replace(LOADING, `Promise.resolve({ fetchPreview })`) + ASKING
    },
  },
}
const LOADING = "import('./fetch-preview.js')"
const ASKING = "import { fetchPreview } from './fetch-preview.js'"
const READY_CARD = `
import { jsx } from 'react/jsx-runtime'
import { DeferredCard } from './deferred-card.js'
export const HydratedCard = ({ props }) => jsx(DeferredCard, props)`

/** Two percent smaller than what the bundler's own minifier makes of it. */
const smallest: Plugin = {
  name: 'smallest',
  // What is left out is looked for in what it makes.
  enforce: 'pre',
  async generateBundle(_, files) {
    for (const file of Object.values(files))
      if (file.type === 'chunk')
        file.code = (await minify(file.code, { module: true, ecma: 2022, compress: { passes: 3 }, mangle: true })).code
  },
}

/** After what is left out, which is looked for by its name. */
const shortened: Plugin = {
  name: 'shortened',
  enforce: 'post',
  generateBundle(_, files) {
    const chunks = Object.values(files).filter((file) => file.type === 'chunk')
    for (const [at, code] of shortNames(chunks.map(({ code }) => code)).entries()) chunks[at]!.code = code
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
      'react/jsx-runtime': REACT,
      'react-dom/client': REACT,
      react: REACT,
    },
  },
  plugins: [smallest, slimReactQuery, withoutWaiting, shortened],
  build: {
    target: 'es2022',
    outDir: PREVIEWS,
    minify: false,
    lib: { entry: { asking: 'src/embed/asking/index.ts', previews: 'src/embed/previews/index.ts' }, formats: ['es'] },
    rolldownOptions: {
      // The directive stays where it was written; that the script has no use for it is nothing to warn of.
      onLog: (level, log, write) => void (log.code === 'MODULE_LEVEL_DIRECTIVE' || write(level, log)),
      preserveEntrySignatures: 'allow-extension',
      output: { entryFileNames: '[name].js', chunkFileNames: '[name].js' },
    },
  },
})

type NamedFile = readonly [file: string, hash: string]

/** What is said of a file lets a browser check its content. */
function writeFile(file: string, content: Uint8Array | string): NamedFile {
  writeFileSync(`dist/${file}`, content)
  return [file, `sha256-${createHash('sha256').update(content).digest('base64')}`]
}

/** For a name that changes with the content. */
const hashOf = (content: Uint8Array | string) => createHash('sha256').update(content).digest('hex').slice(0, 7)

/** Gives the parts their names, and each that loads another the hash of that: `import()` takes none, but waits for a preload. */
function namedPreviews(): (part: string) => NamedFile {
  const parts = new Map(readdirSync(PREVIEWS).map((file) => [file, readFileSync(`${PREVIEWS}/${file}`, 'utf8')]))
  // They name each other, so what one is called depends on them all; the last digit tells them apart.
  const all = hashOf([...parts].join())
  const nameOf = (part: string) => `page-preview.${all}${[...parts.keys()].indexOf(part).toString(16)}.js`
  const written = (part: string): NamedFile => {
    const text = parts
      .get(part)!
      .replace(/(?<=\b(?:from|import) *["'`]\.\/)[\w-]+\.js(?=["'`])/g, nameOf)
      .replace(
        /\bimport\(["'`]\.\/([\w-]+\.js)["'`]\)/g,
        (_, other: string) => `$load(${JSON.stringify(written(other))})`,
      )
    return writeFile(nameOf(part), text.includes('$load(') ? text + CHECKED_IMPORT : text)
  }
  return written
}

const CHECKED_IMPORT = `
function $load([file,integrity]){
file="./"+file;
document.querySelector(\`[integrity="\${integrity}"]\`)||document.head.append(Object.assign(document.createElement("link"),\
{rel:"modulepreload",integrity,href:new URL(file,import.meta.url),nonce:document.querySelector("[rel=modulepreload]")?.nonce}));
return import(file)}`

const minified = (filename: string) => transform({ filename, code: readFileSync(filename), minify: true }).code

function styles(): NamedFile {
  const content = minified('src/react/styles.css')
  return writeFile(`page-preview.${hashOf(content)}0.css`, content)
}

/** The script tag itself; it knows the files of what makes previews, and what is in them. */
export function scriptTag(define: Define): UserConfig {
  const previews = namedPreviews()
  const files = [previews('asking.js'), previews('previews.js')]
  rmSync(PREVIEWS, { recursive: true })
  writeFileSync('dist/page-preview.css', minified('src/embed/places.css'))
  return {
    define: { ...define, __FILES__: JSON.stringify(files) },
    plugins: [smallest],
    build: {
      target: 'es2022',
      cssTarget: 'chrome120',
      emptyOutDir: false,
      minify: false,
      cssMinify: true,
      lib: {
        entry: 'src/embed/index.ts',
        formats: ['iife'],
        name: 'PagePreviewScript',
        fileName: () => 'page-preview.js',
      },
    },
  }
}
