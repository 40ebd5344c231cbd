import { createHash } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { build, type Rolldown, type UserConfig } from 'vite'
import { minifyStyles } from './minify-styles.js'
import { verifyImports } from './verify-imports.js'

type Define = NonNullable<UserConfig['define']>

/** A file whose name changes with its content, and the hash by which a browser verifies it. */
export type HashedFile = readonly [name: string, integrity: string]

/** The parts of the script tag that load with the first preview. */
export interface ScriptParts {
  prefetch: HashedFile
  previews: HashedFile
}

/**
 * Builds what the script tag loads when the first preview comes near the viewport, with preact instead of React:
 * `prefetch` sends the requests, `previews` mounts the components, and further chunks load when they are needed.
 *
 * @param outDir  Receives the files `page-preview.{hash}.js` and `.css`.
 * @see           https://preactjs.com/guide/v10/getting-started#aliasing-react-to-preact
 */
export async function buildScriptParts(define: Define, outDir: string): Promise<ScriptParts> {
  mkdirSync(outDir, { recursive: true })
  const stylesheet = await buildStylesheet(outDir)
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
        'react-dom/client': 'preact/compat/client',
        'react-dom': 'preact/compat',
        react: 'preact/compat',
      },
    },
    build: {
      target: 'es2022',
      write: false,
      lib: {
        entry: { prefetch: 'src/embed/start-previews.ts', previews: 'src/embed/previews/index.ts' },
        formats: ['es'],
      },
      rolldownOptions: { onLog, preserveEntrySignatures: 'allow-extension', output },
    },
  })
  const [{ output: files }] = built as [Rolldown.RolldownOutput]
  return writeChunks(
    files.filter((file) => file.type === 'chunk'),
    outDir,
  )
}

const output: Rolldown.OutputOptions = {
  minify: true,
  hashCharacters: 'hex',
  entryFileNames: 'page-preview.[hash:8].js',
  chunkFileNames: 'page-preview.[hash:8].js',
  codeSplitting: {
    // With what they import: what both need is in the first.
    groups: [
      { name: 'prefetch', test: /\/src\/embed\/start-previews\.ts$/, priority: 2 },
      // Apps load `fetchPreview` when there is something to request; here there always is.
      { name: 'previews', test: /\/(embed\/previews\/index|fetch-preview)\.ts$/, priority: 1 },
    ],
  },
}

/** Bundles have no use for directives such as `"use client"`. */
const onLog: Rolldown.InputOptions['onLog'] = (level, log, write) =>
  void (log.code === 'MODULE_LEVEL_DIRECTIVE' || write(level, log))

async function buildStylesheet(outDir: string): Promise<HashedFile> {
  const styles = await minifyStyles('src/react/styles.css')
  const hash = createHash('sha256').update(styles).digest('hex').slice(0, 8)
  return writeHashed(`page-preview.${hash}.css`, styles, outDir)
}

/** Writes the chunks, those first that others load later, because a chunk contains the hashes of those that it loads. */
function writeChunks(chunks: readonly Rolldown.OutputChunk[], outDir: string): ScriptParts {
  const written = new Map<string, HashedFile>()
  const write = ({ fileName, code }: Rolldown.OutputChunk): HashedFile => {
    const file = writeHashed(fileName, verifyImports(code, integrityOf), outDir)
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

function writeHashed(name: string, content: string, outDir: string): HashedFile {
  writeFileSync(`${outDir}/${name}`, content)
  return [name, `sha256-${createHash('sha256').update(content).digest('base64')}`]
}
