import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { bundlePage } from './bundle-page.js'

/** Pages that show one image each, 402 pixels wide. */
export interface NetworkPages {
  urlOf: (page: string) => string
  stop: () => Promise<void>
}

interface PageSources {
  service: string
  target: string
}

const root = join(import.meta.dirname, '../..')

/** Elements that React renders, by page. */
const ELEMENTS: Readonly<Record<string, string>> = {
  'img by React': '<img src={image} width="402" height="251" alt="" />',
  PagePreview: '<PagePreview url={url} endpoint={endpoint} screenshot />',
  'PagePreview priority': '<PagePreview url={url} endpoint={endpoint} screenshot priority />',
  'PagePreview eager': '<PagePreview url={url} endpoint={endpoint} screenshot loading="eager" />',
  'PagePreview embed': '<PagePreview url={url} endpoint={endpoint} screenshot embed />',
  'PagePreview embed priority': '<PagePreview url={url} endpoint={endpoint} screenshot embed priority />',
  PageScreenshot: '<PageScreenshot url={url} endpoint={endpoint} className="shot" />',
  '@microlink/react': '<Microlink url={url} endpoint={endpoint} media="screenshot" size="large" />',
}

/** Bundles each page for production, and serves them all, compressed, on a free port. */
export async function startNetworkPages(sources: PageSources): Promise<NetworkPages> {
  const files = new Map<string, string>([['/styles.css', await readFile(join(root, 'dist/styles.css'), 'utf8')]])
  for (const [page, body] of Object.entries(plainPages(sources))) files.set(pathOf(page), html(body))
  for (const [page, element] of Object.entries(ELEMENTS)) {
    const scripts = await bundle(element, sources)
    for (const [name, code] of scripts) files.set(`${pathOf(page)}${name}`, code)
    const styles = page.startsWith('PagePreview') ? '<link rel="stylesheet" href="/styles.css">' : ''
    files.set(pathOf(page), html(`${styles}<div id="root"></div><script type="module" src="page.js"></script>`))
  }
  const server = createServer(({ url = '/' }, response) => {
    const body = files.get(decodeURIComponent(url))
    const headers = { 'content-type': typeOf(url), 'content-encoding': 'gzip' }
    response.writeHead(body === undefined ? 404 : 200, headers).end(gzipSync(body ?? ''))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    urlOf: (page) => `http://127.0.0.1:${port}${encodeURI(pathOf(page))}`,
    stop() {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}

const pathOf = (page: string) => `/${page}/`

export const imageUrl = ({ service, target }: PageSources): string =>
  `${service}/?url=${encodeURIComponent(target)}&screenshot=true&embed=screenshot.url`

/** Pages without React. */
function plainPages(sources: PageSources): Record<string, string> {
  const image = imageUrl(sources).replaceAll('&', '&amp;')
  const { service, target } = sources
  const img = (src: string) => `<img src="${src}" width="402" height="251" alt="">`
  return {
    'img, full size': img(image),
    'img, 640 pixels': img(`${image}&amp;variant.width=640`),
    'script tag': `<script async src="${service}/page-preview.js"></script><page-preview url="${target}" screenshot><a href="${target}">Tides</a></page-preview>`,
  }
}

const html = (body: string) =>
  `<!doctype html><link rel="icon" href="data:,"><style>main{width:402px}.shot{width:100%;height:auto}</style><main>${body}</main>`

/** The files of a page by name; `page.js` is the first to load. */
function bundle(element: string, { service, target }: PageSources): Promise<[string, string][]> {
  return bundlePage(`
    import { createRoot } from 'react-dom/client'
    ${element.startsWith('<Page') ? `import { PagePreview, PageScreenshot } from './dist/react/index.js'` : ''}
    ${element.startsWith('<Microlink') ? `import Microlink from '@microlink/react'` : ''}
    const [url, endpoint, image] = ${JSON.stringify([target, service, imageUrl({ service, target })])}
    createRoot(document.getElementById('root')).render(${element})
  `)
}

const typeOf = (path: string) =>
  path.endsWith('.js') ? 'text/javascript' : path.endsWith('.css') ? 'text/css' : 'text/html; charset=utf-8'
