// Covers the network guard: everything that a page can make the browser send to a private address.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Route } from '../local-site.js'
import { browserVectors } from './browser-vectors.js'
import { attackedHosts } from './guard-attempts.js'
import { privateHosts, startGuardedService, type GuardedService } from './guarded-service.js'

const HOSTS = attackedHosts(await privateHosts())
const LIVE_VECTORS = browserVectors({ host: '', site: '' }).filter(({ isAlive }) => isAlive)
/** A busy machine may not open a page of full Chromium in time. */
const MAX_CAPTURES = 3
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
  const { site, control, victims } = service
  await capture('/control', HOSTS[0]!.html(control.port, site.url))
  for (const [index, { html }] of HOSTS.entries()) await capture(`/attack-${index}`, html(victims.port, site.url))
  await openLocalUrls()
}, 300_000)
afterAll(() => service.stop())

/** Captures a page until all of its attacks have started; how it looks in the end, or that it took too long, does not matter. */
async function capture(path: string, html: string): Promise<void> {
  const { site } = service
  site.routes[path] =
    `<!doctype html><title>Vectors</title><body><p id="a">a</p><p id="b">b</p><li>c</li>${html}<script>fetch('/started${path}')</script>`
  const query = { url: site.url + path, screenshot: 'true', meta: 'false', adblock: 'false', waitForTimeout: '3s' }
  for (let count = 0; count < MAX_CAPTURES && !site.requests.includes(`GET /started${path}`); count++)
    await (await service.get({ ...query, force: 'true' })).text()
  expect(site.requests).toContain(`GET /started${path}`)
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
  it.each(LIVE_VECTORS.map(({ name }) => name))('%s reaches what it may reach', (name) => {
    expect(arrivalsOf(service.control.arrivals, name)).not.toEqual([])
  })

  // Packets have no path, so that any of them counts; `guard-packets.test.ts` shows that each vector sends some.
  it.each(HOSTS.flatMap(({ host, attempts }) => attempts.map((name) => ({ host, name }))))(
    'sends nothing to $host by $name',
    ({ name }) => {
      expect(arrivalsOf(service.victims.arrivals, name)).toEqual([])
      expect(service.victims.arrivals.filter((arrival) => !arrival.includes(' HTTP/1.1'))).toEqual([])
    },
  )

  it.each(LOCAL_URLS.map((url, index) => ({ url, index })))('lets no page read $url', ({ index }) => {
    const reads = service.site.requests.filter((request) => request.startsWith(`GET /read?${index}-`))
    expect(reads).toEqual([])
  })

  it('sends no byte at all, connection or packet', () => expect(service.victims.arrivals).toEqual([]))
})
