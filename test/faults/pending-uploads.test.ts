// Covers the responses of other instances while an image waits for its upload: `bucket/uploads.ts` and `redis/redis-leases.ts`.
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { PageResponse } from '../../src/query/index.js'
import { localSite, type LocalSite } from '../local-site.js'
import { startBucket, type TestBucket } from '../shared/start-bucket.js'
import { startRedis, type TestRedis } from '../shared/start-redis.js'
import { startInstance, type Instance } from './start-instance.js'

const UPLOAD_TIMEOUT_MS = 12_000

let site: LocalSite
let redis: TestRedis
let bucket: TestBucket
let one: Instance
let two: Instance

beforeAll(async () => {
  ;[redis, bucket, site] = await Promise.all([startRedis(), startBucket(), localSite({ '/': '<title>Page</title>' })])
  const flags = [`--redis=${redis.freshUrl()}`, `--s3=${bucket.freshUrl()}`, `--allow-target=${site.host}`]
  const env = { PAGE_PREVIEW_SIGNING_SECRET: 'a secret that both instances of this test share' }
  ;[one, two] = await Promise.all([startInstance({ flags, env }), startInstance({ flags, env })])
})
afterAll(async () => {
  await Promise.all([one.stop(), two.stop()])
  await Promise.all([redis.close(), bucket.close(), site.close()])
})

const query = () => ({ url: `${site.url}/`, screenshot: 'true', meta: 'false' })
const visits = () => site.requests.filter((line) => line === 'GET /').length

it('says that it is there soon, captures nothing again, and serves it once it is uploaded', async () => {
  // Reading works, so the bucket says that there is no such image.
  bucket.failWith({ method: 'PUT', status: 507, code: 'XMinioStorageFull' })
  const captured = await one.get(query())
  expect([captured.status, captured.headers.get('x-cache-status')]).toEqual([200, 'MISS'])
  const { data } = (await captured.json()) as PageResponse
  const image = new URL(data.screenshot!.url).pathname
  const before = visits()
  expect((await fetch(one.url + image)).status).toBe(200)

  const refused = await fetch(two.url + image)
  expect(await refused.json()).toMatchObject({ code: 'EBUSY', message: expect.stringContaining('another instance') })
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '2'])
  const embedded = await two.get({ ...query(), embed: 'screenshot.url' })
  expect([embedded.status, embedded.headers.get('retry-after')]).toEqual([503, '2'])
  const cached = await two.get(query())
  expect([cached.status, cached.headers.get('x-cache-status')]).toEqual([200, 'HIT'])

  bucket.failWith()
  const status = async () => (await fetch(two.url + image)).status
  await expect.poll(status, { timeout: UPLOAD_TIMEOUT_MS, interval: 200 }).toBe(200)
  const after = await two.get({ ...query(), embed: 'screenshot.url' })
  expect([after.status, after.headers.get('x-cache-status')]).toEqual([200, 'HIT'])
  expect(visits()).toBe(before)
})
