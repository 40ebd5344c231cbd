import { getRequestListener } from '@hono/node-server'
import { createReadStream, existsSync, statSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { join } from 'node:path'
import { createProxy, type ProxyOptions } from '../../src/proxy/index.js'
import { contentTypeOf } from './content-type-of.js'
import { listenAsHost, type AppHost } from './listen-as-host.js'

/**
 * Serves a built app like a static host, under a strict content security policy and with the proxy at `/page-preview`.
 *
 * @param policy  Content security policy of its pages; absent when they contain their own.
 */
export function appHost(dir: string, policy: string | undefined, proxied: ProxyOptions): Promise<AppHost> {
  const previews = getRequestListener(createProxy(proxied))
  return listenAsHost((request, response) => {
    const { pathname } = new URL(request.url!, 'http://app.test')
    if (pathname.startsWith('/page-preview')) void previews(request, response)
    else sendFile(join(dir, pathname.endsWith('/') ? `${pathname}index.html` : pathname), policy, response)
  })
}

function sendFile(path: string, policy: string | undefined, response: ServerResponse): void {
  if (!existsSync(path) || !statSync(path).isFile()) return void response.writeHead(404).end()
  response.writeHead(200, {
    'content-type': contentTypeOf(path),
    ...(policy && { 'content-security-policy': policy }),
  })
  createReadStream(path).pipe(response)
}
