// Covers what an app wants of previews beyond the defaults, in a new app of Next: with the same client components as in apps of Vite,
// and with server components.
import { mkdir, rm, writeFile } from 'node:fs/promises'
import type { RequestListener } from 'node:http'
import { join } from 'node:path'
import { beforeAll, describe } from 'vitest'
import { freePort } from '../shared/free-port.js'
import { appServer } from './app-server.js'
import { appDir, buildApp } from './build-app.js'
import { listenAsHost } from './listen-as-host.js'
import { copyWishes, testWishes, type WishApp } from './wishes.js'

const FRESH_NEXT = appDir('fresh-next')
const APP = join(FRESH_NEXT, 'wishes')
const ENVIRONMENT = { NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1' }

/** Wishes whose components run on servers as they are. */
const SAME_ON_SERVERS = ['author', 'heading', 'shadcn-card', 'skeleton']

beforeAll(async () => {
  const wishes = await copyWishes(join(APP, 'copied'), "'use client'\n\n")
  await copyWishes(join(APP, 'copied-for-servers'))
  await writePages(
    'app/client',
    wishes,
    (file) => `'use client'\n\nexport { default } from '../../../copied/${file}'\n`,
  )
  await writePages(
    'app/server/(copied)',
    SAME_ON_SERVERS,
    (file) => `export { default } from '../../../../copied-for-servers/${file}'\n`,
  )
  await buildApp('fresh-next', {}, 'build:wishes')
})

async function writePages(folder: string, wishes: readonly string[], textOf: (file: string) => string): Promise<void> {
  await rm(join(APP, folder), { recursive: true, force: true })
  for (const wish of wishes) {
    const page = join(APP, folder, wish)
    await mkdir(page, { recursive: true })
    await writeFile(join(page, 'page.tsx'), textOf(wish === 'mdx' ? 'wish-mdx.mdx' : `wish-${wish}`))
  }
}

describe('in client components', () => {
  testWishes({ start: (previews) => serve('client', previews), name: 'next-client' })
})

describe('in server components', () => {
  testWishes({ start: (previews) => serve('server', previews), isOnServer: true, name: 'next-server' })
})

async function serve(folder: string, previews: RequestListener): Promise<WishApp> {
  const service = await listenAsHost(previews)
  const port = String(await freePort())
  const next = ['node_modules/next/dist/bin/next', 'start', 'wishes', '-H', '127.0.0.1', '-p', port]
  const host = await appServer(FRESH_NEXT, next, { ...ENVIRONMENT, PAGE_PREVIEW_ENDPOINT: service.url })
  return {
    urlOf: (wish) => `${host.url}/${folder}/${wish}`,
    async close() {
      await host.close()
      await service.close()
    },
  }
}
