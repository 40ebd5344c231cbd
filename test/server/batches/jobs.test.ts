// Covers jobs over HTTP: creating them, their progress and results, deleting them, their limits and their webhook.
import { createHmac } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import type { IncomingHttpHeaders } from 'node:http'
import { text } from 'node:stream/consumers'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { openKeys, readServeOptions, serve, type Keys, type RunningServer } from '../../../src/server/index.js'
import { localSite, type LocalSite, type Route } from '../../local-site.js'
import { hasRedis, startRedis, type TestRedis } from '../../shared/start-redis.js'

const SECRET = Buffer.from('a secret of more than 24 bytes')

interface Progress {
  id: string
  url: string
  results: string
  state: string
  total: number
  done: number
  failed: number
  running: number
  webhook: string | null
}

let site: LocalSite
/** Routes of one test, besides those of `/page…` and of `/held…`, which respond when they are released. */
let routes: Record<string, Route>
let held: (() => void)[]
let isReleased: boolean

const routeOf = (path: string): Route | undefined => {
  if (path.startsWith('/page')) return `<title>Title of ${path}</title>`
  if (!path.startsWith('/held')) return routes[path]
  return (_, response) => {
    const respond = () => void response.end(`<title>${path}</title>`)
    if (isReleased) respond()
    else held.push(respond)
  }
}

function releaseHeld() {
  for (const respond of held.splice(0)) respond()
}

beforeAll(async () => {
  site = await localSite(new Proxy({}, { get: (_, path: string) => routeOf(path) }))
})
afterAll(() => site.close())
beforeEach(() => {
  site.requests.length = 0
  routes = {}
  held = []
  isReleased = false
  onTestFinished(() => {
    isReleased = true
    releaseHeld()
  })
})

let redis: TestRedis | undefined
beforeAll(async () => {
  if (hasRedis) redis = await startRedis()
})
afterAll(() => redis?.close())

