import type { Context } from 'hono'
import type { AppOptions } from './app-options.js'
import { openAssetFiles } from './asset-files.js'
import { corsHeaders } from './cors.js'
import { notFoundError } from './error-response.js'
import { jsonBody } from './response-body.js'
import type { Router, RouterEnv } from './router.js'
import { createCompressedSender } from './send-body.js'

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
export function assetRoutes(router: Router, { assetsDir, playgroundDir, version, examples }: AppOptions): void {
  const readAsset = openAssetFiles(assetsDir)
  const readPlayground = openAssetFiles(playgroundDir)
  const sendCompressed = createCompressedSender()

  async function sendAsset(
    c: Context<RouterEnv>,
    file: ReturnType<typeof readAsset>,
    cacheControl: string,
    extraHeaders: Record<string, string> = {},
  ): Promise<Response> {
    const body = await file
    if (!body) throw notFoundError(c.req.path)
    return sendCompressed(c, body, { ...ASSET_HEADERS, ...extraHeaders, 'cache-control': cacheControl })
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
    sendCompressed(c, jsonBody(examples), { ...corsHeaders, 'cache-control': 'no-store' }),
  )
  router.get('/playground/*', (c) =>
    sendAsset(c, readPlayground(c.req.path.slice('/playground/'.length)), 'no-cache', PLAYGROUND_HEADERS),
  )
}
