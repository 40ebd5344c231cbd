// Covers the HTML of README.md and stories/docs, and the first React component of both: they run as pasted, against the service as
// it is built, with only the addresses replaced by the addresses of this test.
import react from '@vitejs/plugin-react'
import { join } from 'node:path'
import type { Browser, Page } from 'puppeteer-core'
import { build, type Rolldown } from 'vite'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openPage } from '../end-to-end/open-page.js'
import { localSite, type LocalSite } from '../local-site.js'
import { launchChromium } from '../shared/launch-chromium.js'
import { isSlowRun, slowCases } from '../shared/slow-cases.js'
import { startService, type StartedService } from '../shared/start-service.js'
import { readDocs, root, type CodeBlock } from './read-docs.js'

const blocks = readDocs().flatMap((page) => page.blocks)
const isPlain = ({ name }: { name: string }) => isSlowRun || name.startsWith('README.md')
const htmlBlocks = blocks.filter(({ language }) => language === 'html').filter(isPlain)
const components = slowCases('README.md', 'stories/docs/getting-started.mdx').map((page) =>
  blocks.find((block) => block.page === page && block.language === 'tsx')!,
)

let ownSite: LocalSite
let service: StartedService
let demo: string
let chromium: Browser

beforeAll(async () => {
  ownSite = await localSite({})
  service = await startService('--demo')
  const examples = (await (await fetch(`${service.free}/playground/examples.json`)).json()) as { url: string }[]
  demo = new URL(examples[0]!.url).origin
  chromium = await launchChromium()
})
afterAll(async () => {
  await chromium.close()
  await service.stop()
  await ownSite.close()
})

it.each(components.map((block): [string, CodeBlock] => [block.name, block]))(
  'shows the card of the first React component at %s',
  async (_, { code }) => {
    const { script, styles } = await bundle(withLocalAddresses(code))
    const { page, complaints } = await open(
      `<style>${styles}</style><main></main><script type="module">${script}</script>`,
    )
    await untilCardIsReady(page)
    expect(complaints).toEqual([])
  },
)

it.each(htmlBlocks.map(({ name, code }): [string, string] => [name, code]))(
  'shows what the HTML at %s promises',
  async (_, code) => {
    const { page, complaints } = await open(withLocalAddresses(code))
    if (code.includes('/page-preview.js')) await page.waitForFunction(() => 'version' in (window.PagePreview ?? {}))
    if (/<page-preview|data-page-preview(?!=)/.test(code)) await untilCardIsReady(page)
    if (code.includes('<img')) await untilImageIsLoaded(page)
    if (code.includes('<iframe')) await untilFrameHasCard(page)
    expect(complaints).toEqual([])
  },
)

function withLocalAddresses(code: string): string {
  const page = `${demo}/`
  return code
    .replaceAll(/http:\/\/127\.0\.0\.1:3000|https:\/\/previews\.example\.com/g, service.free)
    .replaceAll('http://127.0.0.1:3002', demo)
    .replaceAll(/http%3A%2F%2F127\.0\.0\.1%3A3002/g, encodeURIComponent(demo))
    .replaceAll(/https%3A%2F%2Fexample\.com(%2F)?/g, encodeURIComponent(page))
    .replaceAll(/https:\/\/example\.com\/?/g, page)
    .replaceAll(/https:\/\/skerry\.example\/[\w/]*/g, page)
}

async function open(body: string) {
  ownSite.routes['/'] =
    `<!doctype html><html lang="en"><meta charset="utf-8"><title>Mine</title><link rel="icon" href="data:,"><body>${body}</body></html>`
  return openPage(chromium, `${ownSite.url}/`)
}

/** Builds a component that the block exports first, with the packages as they are built. */
async function bundle(code: string): Promise<{ script: string; styles: string }> {
  const [, name] = /export function (\w+)/.exec(code)!
  const sources: Record<string, string> = {
    'entry.jsx': `import { createRoot } from 'react-dom/client'
      import { ${name} } from '${root}/block.jsx'
      createRoot(document.querySelector('main')).render(<${name} />)`,
    'block.jsx': code,
  }
  const result = await build({
    configFile: false,
    logLevel: 'silent',
    root,
    resolve: {
      alias: [
        { find: /^page-preview$/, replacement: join(root, 'dist/react/index.js') },
        { find: 'page-preview/styles.css', replacement: join(root, 'dist/styles.css') },
      ],
    },
    plugins: [
      {
        name: 'blocks',
        enforce: 'pre',
        resolveId: (id) => (sources[id.replace(`${root}/`, '')] ? `${root}/${id.replace(`${root}/`, '')}` : undefined),
        load: (id) => sources[id.replace(`${root}/`, '')],
      },
      react(),
    ],
    build: { write: false, rolldownOptions: { input: 'entry.jsx', output: { codeSplitting: false } } },
  })
  const { output } = result as Rolldown.RolldownOutput
  const chunk = output.find((file) => file.type === 'chunk')!
  const asset = output.find((file) => file.type === 'asset' && file.fileName.endsWith('.css'))
  if (asset?.type !== 'asset') throw new TypeError('The block imports no stylesheet.')
  return { script: chunk.code.replaceAll('</script', '<\\/script'), styles: String(asset.source) }
}

/** The card is in the page, or in the shadow root of an element. */
const untilCardIsReady = (page: Page) =>
  page.waitForFunction(
    () => {
      const roots = [document, ...[...document.querySelectorAll('page-preview')].map((element) => element.shadowRoot)]
      const images = roots.map((root) => root?.querySelector<HTMLImageElement>('[data-status=ready] img.pp-image'))
      return images.some((image) => image?.complete && image.naturalWidth > 0)
    },
    { timeout: 20_000 },
  )

const untilImageIsLoaded = (page: Page) =>
  page.waitForFunction(() => [...document.images].some((image) => image.complete && image.naturalWidth > 0), {
    timeout: 20_000,
  })

async function untilFrameHasCard(page: Page): Promise<void> {
  const frame = await page.waitForFrame((candidate) => candidate.url().includes('embed=html'))
  await frame.waitForSelector('.pp-title', { timeout: 20_000 })
}
