// Covers captures while the bucket is away, full or not writable: what they cost, and that their images get there later.
import { afterAll, beforeAll, beforeEach, expect, it, onTestFinished } from 'vitest'
import type { PageResponse } from '../../src/query/index.js'
import { createService } from '../../src/server/index.js'
import { localSite, type LocalSite } from '../local-site.js'
import { temporaryDir } from '../server/store/temporary-dir.js'
import { startBucket, type TestBucket } from '../shared/start-bucket.js'

let site: LocalSite
let bucket: TestBucket
let s3: string
let dataDir: string
let events: Record<string, unknown>[]

beforeAll(async () => {
  ;[bucket, site] = await Promise.all([startBucket(), localSite({ '/': '<title>Page</title><body>Page' })])
})
afterAll(async () => {
  await Promise.all([bucket.close(), site.close()])
})
beforeEach(async () => {
  s3 = bucket.freshUrl()
  dataDir = await temporaryDir()
  events = []
})

async function start() {
  const warn = (event: object) => void events.push({ ...event })
  const log = { debug: warn, info: warn, warn, error: warn }
  const service = createService({ dataDir, s3, allowTargets: [site.host], log })
  await service.ready()
  onTestFinished(() => service.close())
  const requestPage = async (path: string) => {
    const query = new URLSearchParams({ url: site.url + path, screenshot: 'true', meta: 'false' })
    return service.fetch(new Request(`http://previews.test/?${query}`))
  }
  const bucketEvents = () => events.map(({ event }) => String(event)).filter((event) => event.startsWith('bucket-'))
  return { ...service, requestPage, bucketEvents }
}

const imageOf = async (response: Response) =>
  ((await response.json()) as PageResponse).data.screenshot!.url.replace('http://previews.test', '')

const failures: Record<string, { begin: () => unknown; end: () => unknown; event: string }> = {
  away: { begin: () => bucket.stop(), end: () => bucket.restart(), event: 'bucket-unreachable' },
  'not writable': {
    begin: () => bucket.failWith({ method: 'PUT', status: 403, code: 'AccessDenied' }),
    end: () => bucket.failWith(),
    event: 'bucket-rejected',
  },
  full: {
    begin: () => bucket.failWith({ method: 'PUT', status: 507, code: 'XMinioStorageFull' }),
    end: () => bucket.failWith(),
    event: 'bucket-full',
  },
  'asking for fewer requests': {
    begin: () => bucket.failWith({ method: 'PUT', status: 503, code: 'SlowDown' }),
    end: () => bucket.failWith(),
    event: 'bucket-throttled',
  },
}

it.each(Object.entries(failures))('five requests cost one capture while the bucket is %s', async (how, failure) => {
  const service = await start()
  const before = site.requests.length
  await failure.begin()
  let end = async () => void (await failure.end())
  onTestFinished(() => end())
  const responses = []
  for (let index = 0; index < 5; index++) responses.push(await service.requestPage(`/?${encodeURIComponent(how)}`))
  const other = await service.requestPage(`/?other${encodeURIComponent(how)}`)
  expect({
    statuses: responses.map(({ status }) => status),
    captures: service.captures(),
    pages: site.requests.slice(before).filter((line) => line.includes('/?')).length,
    remaining: other.headers.get('x-rate-limit-remaining'),
  }).toEqual({ statuses: [200, 200, 200, 200, 200], captures: 2, pages: 4, remaining: '248' })
  const image = await imageOf(responses[0]!)
  expect((await service.fetch(new Request(`http://previews.test${image}`))).status).toBe(200)
  expect(service.bucketEvents()).toEqual([failure.event])
  const ready = await service.fetch(new Request('http://previews.test/readyz'))
  expect([ready.status, await ready.json()]).toMatchObject([
    200,
    { dependencies: { bucket: failure.event.replace('bucket-', '') } },
  ])
  await end()
  end = async () => undefined
  await expect.poll(() => bucket.images(s3), { timeout: 10_000 }).toHaveLength(1)
  expect(image).toContain((await bucket.images(s3))[0])
  await expect.poll(service.bucketEvents).toEqual([failure.event, 'bucket-recovered'])
})

it('uploads after a restart what could not be uploaded before', async () => {
  const service = await start()
  await bucket.stop()
  let restart = () => bucket.restart()
  onTestFinished(() => restart())
  expect((await service.requestPage('/?before-the-restart')).status).toBe(200)
  await service.close()
  await restart()
  restart = async () => undefined
  await start()
  await expect.poll(() => bucket.images(s3), { timeout: 10_000 }).toHaveLength(1)
})
