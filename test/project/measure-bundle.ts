import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { build, type OutputChunk } from 'rolldown'

export interface BundleSize {
  /** Bytes, min+gzip, of what is loaded at once. */
  initial: number
  /** With what is loaded when it is needed. */
  total: number
}

const root = join(import.meta.dirname, '../..')
const ENTRY = join(root, 'entry.js')
const PEERS = [/^react/, /^@tanstack\//]

/**
 * What a browser loads for some code that uses the built package, bundled the way an app's bundler does it: unused code left
 * out, split where the code says so, the peers apart.
 *
 * @param code  With `page-preview/<entry>` for what is in `dist`.
 */
export async function measureBundle(code: string): Promise<BundleSize> {
  const { output } = await build({
    input: ENTRY,
    write: false,
    platform: 'browser',
    // Of directives, which a bundle has no use for. What is wrong is thrown.
    logLevel: 'silent',
    external: PEERS,
    // Nobody imports an app's entry, so what its later parts need too may stay in it.
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
  const chunks = output.filter((file) => file.type === 'chunk')
  return { initial: sizeOf(loadedAtOnce(chunks)), total: sizeOf(chunks) }
}

export const gzipSize = (content: string | Uint8Array) => gzipSync(content, { level: 9 }).byteLength

function loadedAtOnce(chunks: OutputChunk[]): OutputChunk[] {
  const loaded = new Set(chunks.filter((chunk) => chunk.isEntry))
  // A set goes on to what is added while it is walked.
  for (const { imports } of loaded) for (const chunk of chunks) if (imports.includes(chunk.fileName)) loaded.add(chunk)
  return [...loaded]
}

const sizeOf = (chunks: OutputChunk[]) => chunks.reduce((sum, { code }) => sum + gzipSize(code), 0)
