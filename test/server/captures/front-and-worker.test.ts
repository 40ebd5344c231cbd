// Covers a front and a worker, as their commands start them, with a browser and a site of this machine.
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import type { PageResponse } from '../../../src/query/index.js'
import { encodeRequest } from '../../../src/server/captures/messages.js'
import { createService } from '../../../src/server/create-service.js'
import type { RunningServer, RunningWorker } from '../../../src/server/serve.js'
import { localSite, type LocalSite } from '../../local-site.js'
import { startService, type StartedService } from '../../shared/start-service.js'
import { freePort } from '../../shared/free-port.js'
import { recordingLog } from '../../shared/recording-log.js'
import { recordSpans } from '../../shared/record-spans.js'
import { requestScope } from '../request-scope.js'
import { SECRET, startFront, startWorker } from './start-roles.js'

const PAGE =
  '<!doctype html><html lang="en"><title>A page</title><meta name="description" content="Of two processes.">' +
  '<body style="background: teal"><h1>A page</h1>'

let site: LocalSite
let worker: RunningWorker
let front: RunningServer
let all: StartedService

beforeAll(async () => {
  site = await localSite({ '/': PAGE, '/moved': (_, response) => response.writeHead(301, { location: '/' }).end() })
  worker = await startWorker(`--allow-target=${site.host}`)
  front = await startFront(worker.worker, `--allow-target=${site.host}`)
  all = await startService(`--allow-target=${site.host}`)
  // A start of Chromium is no part of a capture's time.
  await Promise.all([front, all].map(({ free }) => request(free, { screenshot: 'true', url: `${site.url}/first` })))
})
afterAll(async () => {
  await front.stop()
  await Promise.all([worker.stop(), all.stop()])
  await site.close()
})

const request = (base: string, query: Record<string, string>) =>
  fetch(`${base}/?${new URLSearchParams({ url: `${site.url}/`, ...query })}`)

const withoutTime = (warning: string) => warning.replace(/after 2\S+Z/, 'later')

async function preview(base: string, query: Record<string, string>) {
  const response = await request(base, query)
  const body = (await response.json()) as PageResponse
  const { url: imageUrl, ...screenshot } = body.data.screenshot ?? { url: undefined }
  const data = { ...body.data, screenshot }
  return {
    status: response.status,
    cache: response.headers.get('x-cache-status'),
    mode: response.headers.get('x-fetch-mode'),
    body: { ...body, headers: { ...body.headers, date: '' }, warnings: body.warnings?.map(withoutTime), data },
    image: imageUrl && Buffer.from(await (await fetch(imageUrl)).arrayBuffer()).toString('base64'),
  }
}

describe('a preview through a front and a worker', () => {
  it.each([
    { path: '/', query: 'screenshot.type=png&palette' },
    { path: '/moved', query: '' },
    { path: '/missing', query: 'screenshot.type=png' },
  ])('is the same as that of one process: $path $query', async ({ path, query }) => {
    const parameters = { url: site.url + path, ...Object.fromEntries(new URLSearchParams(query)) }
    const own = await preview(front.free, parameters)
    const expected = await preview(all.free, parameters)
    expect(own).toEqual(expected)
    expect(own.status).toBe(200)
  })

  it('has the same candidates and the same explanation, apart from times', async () => {
    const parameters = { url: `${site.url}/moved`, screenshot: 'true', candidates: 'true', explain: 'true' }
    const read = async (base: string): Promise<PageResponse> => (await request(base, parameters)).json() as never
    const [own, expected] = [await read(front.free), await read(all.free)]
    expect(own.candidates!.title.map(({ value }) => value)).toEqual(['A page'])
    expect(own.explanation!.documents.map(({ by, title }) => [by, title])).toEqual([
      ['fetch', 'A page'],
      ['browser', 'A page'],
    ])
    const withoutTimes = ({ candidates, explanation }: PageResponse): unknown =>
      JSON.parse(JSON.stringify([candidates, explanation], (key, value) => (/Ms$|^timings$/.test(key) ? 0 : value)))
    expect(withoutTimes(own)).toEqual(withoutTimes(expected))
  })

  it('is captured once for 60 equal requests', async () => {
    const before = worker.service.captures()
    const query = { screenshot: 'true', 'viewport.width': '500' }
    const responses = await Promise.all(Array.from({ length: 60 }, () => request(front.free, query)))
    expect(responses.map(({ status }) => status)).toEqual(Array.from({ length: 60 }, () => 200))
    expect(worker.service.captures() - before).toBe(1)
    expect(front.service.captures()).toBe(0)
  })
})

const metric = async (base: string, name: string) => {
  const text = await (await fetch(`${base}/metrics`)).text()
  return Number(
    text
      .split('\n')
      .find((line) => line.startsWith(`${name} `))
      ?.split(' ')[1] ?? NaN,
  )
}

