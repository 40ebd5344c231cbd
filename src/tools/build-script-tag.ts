import { createHash } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { minify } from 'terser'
import { build, minifySync, parseSync, Visitor, type Plugin, type Rolldown, type UserConfig } from 'vite'

type Define = NonNullable<UserConfig['define']>

/** A file whose name changes with its content, and the hash by which a browser verifies it. */
type HashedFile = readonly [name: string, integrity: string]

/** The parts of the script tag that load with the first preview. */
interface ScriptParts {
  prefetch: HashedFile
  previews: HashedFile
}

const OUT_DIR = 'dist'

const preactAsReact = join(import.meta.dirname, '../embed/preact-as-react.ts')

/**
 * The build of `page-preview.js`, a classic script that names the parts which load with the first preview and their hashes,
 * and of `page-preview.css`, which reserves the space of previews until then. It builds the parts first.
 */
export async function scriptTagBuild(define: Define): Promise<UserConfig> {
  const { prefetch, previews } = await buildScriptParts(define)
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
      rolldownOptions: { onLog },
    },
  }
}

/**
 * Builds what the script tag loads when the first preview comes near the viewport, with preact instead of React:
 * `prefetch` sends the requests, `previews` mounts the components, and further chunks load when they are needed.
 *
 * @see  https://preactjs.com/guide/v10/getting-started#aliasing-react-to-preact
 */
async function buildScriptParts(define: Define): Promise<ScriptParts> {
  mkdirSync(OUT_DIR, { recursive: true })
  const stylesheet = await buildStylesheet()
  const built = await build({
    configFile: false,
    logLevel: 'warn',
    define: {
      ...define,
      'process.env.NODE_ENV': '"production"',
      __STYLESHEET__: JSON.stringify(stylesheet),
    },
    resolve: {
      alias: {
        'react/jsx-runtime': 'preact/jsx-runtime',
        'react-dom/client': preactAsReact,
        'react-dom': preactAsReact,
        react: preactAsReact,
      },
    },
    plugins: [terser],
    build: {
      target: 'es2022',
      write: false,
      lib: {
        entry: { prefetch: 'src/embed/first-requests.ts', previews: 'src/embed/previews.tsx' },
        formats: ['es'],
      },
      rolldownOptions: {
        onLog,
        checks: { bundlerTimings: false },
        preserveEntrySignatures: 'allow-extension',
        output: chunkOutput,
      },
    },
  })
  const [{ output: files }] = built as [Rolldown.RolldownOutput]
  return writeChunks(files.filter((file) => file.type === 'chunk'))
}

/** Minifies before rolldown does, which alone leaves 1% more. */
const terser: Plugin = {
  name: 'page-preview:terser',
  async renderChunk(chunk) {
    const { code } = await minify(chunk, { module: true, compress: { passes: 3 } })
    return code
  },
}

const chunkOutput: Rolldown.OutputOptions = {
  minify: true,
  hashCharacters: 'hex',
  entryFileNames: 'page-preview.[hash:8].js',
  chunkFileNames: 'page-preview.[hash:8].js',
  codeSplitting: {
    // With what they import: what both need is in the first.
    groups: [
      { name: 'prefetch', test: /\/src\/embed\/first-requests\.ts$/, priority: 2 },
      { name: 'previews', test: /\/embed\/previews\.tsx$/, priority: 1 },
      // They load when a link is hovered already, so that one file is faster.
      { name: 'hover-links', test: /\/(embed\/hover-links\.tsx|react\/hover-(preview\.tsx|intent\.ts))$/ },
    ],
  },
}

/** Bundles have no use for directives such as `"use client"`. */
const onLog: Rolldown.InputOptions['onLog'] = (level, log, write) =>
  void (log.code === 'MODULE_LEVEL_DIRECTIVE' || write(level, log))

