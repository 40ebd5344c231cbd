import type { App, AppOptions } from './app-environment.js'
import { textBody } from './response-body.js'
import { openAssetFiles } from './asset-files.js'
import { createCompressor } from './compressor.js'
import { CORS } from './cors.js'
import { notFound } from './error-response.js'
import { sendBody } from './send-body.js'

const SHORTLY = 'public, max-age=300'
const FOR_EVER = 'public, max-age=31536000, immutable'

/** The files that the build made: the script tag and the playground. */
export function assetRoutes(app: App, { assetsDir, version, examples }: AppOptions): void {
  const readAsset = openAssetFiles(assetsDir)
  const compress = createCompressor()

  async function sendAsset(request: Request, path: string, cacheControl: string): Promise<Response> {
    const body = await readAsset(path)
    if (!body) throw notFound(new URL(request.url).pathname)
    return sendBody(request, body, { compress, headers: { ...EVERYWHERE, 'cache-control': cacheControl } })
  }

  for (const file of ['page-preview.js', 'page-preview.css']) {
    app.get(`/${file}`, (c) => sendAsset(c.req.raw, file, SHORTLY))
    app.get(`/v${version}/${file}`, (c) => sendAsset(c.req.raw, file, FOR_EVER))
  }
  // What the script brings when it is needed stands beside it, under names that change with the content.
  for (const folder of ['', `/v${version}`])
    app.get(`${folder}/:file{page-preview\\.[0-9a-f]{8}\\.(js|css)}`, (c) =>
      sendAsset(c.req.raw, c.req.param('file'), FOR_EVER),
    )

  app.get('/playground', (c) => c.redirect('/playground/'))
  app.get('/playground/examples.json', (c) => {
    const body = textBody(JSON.stringify(examples), 'application/json; charset=utf-8')
    return sendBody(c.req.raw, body, { compress, headers: { ...CORS, 'cache-control': 'no-store' } })
  })
  app.get('/playground/*', (c) => sendAsset(c.req.raw, c.req.path, 'no-cache'))
}

const EVERYWHERE = { ...CORS, 'cross-origin-resource-policy': 'cross-origin', 'x-content-type-options': 'nosniff' }
