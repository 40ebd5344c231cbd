import { serveStatic } from '@hono/node-server/serve-static'
import type { Context } from 'hono'
import { compress } from 'hono/compress'
import type { App, AppEnvironment, AppOptions } from './app-environment.js'
import { CORS } from './cors.js'

const SHORTLY = 'public, max-age=300'
const FOR_EVER = 'public, max-age=31536000, immutable'

/** The files that the build made: the script tag and the playground. */
export function assetRoutes(app: App, { assetsDir, version, examples }: AppOptions): void {
  const script = (cacheControl: string) =>
    serveStatic<AppEnvironment>({ root: assetsDir, path: 'page-preview.js', onFound: allowEverywhere(cacheControl) })

  app.use('/page-preview.js', compress())
  app.get('/page-preview.js', script(SHORTLY))
  app.use('/:version/page-preview.js', compress())
  app.get(`/v${version}/page-preview.js`, script(FOR_EVER))

  app.use('/playground/*', compress())
  app.get('/playground', (c) => c.redirect('/playground/'))
  app.get('/playground/examples.json', () =>
    Response.json(examples, { headers: { ...CORS, 'cache-control': 'no-store' } }),
  )
  app.get('/playground/*', serveStatic({ root: assetsDir, onFound: allowEverywhere('no-cache') }))
}

const allowEverywhere = (cacheControl: string) => (_: string, c: Context<AppEnvironment>) => {
  const headers = {
    ...CORS,
    'cache-control': cacheControl,
    'cross-origin-resource-policy': 'cross-origin',
    'x-content-type-options': 'nosniff',
  }
  for (const [name, value] of Object.entries(headers)) c.header(name, value)
}
