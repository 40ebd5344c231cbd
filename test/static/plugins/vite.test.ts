import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { build, createBuilder, type Plugin, type Rolldown } from 'vite'
import { describe, expect, it } from 'vitest'
import pagePreview from '../../../src/static/plugins/vite.js'
import { fakeSource } from '../freeze/fake-source.js'
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
