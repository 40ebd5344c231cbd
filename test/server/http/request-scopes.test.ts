import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { runWithTimeout } from '../../../src/server/http/request-scopes.js'
import { localSite, redirectTo, type LocalSite } from '../../local-site.js'
import { startService, type StartedService } from '../../shared/start-service.js'

let allowed: LocalSite
let other: LocalSite
let service: StartedService

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAEAAAABACAMAAACdt4HsAAAAA1BMVEX/AAAZ4gk3AAAACXBIWXMAAAPoAAAD6AG1e1JrAAAAG0lEQVRYw+3BgQAAAADDoPlT3+AEVQEAAAB8AxBAAAEZszF2AAAAAElFTkSuQmCC',
  'base64',
)

beforeAll(async () => {
  other = await localSite({
    '/': '<title>Elsewhere</title>',
    '/image.png': (_, response) => response.writeHead(200, { 'content-type': 'image/png' }).end(PNG),
    '/style.css': (_, response) => response.writeHead(200, { 'content-type': 'text/css' }).end('body{margin:0}'),
  })
  allowed = await localSite({
    '/': '<title>A page</title><body>Text',
    '/photo': '<title>A photo</title><meta property="og:image" content="/photo.png">',
    '/photo.png': (_, response) => response.writeHead(200, { 'content-type': 'image/png' }).end(PNG),
    '/cdn': `<title>With an image of another host</title><img src="${other.url}/image.png"><body>Text`,
    '/redirect': redirectTo(`${other.url}/`),
    '/navigate': `<title>A page</title><script>location = '${other.url}/'</script><body>Text`,
    '/refresh': `<title>A page</title><meta http-equiv="refresh" content="0;url=${other.url}/"><body>Text`,
    '/image': redirectTo(`${other.url}/image.png`),
    '/style': redirectTo(`${other.url}/style.css`),
  })
  service = await startService(`--allow-target=${allowed.host}`, `--allow-target=${other.host}`)
})
afterAll(async () => {
  await service.stop()
  await Promise.all([allowed.close(), other.close()])
})

/** Requests a path of the allowed site, restricted to this site by default. */
async function request(path: string, parameters: Record<string, string> = {}, hosts: string | null = allowed.host) {
  other.requests.splice(0)
  const query = new URLSearchParams({ url: allowed.url + path, ping: 'false', ...parameters })
  const response = await fetch(`${service.free}/?${query}`, {
    ...(hosts !== null && { headers: { 'x-page-preview-allow-hosts': hosts } }),
  })
  const body = (await response.json()) as { code?: string; data: Record<string, unknown>; warnings?: string[] }
  return { status: response.status, headers: response.headers, body }
}

it.each([
  ['a redirect', '/redirect', {}],
  ['a redirect of a capture', '/redirect', { screenshot: 'true', meta: 'false' }],
  ['a navigation by script', '/navigate', { screenshot: 'true', waitForTimeout: '500' }],
  ['a navigation by the document', '/refresh', { screenshot: 'true', waitForTimeout: '500' }],
])('refuses %s to another host', async (_, path, parameters: Record<string, string>) => {
  const { status, body } = await request(path, parameters)
  expect([status, body.code]).toEqual([403, 'EFORBIDDENURL'])
  expect(other.requests).toEqual([])
})

it.each([
  ['overlay.background', () => ({ screenshot: 'true', 'overlay.background': `${other.url}/image.png` })],
  ['overlay.background', () => ({ screenshot: 'true', 'overlay.background': `url("${other.url}/image.png")` })],
  ['styles', () => ({ screenshot: 'true', styles: `${other.url}/style.css` })],
  ['styles', () => ({ screenshot: 'true', styles: `body { background: url(${other.url}/image.png) }` })],
  ['styles', () => ({ screenshot: 'true', styles: `body { background: \\75rl(${other.url}/image.png) }` })],
])('refuses an address of another host in %s', async (name, parameters) => {
  const { status, body } = await request('/', parameters())
  expect([status, body.code, body.data]).toEqual([403, 'EFORBIDDENURL', { [name]: 'is not allowed here' }])
  expect(other.requests).toEqual([])
})

it('refuses a redirect of the background image to another host', async () => {
  const { status, body } = await request('/', { screenshot: 'true', 'overlay.background': `${allowed.url}/image` })
  expect([status, body.code]).toEqual([400, 'EINVALOVERLAYBG'])
  expect(other.requests).toEqual([])
})

it('does not follow a redirect of a style sheet to another host', async () => {
  const { status, body } = await request('/', { screenshot: 'true', styles: `${allowed.url}/style` })
  expect(status).toBe(200)
  expect(body.warnings).toEqual([expect.stringContaining('could not be loaded')])
  expect(other.requests).toEqual([])
})

