import type { Context } from 'hono'
import { getMimeType } from 'hono/utils/mime'
import { LRUCache } from 'lru-cache'
import { readFile, stat } from 'node:fs/promises'
import { join, normalize, sep } from 'node:path'
import { hasErrorCode } from '../node-errors.js'
import type { AppParts } from './app-parts.js'
import { sendCompressed } from './content-coding.js'
import { notFoundError } from './error-response.js'
import { etagOf, jsonBody, type ResponseBody } from './response.js'
import { corsHeaders } from './response-headers.js'
import type { Router, RouterEnv } from './received-request.js'

const CACHE_BYTES = 16 * 1024 * 1024
const CACHED_BRIEFLY = 'public, max-age=300'
const IMMUTABLE = 'public, max-age=31536000, immutable'

const ASSET_HEADERS = {
  ...corsHeaders,
  'cross-origin-resource-policy': 'cross-origin',
  'x-content-type-options': 'nosniff',
}

/** Results are untrusted, and the playground has a key: only its own scripts may run, and no other page may frame it. */
const PLAYGROUND_HEADERS = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; font-src 'self' data:; img-src http: https: data: blob:; " +
    "media-src http: https: blob:; connect-src http: https:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
}

/** The built files: the script tag with its stylesheet and modules, and the playground. */
export function assetRoutes(router: Router, app: AppParts): void {
  const { assetsDir, playgroundDir, version, examples } = app
  const readAsset = openAssetFiles(assetsDir)
  const readPlayground = openAssetFiles(playgroundDir)

  async function sendAsset(
    c: Context<RouterEnv>,
    file: ReturnType<typeof readAsset>,
    cacheControl: string,
    extraHeaders: Record<string, string> = {},
  ): Promise<Response> {
    const body = await file
    if (!body) throw notFoundError(c.req.path)
    return sendCompressed(c, app, body, { ...ASSET_HEADERS, ...extraHeaders, 'cache-control': cacheControl })
  }

  for (const file of ['page-preview.js', 'page-preview.css']) {
    router.get(`/${file}`, (c) => sendAsset(c, readAsset(file), CACHED_BRIEFLY))
    router.get(`/v${version}/${file}`, (c) => sendAsset(c, readAsset(file), IMMUTABLE))
  }
  // Modules that the script imports on demand, next to it; their names contain a hash of the content.
  for (const folder of ['', `/v${version}`])
    router.get(`${folder}/:file{page-preview\\.[0-9a-f]{8}\\.(js|css)}`, (c) =>
      sendAsset(c, readAsset(c.req.param('file')), IMMUTABLE),
    )

  router.get('/playground', (c) => c.redirect('/playground/'))
  router.get('/playground/examples.json', (c) =>
    sendCompressed(c, app, jsonBody(examples), { ...corsHeaders, 'cache-control': 'no-store' }),
  )
  router.get('/playground/*', (c) =>
    sendAsset(c, readPlayground(c.req.path.slice('/playground/'.length)), 'no-cache', PLAYGROUND_HEADERS),
  )
}

interface CachedFile {
  body: ResponseBody
  /** Modification time of the file when it was read. */
  modifiedMs: number
}

/**
 * Reads files below a folder, with a cache that is checked against their modification time.
 *
 * @returns  A function from a path to its body; an empty path, or one with a trailing slash, leads to `index.html`. `undefined` if
 *           there is no file.
 */
function openAssetFiles(root: string): (path: string) => Promise<ResponseBody | undefined> {
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
