import { getMimeType } from 'hono/utils/mime'
import { LRUCache } from 'lru-cache'
import { readFile, stat } from 'node:fs/promises'
import { join, normalize, sep } from 'node:path'
import type { ResponseBody } from './response-body.js'
import { etagOf } from './etag.js'

const MAX_BYTES = 16 * 1024 * 1024

/** A file as it was read, and how it looked then. */
interface ReadFile {
  body: ResponseBody
  changedAt: number
}

/**
 * Reads the files of a folder, each once until it changes.
 *
 * @returns  The body of a path below the folder; of a folder in it, its `index.html`. `undefined` where there is no file.
 */
export function openAssetFiles(root: string): (path: string) => Promise<ResponseBody | undefined> {
  const known = new LRUCache<string, ReadFile>({
    maxSize: MAX_BYTES,
    sizeCalculation: ({ body }) => body.bytes.byteLength + 1,
  })
  return async (asked) => {
    const path = normalize(join(root, asked.endsWith('/') ? `${asked}index.html` : asked))
    if (!path.startsWith(root + sep) || path.includes('\0')) return undefined
    const stats = await stat(path).catch(nothing)
    if (!stats?.isFile()) return undefined
    const earlier = known.get(path)
    if (earlier?.changedAt === stats.mtimeMs) return earlier.body
    const bytes = new Uint8Array(await readFile(path))
    const type = getMimeType(path) ?? 'application/octet-stream'
    const body = { bytes, headers: { 'content-type': type, etag: etagOf(bytes) } }
    known.set(path, { body, changedAt: stats.mtimeMs })
    return body
  }
}

function nothing(error: unknown): undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code !== 'ENOENT' && code !== 'ENOTDIR' && code !== 'ENAMETOOLONG') throw error
}
