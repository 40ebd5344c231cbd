// Covers the network guard: everything that a page can make the browser send to a private address.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Route } from '../local-site.js'
import { browserVectors } from './browser-vectors.js'
import { privateHosts, startGuardedService, type GuardedService } from './guarded-service.js'

const NAMES = browserVectors({ host: '', site: '' })
const [FIRST_HOST = '', ...OTHER_HOSTS] = await privateHosts()
const HOST_VECTORS = ['img-src', 'iframe-src', 'fetch', 'web-socket']
/** What a page may not read, and reports to its own site when it can. */
const LOCAL_URLS = ['file:///etc/passwd', 'view-source:file:///etc/passwd', 'chrome://version/', 'devtools://devtools/']

const TO: Route = ({ url }, response) =>
  void response.writeHead(302, { location: decodeURIComponent(url!.split('?')[1]!) }).end()
const REFRESH: Route = ({ url }, response) =>
  void response
    .writeHead(200, { 'content-type': 'text/html', refresh: `0;url=${decodeURIComponent(url!.split('?')[1]!)}` })
    .end('refreshing')
const SERVICE_WORKER: Route = (_, response) =>
  void response
    .writeHead(200, { 'content-type': 'text/javascript' })
    .end(`fetch(decodeURIComponent(location.search.slice(1)), { mode: 'no-cors' })`)

let service: GuardedService
beforeAll(async () => {
  service = await startGuardedService({
    '/to': TO,
    '/refresh': REFRESH,
    '/service-worker.js': SERVICE_WORKER,
    '/read': 'read',
  })
  await open('/control', `127.0.0.1:${service.control.port}`)
  await open('/attack', `${FIRST_HOST}:${service.victims.port}`)
  for (const host of OTHER_HOSTS) await openWithHost(host)
  await openLocalUrls()
}, 120_000)
afterAll(() => service.stop())

async function capture(path: string, html: string, waitForTimeout = '3s'): Promise<void> {
  service.site.routes[path] =
    `<!doctype html><title>Vectors</title><body><p id="a">a</p><p id="b">b</p><li>c</li>${html}`
  const response = await service.get({
    url: service.site.url + path,
    screenshot: 'true',
    meta: 'false',
    adblock: 'false',
    waitForTimeout,
  })
  expect([200, 422], await response.text()).toContain(response.status)
}

const open = (path: string, host: string) =>
  capture(
    path,
    browserVectors({ host, site: service.site.url })
      .map(({ html }) => html)
      .join('\n'),
  )

async function openWithHost(hostname: string): Promise<void> {
  const host = `${hostname}:${service.victims.port}`
  const vectors = browserVectors({ host, site: service.site.url }).filter(({ name }) => HOST_VECTORS.includes(name))
  await capture(`/host-${OTHER_HOSTS.indexOf(hostname)}`, vectors.map(({ html }) => html).join('\n'), '1s')
}

const openLocalUrls = () =>
  capture(
    '/local',
    LOCAL_URLS.map(
      (url, index) =>
        `<iframe id="l${index}" src="${url}"></iframe><script>` +
        `fetch('${url}').then((r) => r.text()).then((t) => t && fetch('/read?${index}-' + t.length))\n` +
        `setTimeout(() => { let t = l${index}.contentDocument.body.innerText; t && fetch('/read?${index}-' + t.length) }, 1000)</script>`,
    ).join('\n'),
  )

const arrivalsOf = (arrivals: readonly string[], name: string) =>
  arrivals.filter((arrival) => arrival.includes(`/${name} `))

describe('guard: browser', () => {
  it.each(NAMES.map(({ name, isAlive }) => ({ name, isAlive })))('sends nothing by $name', ({ name, isAlive }) => {
    if (isAlive) expect(arrivalsOf(service.control.arrivals, name)).not.toEqual([])
    expect(arrivalsOf(service.victims.arrivals, name)).toEqual([])
  })

  it.each(OTHER_HOSTS.flatMap((host) => HOST_VECTORS.map((name) => ({ host, name }))))(
    'sends nothing to $host by $name',
    ({ name }) => expect(arrivalsOf(service.victims.arrivals, name)).toEqual([]),
  )

  it.each(LOCAL_URLS.map((url, index) => ({ url, index })))('lets no page read $url', ({ index }) => {
    const reads = service.site.requests.filter((request) => request.startsWith(`GET /read?${index}-`))
    expect(reads).toEqual([])
  })

  it('sends no byte at all, connection or packet', () => expect(service.victims.arrivals).toEqual([]))
})
