// Covers jobs whose service is killed: pages that were running are captured again, finished ones are not, and the webhook is called.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { openKeys } from '../../src/server/index.js'
import { localSite, type LocalSite } from '../local-site.js'
import { startJob } from '../shared/start-job.js'
import { hasRedis, startRedis, type TestRedis } from '../shared/start-redis.js'
import { startInstance, type Instance } from './start-instance.js'

const PAGES = 60

let site: LocalSite
let redis: TestRedis | undefined
beforeAll(async () => {
  if (hasRedis) redis = await startRedis()
  site = await localSite(
    new Proxy(
      {},
      {
        get: (_, path: string) =>
          path === '/hook'
            ? ''
            : (_request: unknown, response: { end(text: string): void }) =>
                void setTimeout(() => response.end(`<title>${path}</title>`), 20),
      },
    ),
  )
})
afterAll(async () => {
  await site.close()
  await redis?.close()
})

describe.each([
  { name: 'on one machine', isShared: false },
  { name: 'in a queue of Redis', isShared: true },
])('a job $name', ({ isShared }) => {
  if (isShared && !hasRedis) return it.skip('needs a Redis server, which is not installed')

  it('goes on after kill -9, twice, without a page that is lost or listed twice', { timeout: 180_000 }, async () => {
    site.requests.length = 0
    const dataDir = await mkdtemp(join(tmpdir(), 'page-preview-killed-jobs-'))
    onTestFinished(() => rm(dataDir, { recursive: true, force: true }))
    const flags = [`--allow-target=${site.host}`, ...(isShared ? [`--queue=${redis!.freshUrl()}`] : [])]
    let service: Instance = await startInstance({ dataDir, flags })
    onTestFinished(() => service.stop())
    const keys = await openKeys({ dataDir })
    const { key } = await keys.create('Batches')
    await keys.close()
    const urls = Array.from({ length: PAGES }, (_, index) => `${site.url}/${isShared}-${index}`)
    const job = await startJob(() => service.proUrl, key, { urls, webhook: `${site.url}/hook` })

    for (const done of [5, 25]) {
      await expect
        .poll(async () => (await job.progress()).done, { timeout: 60_000, interval: 10 })
        .toBeGreaterThan(done)
      await service.kill()
      service = await startInstance({ dataDir, flags })
    }
    await expect
      .poll(job.progress, { timeout: 30_000 })
      .toMatchObject({ state: 'finished', done: PAGES, webhook: 'delivered' })

    const results = await job.results()
    expect(results.map(({ sequence }) => sequence)).toEqual(urls.map((_, index) => index + 1))
    expect(new Set(results.map(({ number }) => number)).size).toBe(PAGES)
    expect(results.filter(({ status }) => status !== 'success')).toEqual([])
    const fetched = site.requests.filter((line) => line.includes(`/${isShared}-`))
    // Only pages that were running when the service was killed are fetched again, four at most each time.
    expect(fetched.length - new Set(fetched).size).toBeLessThanOrEqual(8)
    expect(site.requests.filter((line) => line === 'POST /hook')).toHaveLength(1)
  })
})
