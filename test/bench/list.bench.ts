// Covers a list of previews on a slow network with an empty browser cache: single requests, and lists of them.
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { chromium, type Browser } from 'playwright'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { localSite, type LocalSite } from '../local-site.js'
import { bundlePage } from './bundle-page.js'
import { startBuiltService, type Child } from './children.js'

interface Load {
  requests: number
  /** Milliseconds from navigation until the first card shows its page. */
  firstMs: number
  lastMs: number
}

const CARDS = 60
const ROUNDS = 7
/** Slow 4G. */
const NETWORK = {
  offline: false,
  latency: 150,
  downloadThroughput: 1_600_000 / 8,
  uploadThroughput: 750_000 / 8,
}
const KINDS = ['single', 'batch'] as const

let site: LocalSite
let service: Child
let pages: Server
let pagesUrl: string
let browser: Browser

beforeAll(async () => {
  site = await localSite({})
  for (let page = 0; page < CARDS; page++) site.routes[`/${page}`] = articleOf(page)
  service = await startBuiltService([`--allow-target=${site.host}`])
  const files = new Map([['/styles.css', await readFile(join(import.meta.dirname, '../../dist/styles.css'), 'utf8')]])
  for (const kind of KINDS) {
    files.set(
      `/${kind}/`,
      '<!doctype html><link rel="icon" href="data:,"><link rel="stylesheet" href="/styles.css"><div id="root"></div><script type="module" src="page.js"></script>',
    )
    for (const [name, code] of await bundlePage(codeOf(kind))) files.set(`/${kind}/${name}`, code)
  }
  pages = createServer(({ url = '/' }, response) => {
    const body = files.get(url)
    const type = url.endsWith('.js') ? 'text/javascript' : url.endsWith('.css') ? 'text/css' : 'text/html'
    response.writeHead(body === undefined ? 404 : 200, { 'content-type': type, 'content-encoding': 'gzip' })
    response.end(gzipSync(body ?? ''))
  })
  await new Promise<void>((resolve) => pages.listen(0, '127.0.0.1', resolve))
  pagesUrl = `http://127.0.0.1:${(pages.address() as AddressInfo).port}`
  browser = await chromium.launch({ executablePath: process.env.CHROMIUM_PATH, args: ['--no-sandbox'] })
})
afterAll(async () => {
  await browser.close()
  pages.closeAllConnections()
  await new Promise((resolve) => pages.close(resolve))
  await service.stop()
  await site.close()
})

const articleOf = (page: number) =>
  `<!doctype html><title>The tides of week ${page}</title><meta name="description" content="${`When the water comes, and how high it stands, day ${page}. `.repeat(3)}"><meta name="author" content="A. Keeper"><h1>Tides</h1>`

const codeOf = (kind: (typeof KINDS)[number]) => `
  import { createRoot } from 'react-dom/client'
  import { PagePreview, PagePreviewProvider } from './dist/react/index.js'
  import { createBatchFetch } from './dist/client/batch-fetch.js'
  const urls = Array.from({ length: ${CARDS} }, (_, page) => '${site.url}/' + page)
  createRoot(document.getElementById('root')).render(
    <PagePreviewProvider endpoint="${service.url}" ${kind === 'batch' ? 'fetch={createBatchFetch()}' : ''}>
      {urls.map((url) => <PagePreview key={url} url={url} layout="row" loading="eager" />)}
    </PagePreviewProvider>,
  )
`

async function load(kind: string): Promise<Load> {
  const context = await browser.newContext({ viewport: { width: 800, height: 800 } })
  const tab = await context.newPage()
  let requests = 0
  tab.on('request', (request) => {
    if (request.url().startsWith(service.url)) requests++
  })
  const devtools = await context.newCDPSession(tab)
  await devtools.send('Network.enable')
  await devtools.send('Network.emulateNetworkConditions', NETWORK)
  await tab.goto(`${pagesUrl}/${kind}/`, { waitUntil: 'commit' })
  const times = await tab.evaluate(UNTIL_ALL_READY, CARDS)
  await context.close()
  return { requests, ...times }
}

it('needs fewer requests in lists, and its first card is not later', async () => {
  const loads: Record<string, Load[]> = { single: [], batch: [] }
  for (const kind of KINDS) await load(kind)
  for (let round = 0; round < ROUNDS; round++) for (const kind of KINDS) loads[kind]!.push(await load(kind))
  const median = (kind: string, measure: keyof Load) =>
    loads[kind]!.map((each) => each[measure]).toSorted((a, b) => a - b)[Math.floor(ROUNDS / 2)]!
  const ratio = (measure: keyof Load) => Number((median('batch', measure) / median('single', measure)).toFixed(2))
  console.table(
    Object.fromEntries(
      (['requests', 'firstMs', 'lastMs'] as const).map((measure) => [
        measure,
        {
          single: Math.round(median('single', measure)),
          batch: Math.round(median('batch', measure)),
          ratio: ratio(measure),
        },
      ]),
    ),
  )
  expect(median('batch', 'requests')).toBe(2)
  expect.soft(ratio('firstMs')).toBeLessThanOrEqual(1.05)
  expect.soft(ratio('lastMs')).toBeLessThanOrEqual(1)
})

/** In the page: checks each frame. */
const UNTIL_ALL_READY = async (cards: number): Promise<Omit<Load, 'requests'>> => {
  const nextFrame = () => new Promise<number>((resolve) => requestAnimationFrame(resolve))
  const ready = () => document.querySelectorAll('.page-preview[data-status="ready"]').length
  let firstMs = 0
  for (;;) {
    const now = await nextFrame()
    if (!firstMs && ready() > 0) firstMs = now
    if (ready() === cards) return { firstMs, lastMs: now }
  }
}
