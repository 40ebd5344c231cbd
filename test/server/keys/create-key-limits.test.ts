import { mkdtemp, rm } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { signedUrl } from '../../../src/client/index.js'
import { createService, openKeys, type Keys, type Service } from '../../../src/server/index.js'
import type { ApiKeyLimits } from '../../../src/server/store/index.js'
import { localSite, type LocalSite } from '../../local-site.js'
import { hasRedis, startRedis, type TestRedis } from '../../shared/start-redis.js'

const HOUR = 3_600_000

let site: LocalSite
let other: LocalSite
let redis: TestRedis | undefined
const waiting: ServerResponse[] = []

beforeAll(async () => {
  other = await localSite({ '/': '<title>Other</title>' })
  site = await localSite({
    '/': '<title>Page</title>',
    '/hanging': (_, response) => void waiting.push(response),
    '/elsewhere': (_, response) => void response.writeHead(302, { location: `${other.url}/` }).end(),
  })
  redis = hasRedis ? await startRedis() : undefined
})
afterAll(async () => {
  await Promise.all([site.close(), other.close(), redis?.close()])
})

describe.each(['the data folder', 'Redis'])('a key in %s', (where) => {
  let service: Service
  let keys: Keys
  let dataDir: string
  let now = Date.now()

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'page-preview-limits-'))
    const location = where === 'Redis' && redis ? { redis: redis.freshUrl() } : { dataDir }
    const signingSecret = 's'.repeat(32)
    const allowTargets = [site.host, other.host]
    service = createService({ ...location, signingSecret, allowTargets, clock: () => now })
    await service.ready()
    keys = await openKeys({ ...location, signingSecret })
  })
  afterAll(async () => {
    await keys.close()
    await service.close()
    await rm(dataDir, { recursive: true, force: true })
  })

  const send = async (url: string, key?: string) => {
    const headers: Record<string, string> = key ? { 'x-api-key': key } : {}
    const response = await service.fetch(new Request(url, { headers }), { plan: 'pro' })
    const { code, data } = (await response.json()) as { code?: string; data: Record<string, unknown> }
    const cache = response.headers.get('x-cache-status')
    return { status: response.status, code, data, cache, retryAfter: Number(response.headers.get('retry-after')) }
  }
  const request = (key: string, url: string) =>
    send(`http://pro.test/?${new URLSearchParams({ url, ping: 'false' })}`, key)
  const create = async (limits: ApiKeyLimits) => keys.create('Limited', limits)

  it('has a daily limit of uncached requests, counts them, and has them back the next day', async () => {
    const { key, id } = await create({ dailyLimit: 2 })
    for (const path of ['/?1', '/?2']) expect((await request(key, site.url + path)).status).toBe(200)
    const refused = await request(key, `${site.url}/?3`)
    expect(refused).toMatchObject({ status: 429, code: 'ERATE' })
    expect(refused.retryAfter).toBeGreaterThan(0)
    expect(refused.retryAfter).toBeLessThanOrEqual(24 * 3_600)
    expect(await request(key, `${site.url}/?1`)).toMatchObject({ status: 200, cache: 'HIT' })
    expect(Object.values(await keys.usage(id))).toEqual([2])
    await keys.update(id, { dailyLimit: 3 })
    expect((await request(key, `${site.url}/?3`)).status).toBe(200)
    const { key: unlimited, id: unlimitedId } = await create({})
    expect((await request(unlimited, `${site.url}/?4`)).status).toBe(200)
    expect(Object.values(await keys.usage(unlimitedId))).toEqual([1])
    now += 24 * HOUR
    expect((await request(key, `${site.url}/?tomorrow`)).status).toBe(200)
    now -= 24 * HOUR
  })

  it('has a limit of uncached requests at the same time', async () => {
    const { key } = await create({ concurrency: 1 })
    const path = `/hanging?${where.replaceAll(' ', '')}`
    const first = request(key, site.url + path)
    await expect.poll(() => waiting.length).toBe(1)
    const refused = await request(key, `${site.url}/?beside`)
    expect(refused).toMatchObject({ status: 429, code: 'ERATE', retryAfter: 1 })
    const { key: another } = await create({ concurrency: 1 })
    expect((await request(another, `${site.url}/?another`)).status).toBe(200)
    expect(await request(key, `${site.url}/?another`)).toMatchObject({ status: 200, cache: 'HIT' })
    waiting.pop()!.writeHead(200, { 'content-type': 'text/html' }).end('<title>Late</title>')
    expect((await first).status).toBe(200)
    expect((await request(key, `${site.url}/?beside`)).status).toBe(200)
  })

  it('expires, with what is signed by it', async () => {
    const { key, id } = await create({ expiresAt: now + HOUR })
    const options = { endpoint: { pro: 'http://pro.test' }, apiKey: key, expiresIn: 100 * HOUR }
    const signed = await signedUrl({ url: `${site.url}/` }, options)
    expect([(await request(key, site.url)).status, (await send(signed)).status]).toEqual([200, 200])
    now += HOUR
    expect(await request(key, site.url)).toMatchObject({ status: 403, code: 'EAUTH', data: { apiKey: 'expired' } })
    expect(await send(signed)).toMatchObject({ status: 403, code: 'EAUTH', data: { keyId: 'expired' } })
    await keys.update(id, { expiresAt: undefined })
    expect([(await request(key, site.url)).status, (await send(signed)).status]).toEqual([200, 200])
    now -= HOUR
  })

  it('may request pages of its hosts only, also through redirects and from the cache', async () => {
    const { key: any } = await create({})
    expect((await request(any, other.url)).status).toBe(200)
    const { key, id } = await create({ allowHosts: [site.host] })
    expect((await request(key, site.url)).status).toBe(200)
    for (const url of [other.url, `${site.url}/elsewhere`])
      expect(await request(key, url)).toMatchObject({ status: 403, code: 'EFORBIDDENURL' })
    await keys.update(id, { allowHosts: [site.host, other.host] })
    expect((await request(key, other.url)).status).toBe(200)
  })
})
