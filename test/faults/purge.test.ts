// Covers purges: what they delete, from which instances, and what was begun before them.
import { mkdtemp, rm } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import type { PageResponse } from '../../src/query/index.js'
import { createService, type Service } from '../../src/server/index.js'
import { localSite, redirectTo, type LocalSite } from '../local-site.js'
import { runCommand } from '../static/commands/run-command.js'
import { startBucket, type TestBucket } from '../shared/start-bucket.js'
import { startRedis, type TestRedis } from '../shared/start-redis.js'

let redis: TestRedis
let bucket: TestBucket
beforeAll(async () => {
  ;[redis, bucket] = await Promise.all([startRedis(), startBucket()])
})
afterAll(async () => {
  await Promise.all([redis.close(), bucket.close()])
})

describe.each([
  { name: 'one instance', redis: false, s3: false },
  { name: 'one instance with a bucket', redis: false, s3: true },
  { name: 'two instances on a Redis', redis: true, s3: false },
  { name: 'two instances on a Redis and a bucket', redis: true, s3: true },
])('a purge from $name', (shared) => {
  let site: LocalSite
  let folder: string
  let one: Service
  let two: Service
  let flags: string[]
  const held: ServerResponse[] = []
  /** Without a bucket each instance has its own images only. */
  const isEachAlone = shared.redis && !shared.s3
  let captures = 0

  beforeAll(async () => {
    // Each capture differs, so that an image that was purged is not stored again under its name.
    const page = () => `<title>Page</title><body style="background:rgb(${captures % 256},${captures++ % 7},99)">`
    site = await localSite({ '/other': '<title>Other</title>', '/short': redirectTo('/page') })
    site.routes['/page'] = (_, response) => void response.setHeader('content-type', 'text/html').end(page())
    site.routes['/broken'] = (_, response) => void response.destroy()
    site.routes['/slow'] = (_, response) => void held.push(response)
    folder = await mkdtemp(join(tmpdir(), 'page-preview-purge-'))
    const urls = {
      ...(shared.redis && { redis: redis.freshUrl() }),
      ...(shared.s3 && { s3: bucket.freshUrl() }),
    }
    flags = [`--data-dir=${join(folder, 'one')}`, ...Object.entries(urls).map(([name, url]) => `--${name}=${url}`)]
    const options = { ...urls, allowTargets: [site.host] }
    one = createService({ ...options, dataDir: join(folder, 'one') })
    two = shared.redis ? createService({ ...options, dataDir: join(folder, 'two') }) : one
    await Promise.all([one.ready(), two.ready()])
  })
  afterAll(async () => {
    await Promise.all([one.close(), two.close()])
    await site.close()
    await rm(folder, { recursive: true })
  })

  const get = (service: Service, path: string, query: Record<string, string> = {}) => {
    const parameters = new URLSearchParams({ url: `${site.url}${path}`, ping: 'false', ...query })
    return service.fetch(new Request(`http://previews.test/?${parameters}`))
  }
  const cacheStatus = async (...request: Parameters<typeof get>) =>
    (await get(...request)).headers.get('x-cache-status')
  const capture = async (service: Service, path: string, query: Record<string, string> = {}) =>
    ((await (await get(service, path, { screenshot: 'true', ...query })).json()) as PageResponse).data.screenshot!.url
  const statuses = async (urls: string[]) => {
    const responses = [one, two].flatMap((service) => urls.map((url) => service.fetch(new Request(url))))
    return [...new Set((await Promise.all(responses)).map(({ status }) => status))]
  }
  const purge = async (target: Record<string, string>, headers: Record<string, string> = {}) => {
    const url = `http://admin.test/cache?${new URLSearchParams(target)}`
    const response = await one.fetchAdmin(new Request(url, { method: 'DELETE', headers }))
    return { ...((await response.json()) as { code?: string; data: unknown }), status: response.status }
  }

  it('deletes a page in all its variations, its images and variants, and nothing else', async () => {
    await get(one, '/other')
    const replaced = await capture(two, '/page')
    const images = [
      replaced,
      await capture(two, '/page', { force: 'true' }),
      await capture(one, '/page', { device: 'iPhone 6' }),
    ]
    images.push(`${images[1]}?w=320`, `${images[2]}?w=320&type=webp`)
    await get(two, '/page', { filter: 'title' })
    await get(one, '/short')
    expect(await statuses(images)).toContain(200)

    expect(await purge({ url: `${site.url}/page#part` })).toMatchObject({
      status: 200,
      data: { images: isEachAlone ? expect.any(Number) : 5 },
    })
    await expect.poll(() => statuses(images)).toEqual([404])
    expect(await cacheStatus(one, '/page', { filter: 'title' })).toBe('MISS')
    expect(await cacheStatus(two, '/page', { device: 'iPhone 6', screenshot: 'true' })).toBe('MISS')
    expect(await cacheStatus(two, '/short')).toBe('MISS')
    expect(await cacheStatus(two, '/other')).toBe('HIT')
    await expect.poll(() => cacheStatus(one, '/page', { device: 'iPhone 6', screenshot: 'true' })).toBe('HIT')
  })

  it('deletes in-memory responses and remembered failures everywhere', async () => {
    const parameters = new URLSearchParams({ url: `${site.url}/page`, 'meta.title': 'true' })
    const url = `http://previews.test/?${parameters}`
    const cached = (service: Service) =>
      service.cachedResponse({ method: 'GET', url, ifNoneMatch: undefined, forwardedFor: undefined }) !== undefined
    // An in-memory response expires after a second of this clock; here only the purge may delete it.
    const clock = vi.spyOn(performance, 'now').mockReturnValue(performance.now())
    onTestFinished(() => clock.mockRestore())
    for (const service of [one, two]) {
      await service.fetch(new Request(url))
      await service.fetch(new Request(url))
    }
    expect([cached(one), cached(two)]).toEqual([true, true])
    const failures = () => site.requests.filter((request) => request.includes('/broken')).length
    for (const service of [one, two]) await get(service, '/broken')
    const before = failures()
    for (const service of [one, two]) expect((await get(service, '/broken')).status).toBe(502)
    expect(failures()).toBe(before)

    await purge({ host: '127.0.0.1' })
    await expect.poll(() => [cached(one), cached(two)]).toEqual([false, false])
    for (const service of [one, two]) await get(service, '/broken')
    expect(failures()).toBeGreaterThan(before)
  })

  it('is not undone by captures that were begun before', async () => {
    held.length = 0
    const running = get(two, '/slow', { screenshot: 'true' })
    await expect.poll(() => held.length, { timeout: 10_000 }).toBe(2)
    await purge({ url: `${site.url}/slow` })
    for (const response of held) response.setHeader('content-type', 'text/html').end('<title>Slow</title>')
    const response = await running
    expect(response.status).toBe(200)
    const { data } = (await response.json()) as PageResponse
    expect(await statuses([data.screenshot!.url])).toEqual([404])
    site.routes['/slow'] = '<title>Fast</title>'
    expect(await cacheStatus(two, '/slow', { screenshot: 'true' })).toBe('MISS')
    expect(await cacheStatus(one, '/slow', { screenshot: 'true' })).toBe(shared.redis || one === two ? 'HIT' : 'MISS')
  })

  it('deletes everything by the command, also from services that run', async () => {
    const image = await capture(two, '/page', { force: 'true' })
    await get(one, '/other')
    const { code, stderr } = await runCommand(['purge', '--all', ...flags])
    expect(code).toBe(0)
    expect(stderr).toMatch(/^Purged \d+ cache entries and \d+ images\.\n$/)
    await expect.poll(() => statuses([image])).toEqual([404])
    expect(await cacheStatus(two, '/other')).toBe('MISS')
  })

  it('refuses targets that are none, and requests of pages in a browser', async () => {
    expect(await purge({})).toMatchObject({ status: 400, code: 'EINVALQUERY' })
    expect(await purge({ url: 'example.com' })).toMatchObject({ status: 400, code: 'EINVALURL' })
    expect(await purge({ host: 'https://example.com' })).toMatchObject({ status: 400, code: 'EINVALQUERY' })
    expect(await purge({ host: 'example.com', all: 'true' })).toMatchObject({ status: 400, code: 'EINVALQUERY' })
    const origin = 'https://attacker.test'
    expect(await purge({ all: 'true' }, { origin })).toMatchObject({ status: 403, code: 'EAUTH' })
    const url = 'http://previews.test/cache?all=true'
    expect((await one.fetch(new Request(url, { method: 'DELETE' }))).status).toBe(405)
  })
})