describe.each([
  { name: 'on one machine', isShared: false },
  { name: 'in a queue of Redis', isShared: true },
])('jobs $name', ({ isShared }) => {
  if (isShared && !hasRedis) return it.skip('needs a Redis server, which is not installed')

  let dataDir: string
  let service: RunningServer
  let keys: Keys
  let key: string
  let storeFlags: string[]

  const start = () =>
    serve(
      readServeOptions(
        [
          '--port=0',
          '--pro-port=0',
          '--log-level=silent',
          `--data-dir=${dataDir}`,
          `--allow-target=${site.host}`,
          ...storeFlags,
        ],
        {},
      ),
      { warm: false },
    )

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'page-preview-jobs-'))
    storeFlags = isShared ? [`--queue=${redis!.freshUrl()}`] : []
    service = await start()
    keys = await openKeys({ dataDir })
    ;({ key } = await keys.create('Batches'))
  })
  afterAll(async () => {
    await keys.close()
    await service.stop()
    await rm(dataDir, { recursive: true, force: true })
  })

  const request = (path: string, init: RequestInit = {}, apiKey = key) =>
    fetch(path.startsWith('http') ? path : service.pro + path, {
      ...init,
      headers: { 'x-api-key': apiKey, ...(init.headers as Record<string, string>) },
    })

  const post = (body: unknown, apiKey?: string) =>
    request('/jobs', { method: 'POST', body: typeof body === 'string' ? body : JSON.stringify(body) }, apiKey)

  async function create(body: unknown, apiKey?: string): Promise<Progress> {
    const response = await post(body, apiKey)
    const text = await response.text()
    expect(response.status, text).toBe(202)
    return (JSON.parse(text) as { data: Progress }).data
  }

  const progressOf = async ({ id }: Pick<Progress, 'id'>, apiKey = key) => {
    const response = await request(`/jobs/${id}`, {}, apiKey)
    return ((await response.json()) as { data: Progress }).data
  }

  const untilFinished = (job: Progress, apiKey = key) =>
    expect.poll(() => progressOf(job, apiKey), { timeout: 20_000 }).toMatchObject({ state: 'finished', running: 0 })

  async function resultsOf({ id }: Progress, after = 0): Promise<Record<string, unknown>[]> {
    const response = await request(`/jobs/${id}/results?after=${after}`)
    expect(response.headers.get('content-type')).toBe('application/x-ndjson')
    const text = await response.text()
    return text
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as Record<string, unknown>)
  }

  const unfinishedPages = async () => {
    const metrics = await (await fetch(`${service.free}/metrics`)).text()
    return Number(/^page_preview_job_pages_unfinished (\S+)$/m.exec(metrics)?.[1])
  }

  const pageUrls = (name: string, count: number) =>
    Array.from({ length: count }, (_, index) => `${site.url}/page-${name}-${index}`)

  it('captures a list of pages, and lists their results in the order in which they ended', async () => {
    const urls = pageUrls('list', 5)
    const response = await post({ urls, query: { filter: 'title' } })
    expect(response.status).toBe(202)
    const { data: job } = (await response.json()) as { data: Progress }
    expect(response.headers.get('location')).toBe(job.url)
    expect(job).toMatchObject({ total: 5, webhook: null, url: `${service.pro}/jobs/${job.id}` })
    await untilFinished(job)
    expect(await progressOf(job)).toMatchObject({ total: 5, done: 5, failed: 0 })

    const results = await resultsOf(job)
    expect(results.map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4, 5])
    expect(results.map(({ url }) => String(url)).toSorted()).toEqual(urls)
    for (const { url, number, status, data } of results) {
      expect(url).toBe(urls[number as number])
      expect(status).toBe('success')
      expect(data).toEqual({ title: `Title of /page-list-${number as number}` })
    }
    expect(await resultsOf(job, 3)).toEqual(results.slice(3))
    expect(await resultsOf(job, 5)).toEqual([])
    const negotiated = await request(`/jobs/${job.id}`, { headers: { accept: 'application/x-ndjson' } })
    expect((await negotiated.text()).trim().split('\n')).toHaveLength(5)
  })

  it('takes results that are cached and fresh from the cache', async () => {
    const [url] = pageUrls('cached', 1)
    expect((await request(`/?url=${encodeURIComponent(url!)}`)).status).toBe(200)
    const before = site.requests.length
    const job = await create({ urls: [url, url] })
    await untilFinished(job)
    expect(await progressOf(job)).toMatchObject({ done: 2 })
    expect(site.requests.length).toBe(before)
  })

  it('lists pages that failed with their error, and goes on', async () => {
    const urls = ['no url', 'http://10.0.0.1/', `${site.url}/page-good`]
    const job = await create({ urls })
    await untilFinished(job)
    expect(await progressOf(job)).toMatchObject({ total: 3, done: 1, failed: 2 })
    const results = (await resultsOf(job)).toSorted((one, other) => Number(one.number) - Number(other.number))
    expect(results).toMatchObject([
      { number: 0, url: 'no url', status: 'fail', code: 'EINVALURL' },
      { number: 1, status: 'fail', code: 'EFORBIDDENURL' },
      { number: 2, status: 'success' },
    ])
  })

  it('reads the pages from a sitemap, through the guard', async () => {
    routes = {
      '/index.xml': `<sitemapindex><sitemap><loc>${site.url}/map.xml</loc></sitemap></sitemapindex>`,
      '/map.xml': `<urlset>${pageUrls('map', 3)
        .map((url) => `<url><loc>${url}</loc></url>`)
        .join('')}</urlset>`,
      '/empty.xml': '<urlset></urlset>',
    }
    const job = await create({ sitemap: `${site.url}/index.xml` })
    expect(job.total).toBe(3)
    await untilFinished(job)
    expect((await resultsOf(job)).map(({ url }) => String(url)).toSorted()).toEqual(pageUrls('map', 3))

    const empty = await post({ sitemap: `${site.url}/empty.xml` })
    expect(await empty.json()).toMatchObject({ code: 'EINVALQUERY', message: expect.stringContaining('no URLs') })
    const forbidden = await post({ sitemap: 'http://10.0.0.1/sitemap.xml' })
    expect(await forbidden.json()).toMatchObject({ code: 'EFORBIDDENURL' })
  })

  it('belongs to its key: without one, on the free host and for another key there is no job', async () => {
    const job = await create({ urls: pageUrls('own', 1) })
    const { key: otherKey } = await keys.create('Others')
    for (const path of [`/jobs/${job.id}`, `/jobs/${job.id}/results`])
      expect((await request(path, {}, otherKey)).status).toBe(404)
    expect((await request(`/jobs/${job.id}`, { method: 'DELETE' }, otherKey)).status).toBe(404)
    expect((await request(`/jobs/${job.id}`, {}, 'pp_0123456789ab_hush-hush-hush-hush')).status).toBe(403)
    expect((await fetch(`${service.pro}/jobs/${job.id}`)).status).toBe(401)
    expect((await fetch(`${service.pro}/jobs`, { method: 'POST', body: '{}' })).status).toBe(401)
    expect((await fetch(`${service.free}/jobs`, { method: 'POST', body: '{}' })).status).toBe(401)
    expect((await progressOf(job)).id).toBe(job.id)
  })

  it('cancels and forgets a job that is deleted', async () => {
    const urls = Array.from({ length: 30 }, (_, index) => `${site.url}/held-${index}`)
    const job = await create({ urls })
    await expect.poll(async () => (await progressOf(job)).running).toBeGreaterThan(0)
    expect(await progressOf(job)).toMatchObject({ state: 'running', done: 0 })
    expect((await request(`/jobs/${job.id}`, { method: 'DELETE' })).status).toBe(204)
    expect((await request(`/jobs/${job.id}`)).status).toBe(404)
    expect((await request(`/jobs/${job.id}`, { method: 'DELETE' })).status).toBe(404)
    // The places of its pages are free again.
    const next = await create({ urls: pageUrls('after-deletion', 2) })
    await untilFinished(next)
    expect(new Set(site.requests.filter((line) => line.includes('/held'))).size).toBeLessThan(10)
  })

  it('starts pages of several keys in turn', async () => {
    const first = await create({ urls: [...Array(40).keys()].map((index) => `${site.url}/held-first-${index}`) })
    const { key: otherKey } = await keys.create('Others')
    const second = await create({ urls: pageUrls('second', 1) }, otherKey)
    const releasing = setInterval(releaseHeld, 10)
    await untilFinished(second, otherKey)
    clearInterval(releasing)
    expect((await progressOf(first)).state).toBe('running')
    await request(`/jobs/${first.id}`, { method: 'DELETE' })
  })

  it('goes on after a restart with the pages that are not done', async () => {
    const urls = Array.from({ length: 12 }, (_, index) => `${site.url}/held-restart-${index}`)
    const job = await create({ urls })
    await expect.poll(() => site.requests.length).toBeGreaterThan(0)
    await expect.poll(unfinishedPages).toBe(12)
    releaseHeld()
    await expect.poll(async () => (await progressOf(job)).done).toBeGreaterThan(0)
    await service.stop()
    const doneBefore = new Set(site.requests)
    expect(doneBefore.size).toBeLessThan(12)
    isReleased = true
    releaseHeld()
    service = await start()
    await untilFinished(job)
    const results = await resultsOf(job)
    expect(results.map(({ sequence }) => sequence)).toEqual(urls.map((_, index) => index + 1))
    expect(new Set(results.map(({ number }) => number)).size).toBe(12)
    expect(results.every(({ status }) => status === 'success')).toBe(true)
    expect(await unfinishedPages()).toBe(0)
  })

  it('counts pages in the daily limit of the key, and waits when that is used up', async () => {
    const { key: limitedKey } = await keys.create('Limited', { dailyLimit: 3 })
    const job = await create({ urls: pageUrls('limited', 5) }, limitedKey)
    await expect
      .poll(() => progressOf(job, limitedKey))
      .toMatchObject({ done: 3, failed: 0, running: 0, state: 'running' })
    expect((await request(`/?url=${site.url}/page-more`, {}, limitedKey)).status).toBe(429)
    await request(`/jobs/${job.id}`, { method: 'DELETE' }, limitedKey)
  })

  it('does not count in the concurrency of the key, which is for its requests', async () => {
    const { key: limitedKey } = await keys.create('One at a time', { concurrency: 1 })
    const job = await create({ urls: [`${site.url}/held-a`, `${site.url}/held-b`] }, limitedKey)
    await expect.poll(() => held.length).toBe(2)
    expect((await request(`/?url=${site.url}/page-beside`, {}, limitedKey)).status).toBe(200)
    await request(`/jobs/${job.id}`, { method: 'DELETE' }, limitedKey)
  })

  it('tells the webhook once, with a signature that its receiver can verify', async () => {
    const calls: { headers: IncomingHttpHeaders; body: string }[] = []
    routes['/hook'] = (incoming, response) =>
      void text(incoming)
        .then((body) => calls.push({ headers: incoming.headers, body }))
        .finally(() => response.end())
    const secret = `whsec_${SECRET.toString('base64')}`
    const refused = await post({ urls: pageUrls('hook', 1), webhook: { url: 'http://10.0.0.1/hook', secret } })
    expect(await refused.json()).toMatchObject({ code: 'EFORBIDDENURL' })

    const job = await create({ urls: pageUrls('hooked', 2), webhook: { url: `${site.url}/hook`, secret } })
    expect(job.webhook).toBe('pending')
    await expect.poll(async () => (await progressOf(job)).webhook, { timeout: 10_000 }).toBe('delivered')
    expect(calls).toHaveLength(1)
    const [{ headers, body }] = calls as [(typeof calls)[number]]
    expect(headers['webhook-id']).toBe(job.id)
    const signed = [job.id, headers['webhook-timestamp'], body].join('.')
    expect(headers['webhook-signature']).toBe(`v1,${createHmac('sha256', SECRET).update(signed).digest('base64')}`)
    expect(JSON.parse(body)).toMatchObject({
      type: 'job.finished',
      data: { id: job.id, state: 'finished', total: 2, done: 2, failed: 0, results: job.results },
    })
  })

  it.each([
    ['no JSON', '{', { body: 'is not JSON' }],
    ['no object', '[]', { body: 'is not an object' }],
    ['neither a list nor a sitemap', {}, { urls: expect.stringContaining('is missing') }],
    ['both', { urls: ['http://a.test'], sitemap: 'http://a.test/x' }, { urls: expect.stringContaining('not both') }],
    ['an empty list', { urls: [] }, { urls: expect.stringContaining('at least one') }],
    ['a list of numbers', { urls: [1] }, { urls: expect.stringContaining('number 0') }],
    ['too many pages', { urls: Array(50_001).fill('http://a.test') }, { urls: expect.stringContaining('50000') }],
    ['a file as sitemap', { sitemap: '/etc/passwd' }, { sitemap: 'must be an absolute http(s) URL' }],
    ['an unknown field', { urls: ['http://a.test'], hook: 1 }, { hook: expect.stringContaining('is not a field') }],
    ['headers', { urls: ['http://a.test'], query: { headers: { cookie: 'a' } } }, { headers: expect.anything() }],
    ['headers as text', { urls: ['http://a.test'], query: 'headers.cookie=a' }, { headers: expect.anything() }],
    ['embed', { urls: ['http://a.test'], query: { embed: 'image' } }, { embed: expect.anything() }],
    ['a URL in the query', { urls: ['http://a.test'], query: { url: 'http://b.test' } }, { url: expect.anything() }],
    ['an invalid parameter', { urls: ['http://a.test'], query: 'meta=maybe' }, { meta: expect.anything() }],
    [
      'a webhook without secret',
      { urls: ['http://a.test'], webhook: { url: 'http://a.test' } },
      { webhook: expect.anything() },
    ],
    [
      'a short secret',
      { urls: ['http://a.test'], webhook: { url: 'http://a.test', secret: 'whsec_YWJj' } },
      { webhook: expect.anything() },
    ],
  ])('refuses %s', async (_, body, data) => {
    const response = await post(body)
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ status: 'fail', code: 'EINVALQUERY', data })
  })

  it('refuses a body that is too large', async () => {
    const response = await post(JSON.stringify({ urls: ['x'.repeat(8_000_001)] }))
    expect(await response.json()).toMatchObject({
      code: 'EINVALQUERY',
      data: { body: expect.stringContaining('8 MB') },
    })
  })
})
