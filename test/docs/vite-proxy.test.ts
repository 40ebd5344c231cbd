// Covers the configuration of stories/docs/vite.mdx: a development server of Vite with it forwards previews to a service.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runInNewContext } from 'node:vm'
import { createServer, type UserConfig } from 'vite'
import { expect, it } from 'vitest'
import { localSite, type Route } from '../local-site.js'
import { freePort } from '../shared/free-port.js'
import { readDocs } from './read-docs.js'

it('requests previews and images at their paths of the service, with its own host', async () => {
  const echo: Route = ({ url, headers }, response) => response.end(`${headers.host} ${url}`)
  const service = await localSite({ '/': echo, '/images/a.jpg': echo })
  const { code } = readDocs()
    .find(({ path }) => path === 'stories/docs/vite.mdx')!
    .blocks.find(({ language }) => language === 'ts')!
  const script = code
    .replace(/^import .*$/m, '')
    .replace('export default defineConfig', '')
    .replace('http://127.0.0.1:3000', service.url)
  const { server } = runInNewContext(script) as UserConfig
  const root = await mkdtemp(join(tmpdir(), 'page-preview-vite-'))
  const port = await freePort()
  const vite = await createServer({
    configFile: false,
    root,
    logLevel: 'silent',
    server: { ...server, host: '127.0.0.1', port, strictPort: true },
  })
  await vite.listen()
  const textOf = async (path: string) => (await fetch(`http://127.0.0.1:${port}${path}`)).text()
  expect(await textOf('/page-preview?url=https://example.com')).toBe(`${service.host} /?url=https://example.com`)
  expect(await textOf('/page-preview/images/a.jpg?w=640')).toBe(`${service.host} /images/a.jpg?w=640`)
  await vite.close()
  await service.close()
  await rm(root, { recursive: true })
})
