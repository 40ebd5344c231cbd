// Covers what an app wants of previews beyond the defaults, in new apps of Vite with React 19 and its compiler, and with React 18.
import { createReadStream, existsSync } from 'node:fs'
import { cp } from 'node:fs/promises'
import type { RequestListener } from 'node:http'
import { join } from 'node:path'
import { describe } from 'vitest'
import { appDir, buildApp } from './build-app.js'
import { contentTypeOf } from './content-type-of.js'
import { listenAsHost } from './listen-as-host.js'
import { copyWishes, testWishes, type WishApp } from './wishes.js'

const POLICY = "default-src 'self'"

describe('with React 19', () => {
  testWishes({ start: (previews) => serve('fresh-vite', previews), name: 'react-19' })
})

describe('with React 18', () => {
  testWishes({
    async start(previews) {
      const app = appDir('react-18')
      await copyWishes(join(app, 'src/wishes'))
      await cp(join(appDir('fresh-vite'), 'wishes.html'), join(app, 'wishes.html'))
      return serve('react-18', previews)
    },
    name: 'react-18',
  })
})

/** Builds the wishes of an app of Vite, and serves them with previews below the path of a proxy. */
async function serve(name: string, previews: RequestListener): Promise<WishApp> {
  const app = appDir(name)
  await buildApp(name, {}, 'build:wishes')
  const host = await listenAsHost((request, response) => {
    const { pathname } = new URL(request.url!, 'http://app.test')
    const isMember = request.headers.cookie?.includes('session=mara')
    const file = join(app, 'dist-wishes', pathname)
    if (pathname.startsWith('/members/') && !isMember) response.writeHead(401).end('{}')
    else if (pathname.includes('/page-preview')) previews(request, response)
    else if (existsSync(file)) {
      response.writeHead(200, { 'content-type': contentTypeOf(file), 'content-security-policy': POLICY })
      createReadStream(file).pipe(response)
    } else response.writeHead(404).end()
  })
  return { urlOf: (wish) => `${host.url}/wishes.html?wish=${wish}`, close: () => host.close() }
}
