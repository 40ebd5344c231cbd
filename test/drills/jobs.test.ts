// Covers a job of 2,000 pages in the queue that three instances share, two of which are killed in between.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { openKeys } from '../../src/server/index.js'
import { startInstance, type Instance } from '../faults/start-instance.js'
import { localSite } from '../local-site.js'
import { startJob } from '../shared/start-job.js'
import { startRedis } from '../shared/start-redis.js'

const PAGES = 2_000
const INSTANCES = 3
const RESPONSE_MS = 20
const MINUTE_MS = 60_000

it(
  'has one result of each page, and calls the webhook once, though instances are killed',
  { timeout: 20 * MINUTE_MS },
  async () => {
    const respond = (_: unknown, response: { end(text: string): void }) =>
      void setTimeout(() => response.end('<title>A page</title>'), RESPONSE_MS)
    const site = await localSite(new Proxy({}, { get: () => respond }))
    onTestFinished(() => site.close())
    const redis = await startRedis()
    onTestFinished(() => redis.close())
    const keyFolder = await mkdtemp(join(tmpdir(), 'page-preview-drill-jobs-'))
    onTestFinished(() => rm(keyFolder, { recursive: true, force: true }))
    const flags = [
      `--allow-target=${site.host}`,
      `--keys=${keyFolder}`,
      `--redis=${redis.freshUrl()}`,
      `--queue=${redis.freshUrl()}`,
    ]
    const env = { PAGE_PREVIEW_SIGNING_SECRET: 'a signing secret that all instances share' }
    const instances: Instance[] = []
    onTestFinished(async () => void (await Promise.all(instances.map((each) => each.stop()))))
    while (instances.length < INSTANCES) instances.push(await startInstance({ flags, env }))
    const keys = await openKeys({ keys: keyFolder })
    const { key } = await keys.create('Drill')
    await keys.close()

    const urls = Array.from({ length: PAGES }, (_, index) => `${site.url}/page-${index}`)
    const { progress, results } = await startJob(() => instances.at(-1)!.proUrl, key, {
      urls,
      webhook: `${site.url}/hook`,
    })

    for (const done of [PAGES / 4, PAGES / 2]) {
      await expect
        .poll(async () => (await progress()).done, { timeout: 5 * MINUTE_MS, interval: 50 })
        .toBeGreaterThan(done)
      await instances.shift()!.kill()
      if (done < PAGES / 2) instances.unshift(await startInstance({ flags, env }))
    }
    await expect
      .poll(progress, { timeout: 10 * MINUTE_MS, interval: 500 })
      .toMatchObject({ state: 'finished', done: PAGES, failed: 0, webhook: 'delivered' })

    const numbers = (await results()).map(({ number }) => number)
    expect(numbers).toHaveLength(PAGES)
    expect(new Set(numbers).size).toBe(PAGES)
    expect(site.requests.filter((line) => line === 'POST /hook')).toHaveLength(1)
    const fetched = site.requests.filter((line) => line.startsWith('GET /page-'))
    // Only pages that were running when an instance was killed are fetched again: four at most of each.
    expect(fetched.length).toBeLessThanOrEqual(PAGES + 8)
  },
)