it('lets a page load its own images from another host', async () => {
  const { status } = await request('/cdn', { screenshot: 'true' })
  expect(status).toBe(200)
  expect(other.requests).toContain('GET /image.png')
})

it('does not serve a result that was produced without the restriction', async () => {
  expect((await request('/redirect', { ttl: '1h' }, null)).status).toBe(200)
  expect((await request('/redirect', { ttl: '1h' }, `${allowed.host}, ${other.host}`)).status).toBe(200)
  const { status, body } = await request('/redirect', { ttl: '1h' })
  expect([status, body.code]).toEqual([403, 'EFORBIDDENURL'])
  expect((await request('/redirect', { ttl: '1h' }, null)).headers.get('x-cache-status')).toBe('HIT')
})

it('caches results of one restriction, and names the header that they vary by', async () => {
  expect((await request('/', { ttl: '2h' })).headers.get('x-cache-status')).toBe('MISS')
  const { headers } = await request('/', { ttl: '3h' })
  expect(headers.get('x-cache-status')).toBe('HIT')
  expect(headers.get('vary')).toContain('x-page-preview-allow-hosts')
})

it.each([
  ['JSON', {}],
  ['a card', { embed: 'html' }],
  ['an image', { embed: 'image.url' }],
])('names that header also in an unrestricted response: %s', async (_, parameters: Record<string, string>) => {
  const query = new URLSearchParams({ url: `${allowed.url}/photo`, ...parameters })
  const first = await fetch(`${service.free}/?${query}`)
  const etag = first.headers.get('etag')!
  const repeated = await fetch(`${service.free}/?${query}`)
  const notModified = await fetch(`${service.free}/?${query}`, { headers: { 'if-none-match': etag } })
  const conditional = await fetch(`${service.free}/?${query}&force`, { headers: { 'if-none-match': etag } })
  expect([first, repeated, notModified].map(({ status }) => status)).toEqual([200, 200, 304])
  for (const { headers } of [first, repeated, notModified, conditional])
    expect(headers.get('vary')).toContain('x-page-preview-allow-hosts')
})

it.each([
  ['no host', ''],
  ['a path', 'example.com/path'],
  ['too many hosts', Array.from({ length: 201 }, () => 'a.b').join(',')],
  [
    'too long a list',
    Array.from(
      { length: 30 },
      (_, index) => `${'a'.repeat(60)}.${'b'.repeat(60)}.${'c'.repeat(60)}.${index}.example`,
    ).join(','),
  ],
])('refuses a header with %s', async (_, hosts) => {
  const { status, body } = await request('/', {}, hosts)
  expect([status, body.code]).toEqual([400, 'EINVALQUERY'])
})

it('refuses a page of another host', async () => {
  const { status, body } = await request('/', {}, '*.example.com')
  expect([status, body.code, body.data]).toEqual([403, 'EFORBIDDENURL', { url: 'is not allowed here' }])
})

const TIMEOUT_MS = 300
const scopeUntil = (signal: AbortSignal) => ({ signal, timeoutMs: TIMEOUT_MS })

/** Work that ends when its signal aborts, or much later. */
const slowWork = ({ signal }: { signal: AbortSignal }) =>
  new Promise<string>((resolve, reject) => {
    const timer = setTimeout(() => resolve('too late'), TIMEOUT_MS * 5)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      reject(signal.reason)
    })
  })

it('ends work after the timeout, whenever the garbage collector runs', async () => {
  setFlagsFromString('--expose-gc')
  const collectGarbage = runInNewContext('gc') as () => void
  const timer = setInterval(collectGarbage, 20)
  onTestFinished(() => clearInterval(timer))
  const { signal } = new AbortController()
  await expect(runWithTimeout(scopeUntil(signal), slowWork)).rejects.toMatchObject({
    code: 'ETIMEOUT',
    data: { timeout: 'exceeded' },
  })
})

it('throws the reason of the request when that is aborted first', async () => {
  const request = new AbortController()
  const working = runWithTimeout(scopeUntil(request.signal), slowWork)
  request.abort(new Error('gone'))
  await expect(working).rejects.toThrow('gone')
})

it('passes on results and errors of the work', async () => {
  const { signal } = new AbortController()
  expect(await runWithTimeout(scopeUntil(signal), async () => 'result')).toBe('result')
  const failing = runWithTimeout(scopeUntil(signal), () => Promise.reject(new Error('broken')))
  await expect(failing).rejects.toThrow('broken')
})