describe('a front', () => {
  it('frees the slot of its worker when its caller leaves', async () => {
    site.routes['/endless'] = (_, response) => response.writeHead(200, { 'content-type': 'text/html' }).write('<p>Wait')
    const leaving = new AbortController()
    const url = `${front.free}/?${new URLSearchParams({ url: `${site.url}/endless`, screenshot: 'true' })}`
    const response = fetch(url, { signal: leaving.signal })
    await expect.poll(() => metric(worker.worker, 'page_preview_slots_busy'), { timeout: 10_000 }).toBe(1)
    leaving.abort()
    await expect(response).rejects.toThrow('abort')
    await expect.poll(() => metric(worker.worker, 'page_preview_slots_busy'), { timeout: 1_000 }).toBe(0)
  })

  it('reports the error of its worker to its caller', async () => {
    const response = await request(front.free, { element: '#missing' })
    expect(response.status).toBe(422)
    expect(await response.json()).toMatchObject({ status: 'fail', code: 'EELEMENT', data: { element: 'missing' } })
  })

  it('is ready without a browser and without workers, and says how its requests to workers ended', async () => {
    const alone = await startFront(`http://127.0.0.1:${await freePort()}`)
    onTestFinished(() => alone.stop())
    const response = await fetch(`${alone.free}/readyz`)
    const body = (await response.json()) as object
    expect(response.status).toBe(200)
    expect(body).toMatchObject({ status: 'ready', store: true })
    expect(body).not.toHaveProperty('browser')
    expect(body).not.toHaveProperty('chromium')
    const preview = await request(alone.free, { url: 'https://example.com/' })
    expect(preview.status).toBe(503)
    expect(Number(preview.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(preview.headers.get('x-rate-limit-remaining')).toBe(preview.headers.get('x-rate-limit-limit'))
    expect(await metric(alone.free, 'page_preview_worker_requests_total{outcome="busy"}')).toBe(1)
    expect(await metric(alone.free, 'page_preview_slots')).toBeNaN()
  })

  it('says which option is missing', async () => {
    const service = createService({ role: 'front', workers: 'http://127.0.0.1:1' })
    onTestFinished(() => service.close())
    await expect(service.ready()).rejects.toThrow('role front needs workerSecretFile')
  })

  it('with another secret fails its requests, and writes why without the secrets', async () => {
    const { log, lines } = recordingLog()
    const workerSecret = 'another secret than that of the worker'
    const service = createService({ role: 'front', workers: worker.worker, workerSecret, log })
    onTestFinished(() => service.close())
    const response = await service.fetch(new Request('http://previews.test/?url=https://example.com/'))
    expect(await response.json()).toMatchObject({ code: 'EFATAL' })
    const text = JSON.stringify(lines)
    expect(text).toContain('refuses the secret')
    expect(text).not.toContain(workerSecret)
    expect(text).not.toContain(SECRET)
  })
})

describe('a worker', () => {
  it.each([
    '/',
    '/?url=https://example.com/',
    '/images/a.jpg',
    '/oembed',
    '/playground/',
    '/jobs',
    '/openapi.json',
    '/captures',
  ])('serves no %s', async (path) => expect((await fetch(worker.worker + path)).status).toBe(404))

  it('is alive and ready, whatever fronts there are, and has no store', async () => {
    expect((await fetch(`${worker.worker}/healthz`)).status).toBe(200)
    const response = await fetch(`${worker.worker}/readyz`)
    const body = (await response.json()) as object
    expect(response.status).toBe(200)
    expect(body).toMatchObject({ status: 'ready', browser: true })
    expect(body).not.toHaveProperty('store')
    expect(await metric(worker.worker, 'page_preview_slots')).toBe(3)
    expect(await metric(worker.worker, 'page_preview_store_bytes')).toBeNaN()
  })

  it('is no longer ready while it drains, and still captures', async () => {
    const draining = createService({ role: 'worker', workerSecret: SECRET, allowTargets: [site.host] })
    onTestFinished(() => draining.close())
    await draining.ready()
    draining.startDraining()
    expect((await draining.fetch(new Request('http://worker/readyz'))).status).toBe(503)
    const { headers, body } = encodeRequest(requestScope({ url: `${site.url}/` }), { client: 'a' }, SECRET)
    const capture = await draining.fetch(new Request('http://worker/captures', { method: 'POST', headers, body }))
    expect(capture.status).toBe(200)
  })

  it('refuses captures without the secret', async () => {
    const response = await fetch(`${worker.worker}/captures`, { method: 'POST', body: '{}' })
    expect(response.status).toBe(401)
  })
})

it('continues the trace of a request on the worker', async () => {
  const { spans, stop } = recordSpans()
  onTestFinished(stop)
  const trace = '0af7651916cd43dd8448eb211c80319c'
  const headers = { traceparent: `00-${trace}-b7ad6b7169203331-01` }
  const query = new URLSearchParams({ url: `${site.url}/traced`, meta: 'true' })
  await (await fetch(`${front.free}/?${query}`, { headers })).text()
  const spanOf = (name: string, parent: string | undefined) =>
    spans.find((span) => span.name === name && span.parentSpanId === parent)
  const hop = spanOf('worker.request', spanOf('request', 'b7ad6b7169203331')!.spanId)!
  await expect.poll(() => spanOf('request', hop.spanId)).toMatchObject({ traceId: trace })
  expect(spanOf('page.fetch', spanOf('request', hop.spanId)!.spanId)).toBeDefined()
})
