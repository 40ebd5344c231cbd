import { getMimeType } from 'hono/utils/mime'
import { LRUCache } from 'lru-cache'
import { readFile, stat } from 'node:fs/promises'
import { join, normalize, sep } from 'node:path'
import { hasErrorCode } from '../node-errors/index.js'
import { etagOf } from './etag.js'
import type { ResponseBody } from './response-body.js'

const CACHE_BYTES = 16 * 1024 * 1024

interface CachedFile {
  body: ResponseBody
  /** Modification time of the file when it was read. */
  modifiedMs: number
}

/**
 * Reads files below a folder, with a cache that is checked against their modification time.
 *
 * @returns  A function from a path to its body; an empty path, or one with a trailing slash, leads to `index.html`. `undefined` where
 *           there is no file.
 */
export function openAssetFiles(root: string): (path: string) => Promise<ResponseBody | undefined> {
  const cache = new LRUCache<string, CachedFile>({
    maxSize: CACHE_BYTES,
    sizeCalculation: ({ body }) => body.bytes.byteLength + 1,
  })
  return async (requestPath) => {
    const path = normalize(join(root, /(^|\/)$/.test(requestPath) ? `${requestPath}index.html` : requestPath))
    if (!path.startsWith(root + sep) || path.includes('\0')) return undefined
    const stats = await stat(path).catch(ignoreMissingFile)
    if (!stats?.isFile()) return undefined
    const cached = cache.get(path)
    if (cached?.modifiedMs === stats.mtimeMs) return cached.body
    const bytes = new Uint8Array(await readFile(path))
    const type = getMimeType(path) ?? 'application/octet-stream'
    const body = { bytes, headers: { 'content-type': type, etag: etagOf(bytes) } }
    cache.set(path, { body, modifiedMs: stats.mtimeMs })
    return body
  }
}

function ignoreMissingFile(error: unknown): undefined {
  if (!hasErrorCode(error, 'ENOENT', 'ENOTDIR', 'ENAMETOOLONG')) throw error
}
