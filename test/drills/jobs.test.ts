// Covers a job of 2,000 pages that three fronts and three workers share, of which one each is killed in between, and visitors beside it.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished, TestRunner } from 'vitest'
import { openKeys } from '../../src/server/index.js'
import { startJob } from '../shared/start-job.js'
import { startRedis } from '../shared/start-redis.js'
import { percentile } from './drill-report.js'
import { newPage } from './send-load.js'
import { startRoles, type Cluster } from './start-roles.js'

const PAGES = 2_000
const JOB_PAGE_MS = 500
/** Most of a visit is the page itself, because cores that a job shares with visitors are slower than idle ones. */
const VISITED_PAGE_MS = 1_000
const VISITS = 15
const MINUTE_MS = 60_000

it(
  'has one result of each page, calls the webhook once, and leaves visitors their time, though a front and a worker are killed',
  { timeout: 20 * MINUTE_MS },
  async () => {
    const respond = (_: unknown, response: { end(text: string): void }) =>
      void setTimeout(() => response.end('<title>A page</title>'), JOB_PAGE_MS)
    const queue = await startRedis()
    onTestFinished(() => queue.close())
    const keyFolder = await mkdtemp(join(tmpdir(), 'page-preview-drill-jobs-'))
    onTestFinished(() => rm(keyFolder, { recursive: true, force: true }))
    const cluster = await startRoles([`--keys=${keyFolder}`, `--queue=${queue.freshUrl()}`])
    onTestFinished(() => cluster.stop())
    const { fronts, workers, site } = cluster
    site.routes['/hook'] = respond
    for (let page = 0; page < PAGES; page++) site.routes[`/job-${page}`] = respond
    const keys = await openKeys({ keys: keyFolder })
    const { key } = await keys.create('Drill')
    await keys.close()
    const aloneMs = percentile(await visitPages(cluster), 0.95)

    const urls = Array.from({ length: PAGES }, (_, page) => `${site.url}/job-${page}`)
    const { progress, results } = await startJob(() => fronts.at(-1)!.proUrl, key, {
      urls,
      webhook: `${site.url}/hook`,
    })
    const besideMs = percentile(await visitPages(cluster), 0.95)
    expect((await progress()).state).toBe('running')
    for (const member of [workers[0]!, fronts[0]!]) {
      const { done } = await progress()
      await expect
        .poll(async () => (await progress()).done, { timeout: MINUTE_MS, interval: 50 })
        .toBeGreaterThan(done + 200)
      await member.kill()
      await member.start()
    }
    await expect
      .poll(progress, { timeout: 10 * MINUTE_MS, interval: 500 })
      .toMatchObject({ state: 'finished', done: PAGES, failed: 0, webhook: 'delivered' })

    const numbers = (await results()).map(({ number }) => number)
    const fetched = site.requests.filter((line) => line.startsWith('GET /job-'))
    TestRunner.getCurrentTest()!.meta.drill = {
      name: 'a job of 2,000 pages',
      sent: PAGES,
      failed: 0,
      mayFail: 0,
      wrong: 0,
      slowestMs: 0,
      reasons: [],
      figure: `p95 of visitors ${Math.round(besideMs)} ms, alone ${Math.round(aloneMs)} ms; ${fetched.length - PAGES} pages fetched again`,
    }
    expect(numbers).toHaveLength(PAGES)
    expect(new Set(numbers).size).toBe(PAGES)
    expect(site.requests.filter((line) => line === 'POST /hook')).toHaveLength(1)
    // Only pages that were running when a front or a worker was killed are fetched again.
    expect(fetched.length).toBeLessThanOrEqual(PAGES + 8)
    expect(besideMs).toBeLessThanOrEqual(1.5 * aloneMs)
  },
)

/** Requests new pages one after the other. @returns How long each took, in milliseconds. */
async function visitPages({ url, site }: Cluster): Promise<number[]> {
  const times: number[] = []
  for (let visit = 0; visit < VISITS; visit++) {
    const startedAt = performance.now()
    const query = new URLSearchParams({ url: site.slowUrl(newPage(), VISITED_PAGE_MS), ping: 'false' })
    const response = await fetch(`${url}/?${query}`)
    await response.arrayBuffer()
    expect(response.status).toBe(200)
    times.push(performance.now() - startedAt)
  }
  return times
}
