// Covers which requests inside of an HTTP/2 tunnel, where the proxy counts one connection, are counted for a capture.
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createSecureServer, type Http2SecureServer } from 'node:http2'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest'
import { captureLimits, createCaptureBudget } from '../../../src/server/budget/index.js'
import { createGuard } from '../../../src/server/network/index.js'
import { startEgressProxy } from '../../../src/server/network/egress-proxy.js'
import { certificate } from '../network/test-certificate.js'
import { startTestBrowser, type TestBrowser } from './test-browser.js'

const REQUESTS = 4_000
const WORKERS = 15
const MAX_REQUESTS = captureLimits.requests

const flood = `(async () => { for (let n = 0; n < ${REQUESTS}; n++) { fetch('/other?' + n).catch(() => {}); if (n % 50 === 0) await new Promise((resolve) => setTimeout(resolve, 5)) } })()`
const scripts: Record<string, string> = {
  '/flood.js': flood,
  '/shared.js': `onconnect = () => {}; ${flood}`,
  '/nested.js': `new Worker('/flood.js')`,
  '/ready.js': `postMessage('ready')`,
}
/** The page is told when its budget is used up, and then shows an element that the capture waits for. */
const WATCH = `<body>Flooding<script>addEventListener('offline', () => (document.body.id = 'offline'))</script>`
const pages: Record<string, string> = {
  '/page': `<script>${flood}</script>`,
  '/worker': `<script>new Worker('/flood.js')</script>`,
  '/nested': `<script>new Worker('/nested.js')</script>`,
  '/shared': `<script>new SharedWorker('/shared.js')</script>`,
  '/service': `<script>navigator.serviceWorker.register('/flood.js')</script>`,
  '/frame': `<iframe src="https://localhost:PORT/page"></iframe>`,
  '/workers': `<script>
    let ready = 0
    const onmessage = () => (document.body.id = ++ready === ${WORKERS} ? 'ready' : '')
    for (let n = 0; n < ${WORKERS}; n++) Object.assign(new Worker('/ready.js'), { onmessage })
  </script>`,
  '/frame-worker': `<iframe src="https://localhost:PORT/worker"></iframe>`,
}

let server: Http2SecureServer
let browser: TestBrowser
let requests = 0
let port: number
let dir: string
beforeAll(async () => {
  server = createSecureServer(certificate, (request, response) => {
    const path = request.url.split('?')[0]!
    if (path === '/other') requests++
    const type = scripts[path] ? 'text/javascript' : 'text/html'
    response.writeHead(200, { 'content-type': type })
    const page = pages[path] && WATCH + pages[path].replace('PORT', String(port))
    response.end(scripts[path] ?? page ?? 'x')
  })
  await new Promise<void>((resolve) => server.listen(0, resolve))
  ;({ port } = server.address() as AddressInfo)
  dir = await mkdtemp(join(tmpdir(), 'page-preview-http2-'))
  const executable = join(dir, 'chromium')
  await writeFile(executable, `#!/bin/sh\nexec "${process.env.CHROMIUM_PATH}" --ignore-certificate-errors "$@"\n`)
  await chmod(dir, 0o755)
  await chmod(executable, 0o755)
  const guard = createGuard({ allowTargets: [`127.0.0.1:${port}`, `localhost:${port}`] })
  browser = await startTestBrowser(
    {},
    {
      executable,
      allowUnsandboxed: true,
      allowTargets: [`127.0.0.1:${port}`, `localhost:${port}`],
      openProxy: async () => {
        const budget = createCaptureBudget()
        return { ...(await startEgressProxy(guard, { budget })), budget }
      },
    },
  )
}, 60_000)
afterAll(async () => {
  await browser.close()
  server.close()
  await rm(dir, { recursive: true })
})

it.each(Object.keys(pages).filter((path) => path !== '/workers'))(
  'counts the requests of %s',
  async (path) => {
    requests = 0
    const url = `https://127.0.0.1:${port}${path}`
    const { warnings } = await browser.capture('', { url, waitForSelector: '#offline' })
    expect(warnings).toEqual(expect.arrayContaining([expect.stringContaining('the network limit of a capture')]))
    expect(requests).toBeLessThanOrEqual(MAX_REQUESTS)
  },
  30_000,
)

it('counts the requests of many workers, without a warning of Node', async () => {
  const onWarning = vi.fn()
  process.on('warning', onWarning)
  onTestFinished(() => void process.off('warning', onWarning))
  await browser.capture('', { url: `https://127.0.0.1:${port}/workers`, waitForSelector: '#ready' })
  expect(onWarning).not.toHaveBeenCalled()
}, 30_000)
