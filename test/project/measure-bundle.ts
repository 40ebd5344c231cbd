import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { build, type OutputChunk } from 'rolldown'

export interface BundleSize {
  /** Bytes, min+gzip, that load at once. */
  initial: number
  /** Together with what loads later. */
  total: number
}

const root = join(import.meta.dirname, '../..')
const ENTRY = join(root, 'entry.js')
const PEERS = [/^react/, /^@tanstack\//]

/**
 * What a browser loads of the built package, bundled as an app does it: without unused code, split at dynamic imports, and
 * without the peers.
 *
 * @param code  The app; it imports `page-preview/{entry}` for `dist/{entry}`.
 */
export async function measureBundle(code: string): Promise<BundleSize> {
  const chunks = await bundleApp(code, 'production')
  return { initial: sizeOf(initialChunks(chunks)), total: sizeOf(chunks) }
}

/** The chunks of an app, as a bundler writes them for production, or while the app is developed. */
export async function bundleApp(code: string, mode: 'production' | 'development'): Promise<OutputChunk[]> {
  const { output } = await build({
    input: ENTRY,
    write: false,
    platform: 'browser',
    transform: { define: { 'process.env.NODE_ENV': JSON.stringify(mode) } },
    // Bundles drop directives such as "use client" with a warning each.
    logLevel: 'silent',
    external: PEERS,
    // Nothing imports the entry of an app, so what its later chunks need may stay in it.
    preserveEntrySignatures: 'allow-extension',
    plugins: [
      {
        name: 'entry',
        resolveId: (id) => {
          const [, entry] = /^page-preview\/(.+)$/.exec(id) ?? []
          return entry ? join(root, 'dist', entry, 'index.js') : id === ENTRY ? id : null
        },
        load: (id) => (id === ENTRY ? code : null),
      },
    ],
    output: { format: 'esm', minify: true },
  })
  return output.filter((file) => file.type === 'chunk')
}

export const gzipSize = (content: string | Uint8Array) => gzipSync(content, { level: 9 }).byteLength

function initialChunks(chunks: OutputChunk[]): OutputChunk[] {
  const initial = new Set(chunks.filter((chunk) => chunk.isEntry))
  // Iterating a set includes what is added meanwhile.
  for (const { imports } of initial)
    for (const chunk of chunks) if (imports.includes(chunk.fileName)) initial.add(chunk)
  return [...initial]
}

const sizeOf = (chunks: OutputChunk[]) => chunks.reduce((sum, { code }) => sum + gzipSize(code), 0)
