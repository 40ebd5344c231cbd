import { once } from 'node:events'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join } from 'node:path'
import type { AppHost } from './app-host.js'

const TYPES: Readonly<Record<string, string>> = {
  '.avif': 'image/avif',
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.jpg': 'image/jpeg',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
}

/**
 * Serves a folder of files like a host of static sites, where `/links` is `links.html` or `links/index.html`.
 *
 * @param policyOf  The content security policy of a page, by its HTML.
 */
export async function staticHost(dir: string, policyOf: (html: string) => string): Promise<AppHost> {
  const server = createServer((request, response) => {
    const path = fileFor(dir, decodeURIComponent(new URL(request.url!, 'http://site.test').pathname))
    if (path === undefined) {
      response.writeHead(404).end()
      return
    }
    const bytes = readFileSync(path)
    const extension = extname(path)
    response.writeHead(200, {
      'content-type': TYPES[extension] ?? 'application/octet-stream',
      ...(extension === '.html' && { 'content-security-policy': policyOf(bytes.toString()) }),
    })
    response.end(bytes)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

const fileFor = (dir: string, pathname: string): string | undefined =>
  [pathname, `${pathname}.html`, join(pathname, 'index.html')]
    .map((path) => join(dir, path))
    .find((path) => existsSync(path) && statSync(path).isFile())