async function buildStylesheet(): Promise<HashedFile> {
  const styles = await minifyStyles('src/react/styles.css')
  const hash = createHash('sha256').update(styles).digest('hex').slice(0, 8)
  return writeHashed(`page-preview.${hash}.css`, styles)
}

/** Writes the chunks, those first that others load later, because a chunk contains the hashes of those that it loads. */
function writeChunks(chunks: readonly Rolldown.OutputChunk[]): ScriptParts {
  const written = new Map<string, HashedFile>()
  const write = ({ fileName, code }: Rolldown.OutputChunk): HashedFile => {
    const file = writeHashed(fileName, verifyImports(code, integrityOf))
    written.set(fileName, file)
    return file
  }
  const integrityOf = (specifier: string) => {
    const fileName = specifier.replace('./', '')
    return (written.get(fileName) ?? write(chunks.find((chunk) => chunk.fileName === fileName)!))[1]
  }
  const writeEntry = (name: keyof ScriptParts) => write(chunks.find((chunk) => chunk.isEntry && chunk.name === name)!)
  const parts = { prefetch: writeEntry('prefetch'), previews: writeEntry('previews') }
  const others = chunks.filter(({ fileName }) => !written.has(fileName))
  if (others.length) throw new Error(`No hash is known when ${others.map(({ name }) => name).join()} loads.`)
  return parts
}

function writeHashed(name: string, content: string): HashedFile {
  writeFileSync(`${OUT_DIR}/${name}`, content)
  return [name, `sha256-${createHash('sha256').update(content).digest('base64')}`]
}

/**
 * Minifies a stylesheet as the build of an app does, its nested rules left as they are. What is not ASCII is escaped again, because servers
 * and pages without a charset are read in the encoding of the reader's language.
 */
export async function minifyStyles(path: string): Promise<string> {
  const built = await build({
    configFile: false,
    logLevel: 'silent',
    build: { write: false, cssTarget: 'esnext', rolldownOptions: { input: path } },
  })
  const { output } = built as Rolldown.RolldownOutput
  const file = output.find((file) => file.type === 'asset' && file.fileName.endsWith('.css'))
  if (file?.type !== 'asset') throw new Error(`${path} is not a stylesheet.`)
  return String(file.source).replace(/[^\0-\x7f]/gu, (character) => `\\${character.codePointAt(0)!.toString(16)} `)
}

/**
 * Makes a chunk of the script tag check the files that it loads later against their hashes: `import()` takes no hash, but it
 * waits for a `modulepreload` of the same URL that has one.
 *
 * @param code         An ES module, as the bundler has written it.
 * @param integrityOf  The hash of a file that the chunk imports dynamically, for the attribute `integrity`.
 * @see                https://html.spec.whatwg.org/multipage/links.html#link-type-modulepreload
 */
function verifyImports(code: string, integrityOf: (specifier: string) => string): string {
  let verified = ''
  let end = 0
  new Visitor({
    ImportExpression(node) {
      const specifier = code.slice(node.source.start + 1, node.source.end - 1)
      verified += `${code.slice(end, node.start)}importVerified('${specifier}', '${integrityOf(specifier)}')`
      ;({ end } = node)
    },
  }).visit(parseSync('chunk.js', code).program)
  const whole = verified ? verified + code.slice(end) + IMPORT_VERIFIED : code
  // A second pass finds more than that of the bundler.
  return minifySync('chunk.js', whole, { module: true }).code
}

/** Members of the document are read from its prototype, because an image named `head` replaces `document.head`. */
const IMPORT_VERIFIED = `
function importVerified(specifier, integrity) {
  const { querySelector } = Document.prototype
  const { href } = new URL(specifier, import.meta.url)
  const { nonce } = querySelector.call(document, 'link[rel=modulepreload]') ?? {}
  if (!querySelector.call(document, 'link[href="' + href + '"]'))
    Reflect.get(Document.prototype, 'head', document).append(
      Object.assign(document.createElement('link'), { rel: 'modulepreload', integrity, href, nonce }),
    )
  return import(specifier)
}
`
