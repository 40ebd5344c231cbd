// Covers target pages that send a byte now and then and never end, against the built service: `timeout` holds for them too.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { localSite, type LocalSite, type Route } from '../local-site.js'
import { timeWithoutPauses } from '../shared/time-without-pauses.js'
import { startInstance, type Instance } from './start-instance.js'

const TIMEOUT_MS = 8_000
const BYTE_INTERVAL_MS = 200
/** Beyond `timeout`. */
const MAX_DELAY_MS = 1_000

const drip =
  (head: () => string, contentType = 'text/html'): Route =>
  (_, response) => {
    response.writeHead(200, { 'content-type': contentType })
    response.write(head())
    const timer = setInterval(() => response.write(' '), BYTE_INTERVAL_MS)
    response.once('close', () => clearInterval(timer))
  }
const dripHeaders: Route = (_, response) => {
  const socket = response.socket!
  socket.write('HTTP/1.1 200 OK\r\ncontent-type: text/html\r\nx-slow: ')
  const timer = setInterval(() => socket.write('a'), BYTE_INTERVAL_MS)
  socket.once('close', () => clearInterval(timer))
}

let site: LocalSite
let service: Instance
beforeAll(async () => {
  site = await localSite({
    '/body': drip(() => '<title>Never ends</title><p>Text'),
    '/headers': dripHeaders,
    '/script': `<title>Page</title><meta name="description" content="Text."><script src="/drip.js"></script>`,
    '/drip.js': drip(() => '// ', 'text/javascript'),
    '/image': '<title>Page</title><meta property="og:image" content="/drip.png">',
    '/drip.png': drip(() => '\u0089PNG', 'image/png'),
  })
  service = await startInstance({ flags: [`--allow-target=${site.host}`, '--concurrency=8'] })
})
afterAll(async () => {
  await service.stop()
  await site.close()
})

// All at once, each with a slot of the browser.
it.concurrent.each<{ path: string; query: Record<string, string> }>([
  { path: '/body', query: {} },
  { path: '/headers', query: {} },
  { path: '/image', query: {} },
  { path: '/body', query: { screenshot: 'true' } },
  { path: '/headers', query: { screenshot: 'true' } },
  { path: '/script', query: { screenshot: 'true' } },
  { path: '/body', query: { screenshot: 'true', embed: 'screenshot.url' } },
  { path: '/image', query: { embed: 'image.url', ping: 'false' } },
])('ends $path with $query within its timeout and a second', async ({ path, query }) => {
  const url = `${site.url}${path}?${JSON.stringify(query)}`
  const ms = await timeWithoutPauses(service.url, async () => {
    const response = await service.get({ url, timeout: '8s', ...query })
    await response.arrayBuffer()
    expect([200, 504]).toContain(response.status)
  })
  expect(ms).toBeLessThan(TIMEOUT_MS + MAX_DELAY_MS)
})
