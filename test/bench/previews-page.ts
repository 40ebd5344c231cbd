import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { bundlePage } from './bundle-page.js'

/** A page that mounts a hundred plain images or previews, and the service that it requests. */
export interface PreviewsPage {
  url: string
  /** Requests to the service so far. */
  requestCount: () => number
  stop: () => Promise<void>
}

const root = join(import.meta.dirname, '../..')
const IMAGE = '<svg xmlns="http://www.w3.org/2000/svg" width="1280" height="800"/>'
const screenshot = {
  url: '/image.svg',
  width: 2560,
  height: 1600,
  type: 'png',
  size: 53_300,
  size_pretty: '53.3 kB',
  background_color: '#ffffff',
}
const RESPONSE_BODY = JSON.stringify({
  status: 'success',
  data: { title: 'Tides', description: 'When the water comes.', screenshot },
  statusCode: 200,
  headers: {},
  redirects: [],
})
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
    plain: (url) => <figure key={url}><img src="/image.svg" width="1280" height="800" alt={url} loading="lazy" /></figure>,
    previews: (url) => <PagePreview key={url} url={url} screenshot hosts="/service" />,
  }
  window.mount = (kind) => flushSync(() => createRoot(document.getElementById('root')).render(urls.map(lists[kind])))
`

/** Bundles the built package with React for production, and serves it on a free port. */
export async function startPreviewsPage(): Promise<PreviewsPage> {
  const files = new Map<string, string>([
    ['/', HTML],
    ['/image.svg', IMAGE],
    ['/styles.css', await readFile(join(root, 'dist/styles.css'), 'utf8')],
    ...(await bundlePage(CODE)).map(([name, text]): [string, string] => [`/${name}`, text]),
  ])
  let requestCount = 0
  const server = createServer(({ url = '/' }, response) => {
    const { pathname } = new URL(url, 'http://page.test')
    if (pathname === '/service') requestCount++
    const body = pathname === '/service' ? RESPONSE_BODY : files.get(pathname)
    response.writeHead(body ? 200 : 404, { 'content-type': typeOf(pathname) }).end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}/`, requestCount: () => requestCount, stop: () => close(server) }
}

const TYPES: Readonly<Record<string, string>> = { css: 'text/css', js: 'text/javascript', svg: 'image/svg+xml' }

const typeOf = (path: string) =>
  path === '/service' ? 'application/json' : (TYPES[path.split('.')[1] ?? ''] ?? 'text/html')

function close(server: Server): Promise<void> {
  server.closeAllConnections()
  return new Promise((resolve) => server.close(() => resolve()))
}
