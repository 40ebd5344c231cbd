import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { createService, openKeys, type Service } from '../../../src/server/index.js'
import { recordingLog } from '../../shared/recording-log.js'
import { hasRedis, startRedis, type TestRedis } from '../../shared/start-redis.js'

describe.skipIf(!hasRedis)('the queue of jobs in Redis', () => {
  let redis: TestRedis
  let dataDir: string
  beforeAll(async () => {
    redis = await startRedis()
    dataDir = await mkdtemp(join(tmpdir(), 'page-preview-redis-jobs-'))
  })
  afterAll(async () => {
    await redis.close()
    await rm(dataDir, { recursive: true, force: true })
  })

  async function start() {
    const { log, lines } = recordingLog()
    const queue = redis.freshUrl()
    const service: Service = createService({ dataDir, queue, log })
    onTestFinished(() => service.close())
    await service.ready()
    const keys = await openKeys({ dataDir })
    const { key } = await keys.create('Batches')
    await keys.close()
    const request = (path: string, init: RequestInit = {}) =>
      service.fetch(new Request(`http://pro.test${path}`, { ...init, headers: { 'x-api-key': key } }), { plan: 'pro' })
    const post = (count = 1) =>
      request('/jobs', { method: 'POST', body: JSON.stringify({ urls: Array(count).fill('http://10.0.0.1/') }) })
    return { post, request, queue, events: () => lines.map(({ event }) => event) }
  }

  it('is refused if Redis may evict jobs', async () => {
    const url = redis.freshUrl()
    const client = new Redis(url)
    await client.config('SET', 'maxmemory-policy', 'allkeys-lru')
    const service = createService({ dataDir, queue: url })
    await expect(service.ready()).rejects.toThrow(/--queue: .* evicts keys .*allkeys-lru.*noeviction/)
    await service.close()
    await client.config('SET', 'maxmemory-policy', 'noeviction')
    client.disconnect()
  })

  it('is used with a warning if jobs are lost with the process of Redis', async () => {
    const { events } = await start()
    expect(events()).toContain('queue-not-persistent')
  })

  it('has no page of a job any more that was removed', async () => {
    const { post, request, queue } = await start()
    const inspector = new Redis(queue)
    onTestFinished(() => inspector.disconnect())
    const queuedPages = async () => (await inspector.keys('page-preview:pages:*-*-*-*-*-*')).length
    const { data } = (await (await post(2_000)).json()) as { data: { id: string } }
    expect(await queuedPages()).toBeGreaterThan(1_000)
    expect((await request(`/jobs/${data.id}`, { method: 'DELETE' })).status).toBe(204)
    expect((await request(`/jobs/${data.id}`)).status).toBe(404)
    // Those that were running leave it when they have ended.
    await expect.poll(queuedPages).toBe(0)
    expect(await inspector.keys('page-preview:job*')).toEqual([])
  })

  it('lets a job be removed when Redis is full', async () => {
    const { post, request, queue } = await start()
    const inspector = new Redis(queue)
    onTestFinished(() => inspector.disconnect())
    const { data } = (await (await post(2_000)).json()) as { data: { id: string } }
    await inspector.config('SET', 'maxmemory', '1mb')
    onTestFinished(async () => void (await inspector.config('SET', 'maxmemory', '0')))
    expect((await request(`/jobs/${data.id}`, { method: 'DELETE' })).status).toBe(204)
    await expect.poll(async () => (await inspector.keys('page-preview:pages:*-*-*-*-*-*')).length).toBeLessThan(10)
  })

  it('fails jobs alone while Redis is away, and works again when it is back', async () => {
    const { post, request, events } = await start()
    expect((await post()).status).toBe(202)
    await redis.kill()
    await expect.poll(events).toContain('queue-unreachable')
    const refused = await post()
    expect(refused.status).toBe(503)
    expect(await refused.json()).toMatchObject({ code: 'EBUSY' })
    expect((await request('/?url=http://10.0.0.1/')).status).toBe(403)
    await redis.restart()
    await expect.poll(async () => (await post()).status, { timeout: 15_000 }).toBe(202)
    // Workers are back too.
    const { data } = (await (await post()).json()) as { data: { id: string } }
    const progress = async () => (await (await request(`/jobs/${data.id}`)).json()) as object
    // Sooner than BullMQ connects again because nothing was sent for five seconds.
    await expect.poll(progress, { timeout: 4_000 }).toMatchObject({ data: { state: 'finished', failed: 1 } })
  })
})
