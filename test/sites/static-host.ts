import { existsSync, readFileSync, statSync } from 'node:fs'
import { extname, join } from 'node:path'
import { contentTypeOf } from '../apps/content-type-of.js'
import { listenAsHost, type AppHost } from '../apps/listen-as-host.js'

/**
 * Serves a folder of files like a host of static sites, where `/links` is `links.html` or `links/index.html`.
 *
 * @param policyOf  The content security policy of a page, by its HTML.
 */
export const staticHost = (dir: string, policyOf: (html: string) => string): Promise<AppHost> =>
  listenAsHost((request, response) => {
    const path = fileFor(dir, decodeURIComponent(new URL(request.url!, 'http://site.test').pathname))
    if (path === undefined) {
      response.writeHead(404).end()
      return
    }
    const bytes = readFileSync(path)
    response.writeHead(200, {
      'content-type': contentTypeOf(path),
      ...(extname(path) === '.html' && { 'content-security-policy': policyOf(bytes.toString()) }),
    })
    response.end(bytes)
  })

const fileFor = (dir: string, pathname: string): string | undefined =>
  [pathname, `${pathname}.html`, join(pathname, 'index.html')]
    .map((path) => join(dir, path))
    .find((path) => existsSync(path) && statSync(path).isFile())
