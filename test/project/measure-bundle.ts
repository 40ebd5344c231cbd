import { build as esbuild } from 'esbuild'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { build as vite, type Rolldown } from 'vite'
import { webpack, type Configuration, type Stats } from 'webpack'

export interface BundleSize {
  /** Bytes, min+gzip, that load at once. */
  initial: number
  /** Together with what loads later. */
  total: number
}

/** A file that a bundler has written, and whether it loads at once. */
interface BundledFile {
  code: string
  isInitial: boolean
}

const root = join(import.meta.dirname, '../..')
const PEERS = [/^react/, /^@tanstack\//]

/** Bundles the code of an app for production, as each bundler does by default, without the peers. */
const bundlers = { Vite: bundleByVite, esbuild: bundleByEsbuild, webpack: bundleByWebpack }

export type Bundler = keyof typeof bundlers
export const bundlerNames = Object.keys(bundlers) as Bundler[]

/**
 * What a browser loads of the built package.
 *
 * @param code  The app, which imports the package by its name. What it imports has to be used, or it is removed.
 */
export async function measureBundle(code: string, bundler: Bundler): Promise<BundleSize> {
  const files = await bundlers[bundler](code)
  return { initial: sizeOf(files.filter(({ isInitial }) => isInitial)), total: sizeOf(files) }
}

export const gzipSize = (content: string | Uint8Array) => gzipSync(content, { level: 9 }).byteLength

const sizeOf = (files: readonly BundledFile[]) => files.reduce((sum, { code }) => sum + gzipSize(code), 0)

const VIRTUAL_ENTRY = join(root, 'entry.js')

/** The files of an app, as Vite writes them for production, or while the app is developed. */
export async function bundleByVite(
  code: string,
  mode: 'production' | 'development' = 'production',
): Promise<BundledFile[]> {
  const result = await vite({
    root,
    configFile: false,
    mode,
    define: { 'process.env.NODE_ENV': JSON.stringify(mode) },
    logLevel: 'silent',
    plugins: [
      {
        name: 'entry',
        resolveId: (id) => (id === VIRTUAL_ENTRY ? id : null),
        load: (id) => (id === VIRTUAL_ENTRY ? code : null),
      },
    ],
    build: { write: false, rolldownOptions: { input: VIRTUAL_ENTRY, external: PEERS } },
  })
  const [{ output }] = [result].flat() as [Rolldown.RolldownOutput]
  const chunks = output.filter((file) => file.type === 'chunk')
  const initial = new Set(chunks.filter(({ isEntry }) => isEntry))
  // Iterating a set includes what is added meanwhile.
  for (const { imports } of initial)
    for (const chunk of chunks) if (imports.includes(chunk.fileName)) initial.add(chunk)
  return chunks.map((chunk) => ({ code: chunk.code, isInitial: initial.has(chunk) }))
}

async function bundleByEsbuild(code: string): Promise<BundledFile[]> {
  const { outputFiles, metafile } = await esbuild({
    stdin: { contents: code, resolveDir: root },
    absWorkingDir: root,
    bundle: true,
    splitting: true,
    minify: true,
    format: 'esm',
    outdir: 'out',
    write: false,
    metafile: true,
    logLevel: 'silent',
    external: ['react', 'react/*', 'react-dom', 'react-dom/*', '@tanstack/*'],
  })
  const initial = new Set(
    Object.keys(metafile.outputs).filter((path) => metafile.outputs[path]!.entryPoint === '<stdin>'),
  )
  for (const path of initial)
    for (const { kind, path: imported, external } of metafile.outputs[path]!.imports)
      if (kind === 'import-statement' && !external) initial.add(imported)
  return Object.keys(metafile.outputs).map((path) => ({
    code: outputFiles.find((file) => file.path === join(root, path))!.text,
    isInitial: initial.has(path),
  }))
}

async function bundleByWebpack(code: string): Promise<BundledFile[]> {
  const dir = await mkdtemp(join(tmpdir(), 'page-preview-webpack-'))
  try {
    const stats = await runWebpack({
      mode: 'production',
      context: root,
      entry: { main: `data:text/javascript,${encodeURIComponent(code)}` },
      resolve: { modules: [join(root, 'node_modules')] },
      experiments: { outputModule: true },
      externals: PEERS,
      externalsType: 'module',
      output: { path: dir, module: true },
      performance: false,
    })
    const { assets = [], entrypoints = {} } = stats.toJson({ all: false, assets: true, entrypoints: true })
    const initial = new Set(entrypoints.main!.assets!.map(({ name }) => name))
    return await Promise.all(
      assets.map(async ({ name }) => ({
        code: await readFile(join(dir, name), 'utf8'),
        isInitial: initial.has(name),
      })),
    )
  } finally {
    await rm(dir, { recursive: true })
  }
}

function runWebpack(configuration: Configuration): Promise<Stats> {
  return new Promise((resolve, reject) => {
    webpack(configuration, (error, stats) => {
      if (error || !stats || stats.hasErrors()) reject(error ?? new Error(stats?.toString()))
      else resolve(stats)
    })
  })
}
