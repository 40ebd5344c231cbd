// Covers two built instances on one Redis and one bucket, of which one has a clock that is 10 minutes ahead.
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { PageResponse } from '../../src/query/index.js'
import { localSite, type LocalSite } from '../local-site.js'
import { startBucket, type TestBucket } from '../shared/start-bucket.js'
import { startRedis, type TestRedis } from '../shared/start-redis.js'
import { startInstance, type Instance } from './start-instance.js'

const AHEAD = `data:text/javascript,const { now } = Date; Date.now = () => now() + 600_000`

let site: LocalSite
let redis: TestRedis
let bucket: TestBucket
let ahead: Instance
let onTime: Instance
let version = 0

beforeAll(async () => {
  ;[redis, bucket] = await Promise.all([startRedis(), startBucket()])
  site = await localSite({
    '/': (_, response) =>
      void response.setHeader('content-type', 'text/html').end(`<title>Version ${++version}</title>`),
  })
  const flags = [`--redis=${redis.freshUrl()}`, `--s3=${bucket.freshUrl()}`, `--allow-target=${site.host}`]
  const env = { PAGE_PREVIEW_SIGNING_SECRET: 'a secret that both instances of this test share' }
  ;[ahead, onTime] = await Promise.all([
    startInstance({ flags, env: { ...env, NODE_OPTIONS: `--import=${encodeURI(AHEAD)}` } }),
    startInstance({ flags, env }),
  ])
})
afterAll(async () => {
  await Promise.all([ahead.stop(), onTime.stop()])
  await Promise.all([redis.close(), bucket.close(), site.close()])
})

async function read(instance: Instance, query: Record<string, string> = {}) {
  const response = await instance.get({ url: `${site.url}/`, ping: 'false', ...query })
  const { data } = (await response.json()) as PageResponse
  const { headers } = response
  return { title: data.title, cache: headers.get('x-cache-status'), at: Number(headers.get('x-timestamp')) }
}

it('force replaces a result also when its time is in the future and its image is in memory', async () => {
  const first = await read(ahead)
  expect(first.at).toBeGreaterThan(Date.now() + 500_000)
  // The second one is answered from the memory of the instance.
  for (const instance of [ahead, onTime, ahead, onTime])
    expect(await read(instance)).toEqual({ ...first, cache: 'HIT' })
  const forced = await read(onTime, { force: 'true' })
  expect(forced).toMatchObject({ cache: 'BYPASS', title: 'Version 2' })
  expect(forced.at).toBeGreaterThan(first.at)
  expect(await read(onTime)).toEqual({ ...forced, cache: 'HIT' })
  await expect.poll(() => read(ahead)).toEqual({ ...forced, cache: 'HIT' })
  const again = await read(ahead, { force: 'true' })
  expect(again).toMatchObject({ cache: 'BYPASS', title: 'Version 3' })
  expect(await read(ahead)).toEqual({ ...again, cache: 'HIT' })
})
