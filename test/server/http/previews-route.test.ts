// Covers lists of queries, over real sockets where the connection matters.
import type { ServerResponse } from 'node:http'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { createService, type Service } from '../../../src/server/index.js'
import { listen, type Listener } from '../../../src/server/http/index.js'
import { localSite, type LocalSite } from '../../local-site.js'
import { LISTEN_OPTIONS } from './listen-options.js'

interface Line {
  index: number
  status: number
  headers: Record<string, string>
  body: { status: string; code?: string; data?: { title?: string } & Record<string, unknown> }
}

let site: LocalSite
let service: Service
let listener: Listener
/** Responses of `/held/…`, which a test ends. */
const held = new Map<string, ServerResponse>()

beforeAll(async () => {
  site = await localSite({})
  for (let page = 0; page < 60; page++) site.routes[`/${page}`] = `<title>Page ${page}</title>`
  for (let page = 0; page < 20; page++)
    site.routes[`/held/${page}`] = (request, response) => void held.set(request.url!, response)
  service = createService({ allowTargets: [site.host] })
  await service.ready()
  listener = await listen(service, LISTEN_OPTIONS)
})
beforeEach(() => {
  for (const response of held.values()) response.end()
  held.clear()
})
afterAll(async () => {
  listener.closeConnections()
  await listener.close()
  await service.close()
  await site.close()
})

const queryOf = (path: string, more = '') => `url=${encodeURIComponent(site.url + path)}${more}`
const send = (body: unknown, init: RequestInit = {}) =>
  fetch(`${listener.url}/previews`, {
    method: 'POST',
    body: typeof body === 'string' ? body : JSON.stringify(body),
    ...init,
  })
const linesOf = (text: string) =>
  text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Line)
const readLines = async (queries: string[], init?: RequestInit) => linesOf(await (await send({ queries }, init)).text())
const endHeld = async (path: string) => {
  await vi.waitUntil(() => held.has(path), { timeout: 5_000, interval: 5 })
  held.get(path)!.writeHead(200, { 'content-type': 'text/html' }).end('<title>At last</title>')
  held.delete(path)
}

