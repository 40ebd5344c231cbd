import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { build, createBuilder, createServer, type Plugin, type Rolldown } from 'vite'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import pagePreview from '../../../src/static/plugins/vite.js'
import { readLock } from '../../../src/static/freeze/index.js'
import { fakeSource, unreachable } from '../freeze/fake-source.js'
import { pageWith, temporarySite } from '../freeze/temporary-site.js'

const URL = 'https://example.com/'

it('writes cards into the pages of a build, and gives data to its code, with images in the build', async () => {
  const site = await temporarySite({
    'index.html': pageWith(URL).replace('</body>', '<script type="module" src="/main.js"></script></body>'),
    'main.js': `import previews from 'virtual:page-preview'\nglobalThis.previews = previews\n`,
  })
  const { source, captured } = fakeSource()
  const { lock, cache } = site.paths
  const previews = ['https://example.com/code', { url: 'https://example.com/shot', screenshot: true }]
  const output = (await build({
    root: site.dir,
    logLevel: 'silent',
    plugins: [pagePreview({ lock, cache, source, previews })],
  })) as Rolldown.RolldownOutput
  const page = await site.read('dist/index.html')
  expect(page).toContain('Title of https://example.com/')
  expect(captured.toSorted()).toEqual([URL, 'https://example.com/code', 'https://example.com/shot'])
  const { code } = output.output.find((file) => file.type === 'chunk')!
  const [, image] = /\/page-preview\/([\w.]+\.webp)/.exec(code)!
  const files = Object.keys(await site.snapshot())
  expect(files).toContain(join(site.dir, 'dist/page-preview', image!))
})

/** A site whose code imports the data of previews, and whose page has none. */
async function siteWithCode() {
  const site = await temporarySite({
    'index.html': pageWith().replace('</body>', '<script type="module" src="/main.js"></script></body>'),
    'main.js': `import previews from 'virtual:page-preview'\nglobalThis.previews = previews\n`,
  })
  const { lock, cache } = site.paths
  const config = (options: Parameters<typeof pagePreview>[0]) => ({
    root: site.dir,
    configFile: false as const,
    logLevel: 'silent' as const,
    plugins: [pagePreview({ lock, cache, ...options })],
  })
  return { ...site, config }
}

const withoutImage = () => fakeSource({ [URL]: { data: { title: 'Text only' } } }).source

it('keeps the data of previews that have no image in the lock file', async () => {
  const { config, paths } = await siteWithCode()
  await build(config({ source: withoutImage(), previews: [URL] }))
  expect((await readLock(paths.lock)).size).toBe(1)
  await build(config({ source: withoutImage() }))
  expect((await readLock(paths.lock)).size).toBe(1)
})

it('keeps the data of `previews` while no code imports it, and removes data that nothing uses', async () => {
  const { config, paths, write } = await siteWithCode()
  await build(config({ source: withoutImage(), previews: [URL] }))
  await write('main.js', 'globalThis.site = true\n')
  await build(config({ source: withoutImage(), previews: [URL] }))
  expect((await readLock(paths.lock)).size).toBe(1)
  await build(config({ source: withoutImage() }))
  expect((await readLock(paths.lock)).size).toBe(0)
})

it('fails a strict build for a dead link in `previews`, and no other build', async () => {
  vi.spyOn(console, 'warn').mockImplementation(() => undefined)
  const { config } = await siteWithCode()
  const { source } = fakeSource({ [URL]: { error: unreachable() } })
  await build(config({ source, previews: [URL] }))
  await expect(build(config({ source, previews: [URL], strict: true }))).rejects.toThrow('1 previewed link is dead')
})

it('serves only the images of the data in development, before a proxy of the same path', async () => {
  const { config } = await siteWithCode()
  const server = await createServer({
    ...config({ source: fakeSource().source, previews: [{ url: URL, screenshot: true }] }),
    base: '/app/',
    server: { port: 0, proxy: { '/app/page-preview': 'http://127.0.0.1:1' } },
  })
  onTestFinished(() => server.close())
  await server.listen()
  const request = (path: string, method = 'GET') =>
    fetch(new globalThis.URL(path, server.resolvedUrls!.local[0]), { method })
  const { code } = (await server.transformRequest('virtual:page-preview'))!
  const [image] = /\/app\/page-preview\/[\w.]+\.webp/.exec(code)!
  const response = await request(`${image}?v=1`)
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toBe('image/webp')
  expect(await response.text()).toMatch(/^https:\/\/example\.com\/ screenshot/)
  const head = await request(image, 'HEAD')
  expect([head.status, await head.text()]).toEqual([200, ''])
  // The proxy has no server behind it.
  expect((await request(image, 'POST')).status).toBe(502)
  expect((await request('/app/page-preview/0123456789abcdef.640.webp')).status).toBe(502)
  expect((await request('/app/page-preview/..%2f..%2fpage-preview.lock.json')).status).toBe(502)
})

describe('the pages of a framework', () => {
  const STALE = pageWith('https://example.com/stale')

  /** A site whose framework writes its page when `plugin` says so, with the page of an earlier build. */
  async function siteOf(plugin: (writePage: () => Promise<void>) => Plugin) {
    const site = await temporarySite({ 'main.js': 'globalThis.site = true\n', 'pages/index.html': STALE })
    const { source, captured } = fakeSource()
    const { lock, cache } = site.paths
    const writePage = async () => {
      await mkdir(join(site.dir, 'pages'), { recursive: true })
      await writeFile(join(site.dir, 'pages/index.html'), pageWith(URL))
    }
    const config = (input: string) => ({
      root: site.dir,
      configFile: false as const,
      logLevel: 'silent' as const,
      plugins: [plugin(writePage), pagePreview({ lock, cache, source, dir: 'pages' })],
      build: { rollupOptions: { input: join(site.dir, input) } },
    })
    return { ...site, captured, config }
  }

  it('have cards where it writes them with what it builds for the server, after a build for the browser', async () => {
    const { config, read, captured } = await siteOf((writePage) => {
      let isServer = false
      return {
        name: 'framework',
        configResolved: ({ build: { ssr } }) => void (isServer = Boolean(ssr)),
        closeBundle: { sequential: true, handler: () => (isServer ? writePage() : undefined) },
      }
    })
    await build(config('main.js'))
    expect(captured).toEqual([])
    await build({ ...config('main.js'), build: { ssr: 'main.js' } })
    expect(captured).toEqual([URL])
    expect(await read('pages/index.html')).toContain(`Title of ${URL}`)
  })

  it('have cards where it writes them after all environments are built', async () => {
    const { config, read, captured } = await siteOf((writePage) => ({
      name: 'framework',
      buildApp: {
        order: 'post',
        async handler(builder) {
          await builder.build(builder.environments['client']!)
          await writePage()
        },
      },
    }))
    const builder = await createBuilder({ ...config('main.js'), builder: {} })
    await builder.buildApp()
    expect(captured).toEqual([URL])
    expect(await read('pages/index.html')).toContain(`Title of ${URL}`)
  })
})
