// Covers how many jobs and pages a key may have, and which failures of a page are retried.
import { setImmediate } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { createBatches, type BatchesOptions } from '../../../src/server/batches/batches.js'
import type { Job, JobStore, JobWork, NewJob } from '../../../src/server/batches/job-store.js'
import { PageError, type PageResponse } from '../../../src/query/index.js'
import type { SigningKeyCipher } from '../../../src/server/keys/index.js'
import { recordingLog } from '../../shared/recording-log.js'

const { signal } = new AbortController()

const jobOf = (job: NewJob, total: number): Job => ({
  ...job,
  total,
  done: 0,
  failed: 0,
  running: 0,
  finishedAt: undefined,
  expiresAt: 0,
  webhookState: undefined,
})

/** Batches on a store that only remembers what it was given. */
function createTestBatches(
  stored: { jobs: number; pages: number } = { jobs: 0, pages: 0 },
  cipher?: Partial<SigningKeyCipher>,
) {
  const jobs = new Map<string, Job>()
  let work: JobWork | undefined
  const store: JobStore = {
    async addJob(job, urls) {
      await setImmediate()
      stored.jobs++
      stored.pages += urls.length
      jobs.set(job.id, jobOf(job, urls.length))
    },
    readJob: async (id) => jobs.get(id),
    readResults: async () => [],
    deleteJob: async (id) => jobs.delete(id),
    countJobs: async () => stored,
    countUnfinishedPages: async () => stored.pages,
    start: (given) => void (work = given),
    close: async () => undefined,
  }
  const { log, lines } = recordingLog()
  const parts = { cipher, concurrency: 1, mayStart: () => true, log, clock: Date.now }
  const batches = createBatches({ store, ...parts } as unknown as BatchesOptions)
  const create = (count: number) =>
    batches.create(JSON.stringify({ urls: Array(count).fill('http://example.com') }), {
      keyId: 'a',
      base: 'http://pro.test',
      signal,
    })
  /** The outcome of a page that ends with an error or a result. */
  async function outcomeOf(end: unknown, attempts = 1) {
    const { job } = await create(1)
    batches.start(async () => {
      if (end instanceof Error) throw end
      return end as PageResponse
    })
    return work!.capturePage(jobs.get(job.id)!, { number: 0, url: 'http://example.com', attempts }, signal)
  }
  /** The outcome of calling the webhook of a finished job, whose secret was encrypted before. */
  async function callWebhook() {
    const { job } = await create(1)
    batches.start(async () => ({}) as PageResponse)
    const webhook = { url: 'http://example.com/hook', encryptedSecret: 'v1.encrypted' }
    return work!.callWebhook({ ...jobs.get(job.id)!, webhook }, 1, signal)
  }
  return { create, outcomeOf, callWebhook, lines, counts: () => batches.counts() }
}

describe('a key', () => {
  it('may have 100 jobs', async () => {
    await expect(createTestBatches({ jobs: 100, pages: 100 }).create(1)).rejects.toMatchObject({ code: 'ERATE' })
    await expect(createTestBatches({ jobs: 99, pages: 99 }).create(1)).resolves.toBeDefined()
  })

  it('may have no more with jobs that are created at the same time', async () => {
    const { create } = createTestBatches()
    const created = await Promise.allSettled(Array.from({ length: 10 }, () => create(50_000)))
    expect(created.filter(({ status }) => status === 'fulfilled')).toHaveLength(4)
  })

  it('may have 200,000 pages in all its jobs', async () => {
    await expect(createTestBatches({ jobs: 4, pages: 199_990 }).create(11)).rejects.toMatchObject({ code: 'ERATE' })
    await expect(createTestBatches({ jobs: 4, pages: 199_990 }).create(10)).resolves.toBeDefined()
  })
})

it('counts how pages have ended', async () => {
  const { outcomeOf, counts } = createTestBatches()
  await outcomeOf({ status: 'success', data: {} })
  await outcomeOf(new PageError('EUNREACHABLE', 'Refused.'))
  await outcomeOf(new PageError('EBUSY', 'Busy.'))
  await outcomeOf(new PageError('EBUSY', 'Busy.'))
  expect(counts().pages).toEqual({ done: 1, failed: 1, later: 2 })
})

describe('a webhook', () => {
  it('waits while the service has no signing secret, which its operator may restore', async () => {
    const { callWebhook, counts } = createTestBatches()
    expect(await callWebhook()).toEqual({ status: 'later', afterMs: 60_000 })
    expect(counts().webhooks).toEqual({ delivered: 0, failed: 0, later: 0 })
  })

  it('fails with a line in the log, and is counted, if its secret was encrypted with another signing secret', async () => {
    const { callWebhook, counts, lines } = createTestBatches(undefined, { decrypt: () => undefined })
    expect(await callWebhook()).toEqual({ status: 'failed' })
    expect(counts().webhooks.failed).toBe(1)
    expect(lines).toEqual([expect.objectContaining({ event: 'webhook-failed' })])
  })
})

describe('a page', () => {
  const { outcomeOf } = createTestBatches()

  it('is retried when the service had no time for it, or the key no quota, however often', async () => {
    const busy = new PageError('EBUSY', 'Busy.', { retryAfterMs: 7_000 })
    expect(await outcomeOf(busy)).toEqual({ status: 'later', afterMs: 7_000, countsAsAttempt: false })
    const limit = new PageError('ERATE', 'Limit of the day.', { retryAfterMs: 86_400_000 })
    // The limit may be raised meanwhile.
    expect(await outcomeOf(limit)).toEqual({ status: 'later', afterMs: 60_000, countsAsAttempt: false })
    expect(await outcomeOf(new PageError('EBRWSRTIMEOUT', 'No slot.'))).toMatchObject({ status: 'later' })
  })

  it('is captured again if the browser had too little time for it, and fails with its third attempt', async () => {
    const slow = new PageError('EBRWSRTIMEOUT', 'Slow.', { cause: new PageError('ETIMEOUT', 'Slow.') })
    expect(await outcomeOf(slow, 2)).toMatchObject({ status: 'later', countsAsAttempt: true })
    expect(await outcomeOf(slow, 3)).toMatchObject({
      status: 'failed',
      result: expect.stringContaining('"code":"EBRWSRTIMEOUT"'),
    })
  })

  it('fails with its own error', async () => {
    const outcome = await outcomeOf(new PageError('EUNREACHABLE', 'Refused.'))
    expect(outcome).toMatchObject({ status: 'failed', result: expect.stringContaining('"code":"EUNREACHABLE"') })
  })

  it('is retried a few times after a failure that nobody expected', async () => {
    expect(await outcomeOf(new Error('unexpected'), 3)).toMatchObject({ status: 'later', countsAsAttempt: true })
    expect(await outcomeOf(new Error('unexpected'), 4)).toMatchObject({ status: 'failed' })
  })

  it('fails if its result is too long', async () => {
    const outcome = await outcomeOf({ status: 'success', data: { title: 'x'.repeat(100_001) } })
    expect(outcome).toMatchObject({ status: 'failed', result: expect.stringContaining('"code":"ETOOLARGE"') })
  })
})
