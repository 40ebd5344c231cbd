import type { Context } from 'hono'
import { getMimeType } from 'hono/utils/mime'
import { LRUCache } from 'lru-cache'
import { readFile, stat } from 'node:fs/promises'
import { join, normalize, sep } from 'node:path'
import { imageWidths } from '../../card/index.js'
import { invalidParameter } from '../../query/help/index.js'
import { fields } from '../../query/index.js'
import { MAX_TILES, variantTypes, type VariantParameters } from '../media/index.js'
import { ignoreCodes } from '../node-errors.js'
import { version } from '../version.js'
import type { AppParts } from './app-parts.js'
import { sendCompressed } from './content-coding.js'
import { playgroundPath, type Router, type RouterEnv } from './request-scopes.js'
import {
  assetHeaders,
  cachedBriefly,
  contentHeaders,
  corsHeaders,
  fileHeaders,
  immutable,
  isPublicImageName,
  playgroundHeaders,
} from './response-headers.js'
import { fileBody, jsonBody, notFoundError, sendBody, type ResponseBody } from './response.js'

const CACHE_BYTES = 16 * 1024 * 1024

/** The files that the service has: stored images, the script tag, and the playground. */
export function fileRoutes(router: Router, parts: AppParts): void {
  imageRoute(router, parts)
  scriptRoutes(router, parts)
  playgroundRoutes(router, parts)
}

/** `/images/<name>`: stored images, and with parameters their variants, which count for the key of the request. */
function imageRoute(router: Router, { store, variants, scopes }: AppParts): void {
  router.get('/images/:name', async (c) => {
    const image = c.req.param('name')
    if (!isPublicImageName(image)) throw notFoundError(c.req.path)
    const parameters = parseVariant(new URL(c.req.url).searchParams)
    const isVariant = Object.values(parameters).some((value) => value !== undefined)
    const variant = isVariant
      ? await scopes.runWithKey(await scopes.openForImage(c), (caller) => variants.resolve(image, parameters, caller))
      : { image }
    const body = variant && (await fileBody(variant.image, store.images, () => fileHeaders(variant.image)))
    if (!body) throw notFoundError(c.req.path)
    return sendBody(c.req.raw, body, { ...corsHeaders, ...immutable })
  })
}

/** @throws {PageError} `EINVALQUERY` for a width or type that is not offered, and for a limit out of range. */
function parseVariant(parameters: URLSearchParams): VariantParameters {
  const offeredValue = <Value extends string | number>(name: 'w' | 'type', values: readonly Value[]) => {
    const text = parameters.get(name)
    const value = values.find((each) => String(each) === text)
    if (text !== null && value === undefined) throw invalidParameter(name, `must be one of ${values.join(', ')}`)
    return value
  }
  const number = (name: string, min: number, max: number) => {
    const text = parameters.get(name)
    if (text === null) return undefined
    if (/^\d{1,9}$/.test(text) && Number(text) >= min && Number(text) <= max) return Number(text)
    throw invalidParameter(name, `must be a whole number from ${min} to ${max}`)
  }
  const limit = (name: 'maxSide' | 'maxBytes') => {
    const { min, max } = fields[`variant.${name}`]
    return number(name, min, max)
  }
  return {
    width: offeredValue('w', imageWidths),
    maxSide: limit('maxSide'),
    maxBytes: limit('maxBytes'),
    type: offeredValue('type', variantTypes),
    tile: number('tile', 0, MAX_TILES - 1),
  }
}

/** The script tag with its stylesheet and modules. */
function scriptRoutes(router: Router, parts: AppParts): void {
  const readAsset = openAssetFiles(parts.assetsDir)
  const latestHeaders = { ...assetHeaders, ...cachedBriefly }
  const versionHeaders = { ...assetHeaders, ...immutable }
  for (const file of ['page-preview.js', 'page-preview.css']) {
    router.get(`/${file}`, (c) => sendAsset(c, parts, readAsset(file), latestHeaders))
    router.get(`/v${version}/${file}`, (c) => sendAsset(c, parts, readAsset(file), versionHeaders))
  }
  // Modules that the script imports on demand, next to it; their names contain a hash of the content.
  for (const folder of ['', `/v${version}`])
    router.get(`${folder}/:file{page-preview\\.[0-9a-f]{8}\\.(js|css)}`, (c) =>
      sendAsset(c, parts, readAsset(c.req.param('file')), versionHeaders),
    )
}

function playgroundRoutes(router: Router, parts: AppParts): void {
  const readPlayground = openAssetFiles(parts.playgroundDir)
  router.get('/playground', (c) => c.redirect(playgroundPath(c.var.request)))
  router.get('/playground/examples.json', (c) =>
    sendCompressed(c, parts, jsonBody(parts.settings.examples), { ...corsHeaders, 'cache-control': 'no-store' }),
  )
  router.get('/playground/*', (c) =>
    sendAsset(c, parts, readPlayground(c.req.path.slice('/playground/'.length)), playgroundHeaders),
  )
}

async function sendAsset(
  c: Context<RouterEnv>,
  parts: AppParts,
  file: Promise<ResponseBody | undefined>,
  headers: Record<string, string>,
): Promise<Response> {
  const body = await file
  if (!body) throw notFoundError(c.req.path)
  return sendCompressed(c, parts, body, headers)
}

/**
 * Reads files below a folder, with a cache that is checked against their modification time.
 *
 * @returns  A function from a path to its body; an empty path, or one with a trailing slash, leads to `index.html`. `undefined` if
 *           there is no file.
 */
function openAssetFiles(root: string): (path: string) => Promise<ResponseBody | undefined> {
  const cache = new LRUCache<string, { body: ResponseBody; modifiedMs: number }>({
    maxSize: CACHE_BYTES,
    sizeCalculation: ({ body }) => body.bytes.byteLength + 1,
  })
  return async (requestPath) => {
    const path = normalize(join(root, /(^|\/)$/.test(requestPath) ? `${requestPath}index.html` : requestPath))
    if (!path.startsWith(root + sep) || path.includes('\0')) return undefined
    const stats = await stat(path).catch(ignoreCodes('ENOENT', 'ENOTDIR', 'ENAMETOOLONG'))
    if (!stats?.isFile()) return undefined
    const cached = cache.get(path)
    if (cached?.modifiedMs === stats.mtimeMs) return cached.body
    const bytes = new Uint8Array(await readFile(path))
    const type = getMimeType(path) ?? 'application/octet-stream'
    const body = { bytes, headers: contentHeaders(bytes, type) }
    cache.set(path, { body, modifiedMs: stats.mtimeMs })
    return body
  }
}
