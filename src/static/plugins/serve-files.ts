import { getMimeType } from 'hono/utils/mime'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { ASSETS_FOLDER } from '../freeze/index.js'

/** The part of Vite's development server that is used. */
export interface DevServer {
  config: { base: string }
  middlewares: { use(middleware: Middleware): unknown }
}

type Middleware = (request: IncomingMessage, response: ServerResponse, next: () => void) => void

/**
 * Serves files below `page-preview`, which only a build writes. Call it in `configureServer` and not in the function that this
 * hook may return, so that it comes before the proxy: sites forward the same path to a service.
 *
 * @param files  The files so far, by name.
 */
export function serveFiles(server: DevServer, files: () => ReadonlyMap<string, string | Uint8Array>): void {
  const folder = `${server.config.base}${ASSETS_FOLDER}/`
  server.middlewares.use(({ method, url = '' }, response, next) => {
    const [path = ''] = url.split('?', 1)
    if (!path.startsWith(folder) || (method !== 'GET' && method !== 'HEAD')) return next()
    const name = path.slice(folder.length)
    const content = files().get(name)
    if (content === undefined) return next()
    response.setHeader('content-type', getMimeType(name) ?? 'application/octet-stream')
    response.setHeader('content-length', Buffer.byteLength(content))
    response.end(method === 'HEAD' ? undefined : content)
  })
}
