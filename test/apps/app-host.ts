import { getRequestListener } from '@hono/node-server'
import { once } from 'node:events'
import { createReadStream, existsSync, statSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join } from 'node:path'
import { createProxy, type ProxyOptions } from '../../src/proxy/index.js'

export interface AppHost {
  /** Without trailing slash. */
  url: string
  close(): Promise<void>
}

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
}

/**
 * Serves a built app like a static host, under a strict content security policy and with the proxy at `/page-preview`.
 *
 * @param policy  Content security policy of its pages; absent when they contain their own.
 */
export async function appHost(dir: string, policy: string | undefined, proxied: ProxyOptions): Promise<AppHost> {
  const previews = getRequestListener(createProxy(proxied))
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url!, 'http://app.test')
    if (pathname.startsWith('/page-preview')) void previews(request, response)
    else sendFile(join(dir, pathname.endsWith('/') ? `${pathname}index.html` : pathname), policy, response)
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

function sendFile(path: string, policy: string | undefined, response: ServerResponse): void {
  if (!existsSync(path) || !statSync(path).isFile()) return void response.writeHead(404).end()
  response.writeHead(200, {
    'content-type': TYPES[extname(path)] ?? 'application/octet-stream',
    ...(policy && { 'content-security-policy': policy }),
  })
  createReadStream(path).pipe(response)
}