describe('POST /previews', () => {
  it('responds with a line for each query, as GET would', async () => {
    const response = await send({ queries: [queryOf('/1'), queryOf('/2')] })
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('application/x-ndjson')
    expect(response.headers.get('access-control-allow-origin')).toBe('*')
    expect(response.headers.get('cache-control')).toBe('no-store')
    expect(response.headers.get('x-accel-buffering')).toBe('no')
    const lines = linesOf(await response.text()).toSorted((a, b) => a.index - b.index)
    expect(lines.map(({ index, status, body }) => [index, status, body.data?.title])).toEqual([
      [0, 200, 'Page 1'],
      [1, 200, 'Page 2'],
    ])
    const alone = await fetch(`${listener.url}/?${queryOf('/1')}`)
    expect(lines[0]!.body).toEqual(await alone.json())
    expect(Object.keys(lines[0]!.headers).toSorted()).toEqual([
      'age',
      'x-cache-status',
      'x-cache-ttl',
      'x-rate-limit-limit',
      'x-rate-limit-remaining',
      'x-rate-limit-reset',
      'x-timestamp',
    ])
  })

  it('sends each line as soon as its result is ready, also compressed', async () => {
    const response = await send({ queries: [queryOf('/held/1'), queryOf('/3')] })
    expect(response.headers.get('content-encoding')).toBe('gzip')
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
    expect(linesOf((await reader.read()).value!)).toMatchObject([{ index: 1, status: 200 }])
    await endHeld('/held/1')
    expect(linesOf((await reader.read()).value!)).toMatchObject([{ index: 0, body: { data: { title: 'At last' } } }])
    expect(await reader.read()).toMatchObject({ done: true })
  })

  it('compresses with one gzip, if the client accepts a compressed response', async () => {
    const queries = Array.from({ length: 20 }, (_, page) => queryOf(`/${page}`))
    const plain = await service.fetch(listRequest({ queries }))
    expect(plain.headers.has('content-encoding')).toBe(false)
    const compressed = await service.fetch(listRequest({ queries }, { 'accept-encoding': 'br, gzip' }))
    const bytes = Buffer.from(await compressed.arrayBuffer())
    expect(linesOf(gunzipSync(bytes).toString())).toHaveLength(20)
    expect(bytes.byteLength * 3).toBeLessThan((await plain.text()).length)
  })

  it('has the error of a query in its line, and the results of the others', async () => {
    const lines = await readLines([
      queryOf('/4'),
      'url=ftp%3A%2F%2Fx',
      'nothing',
      queryOf('/nowhere', '&embed=title'),
      '#',
    ])
    const byIndex = lines.toSorted((a, b) => a.index - b.index)
    expect(byIndex.map(({ status, body }) => [status, body.code])).toEqual([
      [200, undefined],
      [400, 'EINVALURL'],
      [400, 'EINVALURL'],
      [400, 'EINVALQUERY'],
      [400, 'EINVALURL'],
    ])
  })

  it('refuses embed before it fetches the page', async () => {
    site.requests.splice(0)
    const [line] = await readLines([queryOf('/52', '&embed=title')])
    expect(line).toMatchObject({ status: 400, body: { code: 'EINVALQUERY', data: { embed: expect.any(String) } } })
    expect(site.requests).toEqual([])
  })

  it('counts each query against the daily limit', async () => {
    const remaining = async () =>
      Number((await fetch(`${listener.url}/?${queryOf('/6')}`)).headers.get('x-rate-limit-remaining'))
    const before = await remaining()
    await readLines([queryOf('/50'), queryOf('/51'), queryOf('/51'), queryOf('/6')])
    expect(await remaining()).toBe(before - 2)
  })

  it('ends all its work when the client leaves', async () => {
    const abort = new AbortController()
    const closed = vi.fn()
    const response = await send(
      { queries: Array.from({ length: 20 }, (_, page) => queryOf(`/held/${page}`)) },
      { signal: abort.signal },
    )
    expect(response.status).toBe(200)
    await vi.waitUntil(() => held.size >= 4, { timeout: 5_000, interval: 5 })
    const running = [...held.values()]
    for (const each of running) each.once('close', closed)
    abort.abort()
    await vi.waitFor(() => expect(closed).toHaveBeenCalledTimes(running.length), { timeout: 5_000, interval: 5 })
  })

  it('is finished before the service closes', async () => {
    const closing = createService({ allowTargets: [site.host] })
    const paths = ['/1', ...Array.from({ length: 12 }, (_, page) => `/held/${page}`)]
    const response = await closing.fetch(listRequest({ queries: paths.map((path) => queryOf(path)) }))
    const text = response.text()
    await vi.waitUntil(() => held.size > 0, { timeout: 5_000, interval: 5 })
    const closed = closing.close()
    const answering = setInterval(() => {
      for (const path of held.keys()) void endHeld(path)
    }, 5)
    try {
      const lines = linesOf(await text)
      await closed
      expect(lines.map(({ index }) => index).toSorted((a, b) => a - b)).toEqual(paths.map((_, index) => index))
      // What had not been sent is refused, as a request of its own would be.
      expect(new Set(lines.map(({ status }) => status))).toEqual(new Set([200, 503]))
    } finally {
      clearInterval(answering)
    }
  })

  it.each<[string, unknown, RegExp]>([
    ['no JSON', '{', /must be JSON/],
    ['null', 'null', /queries must be a list/],
    ['no list', { queries: 'url=x' }, /queries must be a list/],
    ['an empty list', { queries: [] }, /1 to 50/],
    ['51 queries', { queries: Array(51).fill('url=x') }, /1 to 50/],
    ['an object in place of a query', { queries: ['url=x', { url: 'x' }] }, /queries\.1 must be/],
    ['a query of 8,193 characters', { queries: ['x'.repeat(8_193)] }, /queries\.0 must be/],
    ['a body of 200 kB', { queries: Array(50).fill('x'.repeat(4_000)) }, /larger than 0.128 MB/],
  ])('refuses %s with a sentence', async (_, body, message) => {
    const response = await send(body)
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ code: 'EINVALQUERY', message: expect.stringMatching(message) })
  })

  it('has whole responses, whatever the list is conditional on', async () => {
    const headers = { 'if-none-match': '*', 'if-modified-since': new Date().toUTCString(), range: 'bytes=0-1' }
    const response = await service.fetch(listRequest({ queries: [queryOf('/8')] }, headers))
    expect(linesOf(await response.text())).toMatchObject([{ status: 200, body: { data: { title: 'Page 8' } } }])
  })

  it('needs a key for each query of the pro host', async () => {
    const response = await service.fetch(listRequest({ queries: [queryOf('/9')] }), { plan: 'pro' })
    expect(linesOf(await response.text())).toMatchObject([{ status: 401, body: { code: 'EAUTH' } }])
  })
})

const listRequest = (body: unknown, headers: Record<string, string> = {}) =>
  new Request('http://previews.test/previews', { method: 'POST', body: JSON.stringify(body), headers })
