// Covers results that needed an allowance of the network guard, from a service to the next one on the same store.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createService, type ServiceOptions } from '../../../src/server/index.js'
import { localSite, type LocalSite } from '../../local-site.js'
import { hasRedis, startRedis, type TestRedis } from '../../shared/start-redis.js'

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAEAAAABACAMAAACdt4HsAAAAA1BMVEX/AAAZ4gk3AAAACXBIWXMAAAPoAAAD6AG1e1JrAAAAG0lEQVRYw+3BgQAAAADDoPlT3+AEVQEAAAB8AxBAAAEZszF2AAAAAElFTkSuQmCC',
  'base64',
)

let dataDir: string
let site: LocalSite
let images: LocalSite
let redis: TestRedis | undefined
let redisUrl: string | undefined
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'page-preview-allowances-'))
  redis = hasRedis ? await startRedis() : undefined
  redisUrl = redis?.freshUrl()
  images = await localSite({
    '/photo.png': (_, response) => void response.writeHead(200, { 'content-type': 'image/png' }).end(PNG),
  })
  site = await localSite({
    '/photo': `<title>Photo</title><meta property="og:image" content="${images.url}/photo.png">`,
    '/': '<title>An internal page</title><h1>Internal</h1>',
    '/first': '<title>First</title>',
    '/second': '<title>Second</title>',
  })
})
afterAll(async () => {
  await Promise.all([site.close(), images.close(), redis?.close()])
  await rm(dataDir, { recursive: true, force: true })
})

/** Status and cache status of each query to a new service. */
const requestEach = (allowTargets: string[], ...queries: Record<string, string>[]) =>
  requestWith({ dataDir, allowTargets }, ...queries)

async function requestWith(options: ServiceOptions, ...queries: Record<string, string>[]) {
  const service = createService(options)
  try {
    const responses: [number, string | null][] = []
    for (const query of queries) {
      const response = await service.fetch(new Request(`http://previews.test/?${new URLSearchParams(query)}`))
      await response.arrayBuffer()
      responses.push([response.status, response.headers.get('x-cache-status')])
    }
    return responses
  } finally {
    await service.close()
  }
}

it('serves a result of an allowed target only while the target is allowed', async () => {
  const queries: Record<string, string>[] = [
    { url: `${site.url}/` },
    { url: `${site.url}/`, screenshot: 'true', meta: 'false' },
  ]
  expect(await requestEach([site.host], ...queries)).toEqual([
    [200, 'MISS'],
    [200, 'MISS'],
  ])
  expect((await requestEach([], ...queries)).map(([status]) => status)).toEqual([403, 403])
  expect(await requestEach([site.host], ...queries)).toEqual([
    [200, 'HIT'],
    [200, 'HIT'],
  ])
  expect(await requestEach([new URL(site.url).hostname], queries[0]!)).toEqual([[200, 'HIT']])
})

it('remembers the allowance also for a request on a connection that is kept alive', async () => {
  const queries = [{ url: `${site.url}/first` }, { url: `${site.url}/second` }]
  await requestEach([site.host], ...queries)
  expect((await requestEach([], ...queries)).map(([status]) => status)).toEqual([403, 403])
})

describe.each([
  ['on this machine', () => ({ dataDir })],
  ...(hasRedis ? [['in Redis', () => ({ dataDir, redis: redisUrl })] as const] : []),
] as const)('a media file that is stored %s', (_, storeOptions) => {
  it('is served only while its own host is allowed, and not just the host of its page', async () => {
    const query = { url: `${site.url}/photo`, ping: 'false', embed: 'image.url' }
    const page = { url: `${site.url}/photo`, ping: 'false' }
    const both = { ...storeOptions(), allowTargets: [site.host, images.host] }
    expect(await requestWith(both, query, query)).toEqual([
      [200, 'MISS'],
      [200, 'HIT'],
    ])
    const pageAlone = { ...storeOptions(), allowTargets: [site.host] }
    expect(await requestWith(pageAlone, query, page)).toEqual([
      [403, null],
      [200, 'HIT'],
    ])
    expect(await requestWith(both, query)).toEqual([[200, 'HIT']])
  })
})
