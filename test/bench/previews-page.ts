import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { bundlePage } from './bundle-page.js'

/** A page that mounts a hundred plain images or previews, and the service that it requests. */
export interface PreviewsPage {
  url: string
  /** Requests to the service so far. */
  requestCount: () => number
  stop: () => Promise<void>
}

const root = join(import.meta.dirname, '../..')
const screenshot = {
  width: 2560,
  height: 1600,
  type: 'webp',
  size: 53_300,
  size_pretty: '53.3 kB',
  background_color: '#ffffff',
}
const HTML =
  '<!doctype html><link rel="stylesheet" href="/styles.css">' +
  '<style>figure,.page-preview{width:400px}figure img{max-width:100%;height:auto}</style>' +
  '<div id="root"></div><script type="module" src="/page.js"></script>'

const CODE = `
  import { flushSync } from 'react-dom'
  import { createRoot } from 'react-dom/client'
  import { PagePreview } from './dist/react/index.js'
  const urls = Array.from({ length: 100 }, (_, at) => 'https://site' + at + '.example/')
  const lists = {
    plain: (url, at) => <figure key={url}><img src={'/images/' + at + '.webp'} width="1280" height="800" alt={url} loading="lazy" /></figure>,
    previews: (url) => <PagePreview key={url} url={url} screenshot endpoint="/service" />,
  }
  window.mount = (kind) => flushSync(() => createRoot(document.getElementById('root')).render(urls.map(lists[kind])))
`

/** Bundles the built package with React for production, and serves it on a free port. */
export async function startPreviewsPage(): Promise<PreviewsPage> {
  const image = await createImage()
  const files = new Map<string, string>([
    ['/', HTML],
    ['/styles.css', await readFile(join(root, 'dist/styles.css'), 'utf8')],
    ...(await bundlePage(CODE)).map(([name, text]): [string, string] => [`/${name}`, text]),
  ])
  let requestCount = 0
  const server = createServer(({ url = '/' }, response) => {
    const { pathname, searchParams } = new URL(url, 'http://page.test')
    if (pathname === '/service') requestCount++
    const body =
      pathname === '/service'
        ? serviceResponse(searchParams.get('url'))
        : pathname.startsWith('/images/')
          ? image
          : files.get(pathname)
    response.writeHead(body ? 200 : 404, { 'content-type': typeOf(pathname) }).end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}/`, requestCount: () => requestCount, stop: () => close(server) }
}

/** As wide as a card on a screen of 2 dppx, and with as much in it as a screenshot. */
function createImage(): Promise<Buffer> {
  const lines = Array.from(
    { length: 60 },
    (_, line) => `<text x="20" y="${40 + 8 * line}">${'Tide tables '.repeat(12)}</text>`,
  )
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="804" height="503" font-size="9">
    <rect width="804" height="503" fill="#f6f1e5"/>${lines.join('')}</svg>`
  return sharp(Buffer.from(svg)).webp().toBuffer()
}

/** Each page has its own image, which the browser decodes by itself. */
function serviceResponse(pageUrl: string | null): string {
  const [page] = /\d+/.exec(pageUrl ?? '') ?? []
  const data = {
    title: 'Tides',
    description: 'When the water comes.',
    screenshot: { ...screenshot, url: `/images/${page}.webp` },
  }
  return JSON.stringify({ status: 'success', data, statusCode: 200, headers: {}, redirects: [] })
}

const TYPES: Readonly<Record<string, string>> = { css: 'text/css', js: 'text/javascript', webp: 'image/webp' }

const typeOf = (path: string) =>
  path === '/service' ? 'application/json' : (TYPES[path.split('.')[1] ?? ''] ?? 'text/html')

function close(server: Server): Promise<void> {
  server.closeAllConnections()
  return new Promise((resolve) => server.close(() => resolve()))
}
