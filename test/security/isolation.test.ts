// Covers that a capture learns nothing of another one of the same site.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Route } from '../local-site.js'
import { startAttackedService, type AttackedService } from './attacked-service.js'

/** What a page can leave behind, and how the next one would find it. */
const CHANNELS: Record<string, { leave: string; find: string }> = {
  'a cookie': { leave: `document.cookie = 'a=1; max-age=9999'`, find: `document.cookie` },
  localStorage: { leave: `localStorage.a = 1`, find: `localStorage.a` },
  sessionStorage: { leave: `sessionStorage.a = 1`, find: `sessionStorage.a` },
  'window.name': { leave: `name = 'a'`, find: `name` },
  'the history': { leave: `history.pushState(1, '', '?pushed')`, find: `history.length > 2 && history.length` },
  IndexedDB: {
    leave: `await new Promise((done) => { indexedDB.open('a').onsuccess = done })`,
    find: `(await indexedDB.databases()).length`,
  },
  'the cache storage': {
    leave: `await (await caches.open('a')).put('/a', new Response('a'))`,
    find: `(await caches.keys()).length`,
  },
  'the file system': {
    leave: `await (await navigator.storage.getDirectory()).getFileHandle('a', { create: true })`,
    find: `await (await navigator.storage.getDirectory()).getFileHandle('a').then(() => 1, () => 0)`,
  },
  'a service worker': {
    leave: `await navigator.serviceWorker.register('/worker.js')`,
    find: `(await navigator.serviceWorker.getRegistrations()).length`,
  },
  'the HTTP cache': {
    leave: `await fetch('/cached')`,
    find: `(await (await fetch('/cached')).text()) !== 'first' && 0`,
  },
  'a permission': {
    leave: `navigator.geolocation.getCurrentPosition(() => {}); Notification.requestPermission()`,
    find: `[(await navigator.permissions.query({ name: 'geolocation' })).state, Notification.permission].includes('granted')`,
  },
  'a lock': {
    leave: `await new Promise((done) => void navigator.locks.request('a', () => { done(); return new Promise(() => {}) }))`,
    find: `(await navigator.locks.query()).held.length`,
  },
  'a broadcast channel': {
    leave: `new BroadcastChannel('a').onmessage = ({ target }) => target.postMessage('a')`,
    find: `await new Promise((done) => { let c = new BroadcastChannel('a'); c.onmessage = () => done(1); c.postMessage('b'); setTimeout(done, 300, 0) })`,
  },
  'a shared worker': {
    leave: `new SharedWorker('/shared.js').port.postMessage('a')`,
    find: `await new Promise((done) => { let { port } = new SharedWorker('/shared.js'); port.onmessage = ({ data }) => done(data); port.postMessage('b'); setTimeout(done, 300, 0) })`,
  },
}
const SHARED_WORKER = `let n = 0; onconnect = ({ ports: [port] }) => { port.onmessage = () => port.postMessage(n++) }`

const pageOf = (part: 'leave' | 'find', path: string) =>
  `<title>Page</title><script type="module">const found = {}
${Object.entries(CHANNELS)
  .map(([name, code]) =>
    part === 'leave'
      ? `try { ${code.leave}; found['${name}'] = true } catch (error) { found['${name}'] = 'failed: ' + error }`
      : `try { found['${name}'] = Boolean(${code.find}) } catch (error) { found['${name}'] = 'failed: ' + error }`,
  )
  .join('\n')}
await fetch('${path}', { method: 'POST', body: JSON.stringify(found) })</script>`

let service: AttackedService
const reports: Record<string, Record<string, unknown>> = {}
const authorizations: (string | undefined)[] = []
let cached = 0
let onLeft: () => void
const left = new Promise<void>((resolve) => (onLeft = resolve))
const report: Route = (request, response) => {
  let body = ''
  request.on('data', (chunk) => (body += String(chunk)))
  request.on('end', () => {
    reports[request.url!.slice(1)] = JSON.parse(body) as Record<string, unknown>
    response.end()
    if (reports.left) onLeft()
  })
}
const send =
  (type: string, body: string | (() => string), headers = {}): Route =>
  (_, response) =>
    void response.writeHead(200, { 'content-type': type, ...headers }).end(typeof body === 'string' ? body : body())

beforeAll(async () => {
  service = await startAttackedService({
    '/leave': pageOf('leave', '/left'),
    '/find': pageOf('find', '/found'),
    '/left': report,
    '/found': report,
    '/worker.js': send('text/javascript', ''),
    '/shared.js': send('text/javascript', SHARED_WORKER),
    '/cached': send('text/plain', () => (cached++ === 0 ? 'first' : 'again'), { 'cache-control': 'max-age=9999' }),
    '/credentials': (request, response) => {
      authorizations.push(request.headers.authorization)
      response
        .writeHead(200, { 'set-cookie': 'b=2; Max-Age=9999', 'content-type': 'text/html' })
        .end(`<title>${request.headers.cookie ?? 'no cookie'}</title>`)
    },
  })
  // The first stays open while the second runs, and until after it has left everything.
  const first = capture('/leave', { waitForTimeout: '4s' })
  await left
  await Promise.all([first, capture('/find', { waitForTimeout: '1500' })])
  reports.concurrent = reports.found!
  cached = 1
  await capture('/find', { waitForTimeout: '1500', force: 'true' })
})
afterAll(() => service.stop())

async function capture(path: string, query: Record<string, string> = {}): Promise<void> {
  const response = await service.get({
    url: service.site.url + path,
    screenshot: 'true',
    meta: 'false',
    adblock: 'false',
    ...query,
  })
  expect(response.status, await response.text()).toBe(200)
}

describe('isolation', () => {
  it.each(Object.keys(CHANNELS))('takes %s to no other capture, at the same time or later', (name) => {
    expect(reports.left![name]).toBe(true)
    expect(reports.concurrent![name]).toBe(false)
    expect(reports.found![name]).toBe(false)
  })

  it('takes the headers of one request to no other', async () => {
    const url = `${service.site.url}/credentials`
    const query = { screenshot: 'true', 'meta.title': 'true' }
    const requests: Record<string, string>[] = [
      { 'headers.authorization': 'Bearer secret', 'headers.cookie': 'secret=1' },
      {},
    ]
    for (const headers of requests) await (await service.get({ url, ...query, ...headers })).text()
    expect(authorizations).toContain('Bearer secret')
    expect(authorizations.at(-1)).toBeUndefined()
  })

  it('sends no cookie of a page with the next request for metadata', async () => {
    for (const force of ['true', 'true']) {
      const response = await service.get({ url: `${service.site.url}/credentials`, force })
      expect(await response.json()).toMatchObject({ data: { title: 'no cookie' } })
    }
  })

  it('serves the result for one set of headers to no other', async () => {
    const url = `${service.site.url}/credentials?keyed`
    const own = await service.get({ url, 'headers.cookie': 'secret=1' })
    expect(await own.json()).toMatchObject({ data: { title: 'secret=1' } })
    expect(own.headers.get('cache-control')).toMatch(/private/)
    const others: Record<string, string>[] = [{}, { 'headers.cookie': 'secret=2' }, { 'headers.Cookie': '' }]
    for (const headers of others) {
      const response = await service.get({ url, ...headers })
      expect(await response.text()).not.toContain('secret=1')
    }
  })
})
