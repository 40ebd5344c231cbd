import { randomUUID } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { errorBody } from '../../query/help/index.js'
import { isPageError, PageError, type PageResponse } from '../../query/index.js'
import { createFairQueue, type ByteBudget } from '../budget/index.js'
import { busyError } from '../busy-error.js'
import { fetchList } from '../fetch-list.js'
import { FAILURE_TTL_MS, wasNotStarted, withTimeout } from '../jobs/index.js'
import type { SigningKeyCipher } from '../keys/index.js'
import type { Logger } from '../log.js'
import type { Guard, GuardedDispatcher } from '../network/index.js'
import { readUrlList } from '../url-list.js'
import { createListReader } from './create-list-reader.js'
import { parseJobRequest } from './job-request.js'
import {
  MAX_ATTEMPTS,
  type Job,
  type JobPage,
  type JobStore,
  type NewJob,
  type PageOutcome,
  type WebhookOutcome,
} from './job-store.js'
import { invalidWebhook, sendReport } from './webhook.js'

/** Jobs that one API key may have at the same time, finished ones included until they are deleted or expire. */
const MAX_JOBS_PER_KEY = 100
/** Pages of all jobs of one API key. */
const MAX_PAGES_PER_KEY = 200_000
/** Characters of one result. */
const MAX_RESULT_CHARS = 100_000
/** A page is started again after something unexpected has failed it. */
const UNEXPECTED_DELAY_MS = 5_000
/** A page for which the browser had too little time is captured again when that failure is no longer cached. */
const SLOW_BROWSER_DELAY_MS = FAILURE_TTL_MS.default + 1_000
/** How long a webhook waits for the signing secret, without which its report cannot be signed. */
const SECRET_DELAY_MS = 60_000
/** The service does not say when a place is free. */
const BUSY_DELAY_MS = 2_000
/** The limit of a key may be raised long before it ends. */
const MAX_DELAY_MS = 60_000
const SITEMAP_TIMEOUT_MS = 25_000
const MAX_ADDITIONS = 8
const MAX_WAITING_ADDITIONS = 100

/** A job as its owner sees it. Times are milliseconds since 1970. */
export interface JobProgress {
  id: string
  /** URL of this progress. */
  url: string
  /** URL of the results so far. */
  results: string
  state: 'waiting' | 'running' | 'finished'
  /** Pages: all of them, those with a result, those with an error, and those that are captured right now. */
  total: number
  done: number
  failed: number
  running: number
  createdAt: number
  finishedAt: number | null
  /** Then the job and its results are deleted. */
  expiresAt: number
  /** What became of the report to the webhook; `null` without one. */
  webhook: 'pending' | 'delivered' | 'failed' | null
}

/**
 * Captures one page on behalf of an API key.
 *
 * @throws  {PageError} as a request for the page does; `EBUSY` and `ERATE` if it can be captured later. The reason of `signal`.
 */
export type CaptureJobPage = (job: Job, url: string, signal: AbortSignal) => Promise<PageResponse>

/** The jobs of all API keys: what the routes do with them, and the work on their pages. */
export interface Batches {
  /**
   * @param body   Of `POST /jobs`.
   * @param owner  `keyId`: the API key. `base`: URL of the pro host, without trailing slash.
   * @throws  {PageError} `EINVALQUERY` and the errors of parameters for an invalid body; the errors of fetching the sitemap; `ERATE`
   *          when the key has too many jobs.
   */
  create(
    body: string,
    owner: { keyId: string; base: string; signal: AbortSignal },
  ): Promise<{ job: JobProgress; warnings: string[] }>
  /** @returns  `undefined` for a job that does not exist, or belongs to another key. */
  read(id: string, keyId: string): Promise<JobProgress | undefined>
  /** Lines of JSON, each with its line break. */
  readResults(id: string, after: number): AsyncGenerator<string>
  /** Cancels a job, and deletes its results. */
  remove(id: string, keyId: string): Promise<boolean>
  /** What this process has done since it was started. */
  counts(): BatchCounts
  /** Pages of all jobs and processes that have no result yet. @throws {PageError} `EBUSY` while a remote queue is unreachable. */
  countUnfinishedPages(): Promise<number>
  /** Starts working on jobs. */
  start(capture: CaptureJobPage): void
  /** Stops working; pages that are running are started again by the next process. */
  close(): Promise<void>
}

/** How pages and calls of webhooks have ended; `later`: they are tried again. */
export interface BatchCounts {
  pages: Readonly<Record<PageOutcome['status'], number>>
  webhooks: Readonly<Record<WebhookOutcome['status'], number>>
}

export interface BatchesOptions {
  store: JobStore
  guard: Guard
  dispatcher: GuardedDispatcher
  byteBudget: ByteBudget
  /** Encrypts the secrets of webhooks; without it, no job has a webhook. */
  cipher: SigningKeyCipher | undefined
  /** Pages that are captured at the same time. */
  concurrency: number
  /** Whether another page may start now: callers that wait for a page come first. */
  mayStart: () => boolean
  log: Logger
  clock: () => number
}

export function createBatches(options: BatchesOptions): Batches {
  const { store, guard, dispatcher, byteBudget, cipher, concurrency, mayStart, log, clock } = options
  const lists = createListReader()
  /** One job of a key after the other, so that each is counted before the next one is checked. */
  const additions = createFairQueue({
    concurrency: MAX_ADDITIONS,
    maxPerClient: 1,
    maxWaiting: MAX_WAITING_ADDITIONS,
    fullError: () => busyError('Too many jobs are being created'),
  })
  const counts = {
    pages: { done: 0, failed: 0, later: 0 },
    webhooks: { delivered: 0, failed: 0, later: 0 },
  }

  async function listUrls(
    source: { urls: readonly string[] } | { sitemap: string },
    { keyId: client, signal }: { keyId: string; signal: AbortSignal },
  ) {
    if ('urls' in source) return source.urls
    const readFile = (url: string, signal: AbortSignal) =>
      byteBudget.run(client, async (memory) =>
        lists.parse(await fetchList(url, { guard, dispatcher, memory, signal }), url, { client, signal }),
      )
    const read = (signal: AbortSignal) => readUrlList(source.sitemap, (url) => readFile(url, signal))
    const timeoutError = () =>
      new PageError('ETIMEOUT', 'The sitemap could not be read in time. Create a job for each of its sitemaps.', {
        data: { sitemap: 'not read in time' },
      })
    try {
      return await withTimeout(read, { signal, timeoutMs: SITEMAP_TIMEOUT_MS, timeoutError })
    } catch (error) {
      signal.throwIfAborted()
      if (isPageError(error)) throw error
      throw new PageError('EINVALQUERY', error instanceof Error ? error.message : String(error), {
        data: { sitemap: 'cannot be read' },
        cause: error,
      })
    }
  }

  async function assertRoom(keyId: string, newPages: number): Promise<void> {
    const { jobs, pages } = await store.countJobs(keyId)
    if (jobs >= MAX_JOBS_PER_KEY)
      throw new PageError('ERATE', `This API key has ${jobs} jobs. Delete finished ones before you create another.`)
    if (pages + newPages > MAX_PAGES_PER_KEY)
      throw new PageError(
        'ERATE',
        `The jobs of this API key have ${pages} pages, and may have ${MAX_PAGES_PER_KEY}. Delete finished jobs before you create another.`,
      )
  }

  async function readOwn(id: string, keyId: string): Promise<Job | undefined> {
    const job = await store.readJob(id)
    return job?.keyId === keyId ? job : undefined
  }

  return {
    async create(body, { keyId, base, signal }) {
      await nextTurn()
      const { source, parameters, webhook, warnings } = parseJobRequest(body)
      const id = randomUUID()
      if (webhook && !cipher)
        throw invalidWebhook('needs a signing secret, which this service does not have; ask its operator to set one')
      if (webhook) await guard.check(webhook.url, { signal })
      await assertRoom(keyId, 0)
      const urls = await listUrls(source, { keyId, signal })
      const encryptedSecret = webhook && cipher?.encrypt(webhook.secret, secretName(id))
      const newJob: NewJob = {
        id,
        keyId,
        base,
        parameters,
        webhook: webhook && encryptedSecret !== undefined ? { url: webhook.url, encryptedSecret } : undefined,
        createdAt: clock(),
      }
      const add = async () => {
        await assertRoom(keyId, urls.length)
        await store.addJob(newJob, urls)
      }
      await additions.run({ client: keyId }, add, signal)
      const job = await store.readJob(id)
      if (!job) throw new PageError('EFATAL', 'The job was not stored.')
      return { job: progressOf(job), warnings }
    },
    async read(id, keyId) {
      const job = await readOwn(id, keyId)
      return job && progressOf(job)
    },
    async *readResults(id, after) {
      for (let sequence = after; ;) {
        const results = await store.readResults(id, sequence)
        if (results.length === 0) return
        yield results.map((result) => `{"sequence":${++sequence},${result.slice(1)}\n`).join('')
      }
    },
    remove: async (id, keyId) => (await readOwn(id, keyId)) !== undefined && store.deleteJob(id),
    counts: () => counts,
    countUnfinishedPages: () => store.countUnfinishedPages(),
    start(capture) {
      store.start({
        concurrency,
        mayStart,
        async capturePage(job, page, signal) {
          const outcome = await capturePage(job, page, capture, { signal, log })
          counts.pages[outcome.status]++
          return outcome
        },
        async callWebhook(job, attempts, signal) {
          const { webhook } = job
          // The operator may restore the secret.
          if (!webhook || !cipher) return { status: 'later', afterMs: SECRET_DELAY_MS }
          const secret = cipher.decrypt(webhook.encryptedSecret, secretName(job.id))
          const outcome: WebhookOutcome = secret
            ? await sendReport(
                { url: webhook.url, secret },
                { id: job.id, body: reportOf(job), attempts },
                { guard, dispatcher, clock, signal },
              )
            : { status: 'failed' }
          counts.webhooks[outcome.status]++
          if (outcome.status === 'failed')
            log.warn({ event: 'webhook-failed', job: job.id, attempts }, 'the webhook of a job could not be called')
          return outcome
        },
      })
    },
    close: async () => void (await Promise.all([lists.close(), store.close()])),
  }
}

const secretName = (jobId: string) => `webhook ${jobId}`

function progressOf(job: Job): JobProgress {
  const { id, total, done, failed, running, createdAt, finishedAt, expiresAt, webhookState } = job
  const url = `${job.base}/jobs/${id}`
  const hasStarted = done + failed + running > 0
  return {
    id,
    url,
    results: `${url}/results`,
    state: finishedAt !== undefined ? 'finished' : hasStarted ? 'running' : 'waiting',
    total,
    done,
    failed,
    running,
    createdAt,
    finishedAt: finishedAt ?? null,
    expiresAt,
    webhook: webhookState ?? null,
  }
}

/** The body of a report: the same with each attempt, so without what changes after the end of the job. */
function reportOf(job: Job): string {
  const { webhook: _, running: _running, ...data } = progressOf(job)
  return JSON.stringify({
    type: 'job.finished',
    timestamp: new Date(job.finishedAt ?? job.createdAt).toISOString(),
    data,
  })
}

async function capturePage(
  job: Job,
  { number, url, attempts }: JobPage,
  capture: CaptureJobPage,
  { signal, log }: { signal: AbortSignal; log: Logger },
): Promise<PageOutcome> {
  const failWith = (error: PageError): PageOutcome => ({
    status: 'failed',
    result: JSON.stringify({ number, url, ...errorBody(error, job.base) }),
  })
  if (attempts > MAX_ATTEMPTS)
    return failWith(
      new PageError(
        'EFATAL',
        `The service failed or ended ${MAX_ATTEMPTS} times while it captured this page, and gave up.`,
      ),
    )
  try {
    const result = JSON.stringify({ number, url, ...(await capture(job, url, signal)) })
    if (result.length <= MAX_RESULT_CHARS) return { status: 'done', result }
    return failWith(
      new PageError(
        'ETOOLARGE',
        `The result is longer than ${MAX_RESULT_CHARS} characters; select fields with filter.`,
      ),
    )
  } catch (error) {
    signal.throwIfAborted()
    if (isPageError(error) && (error.code === 'ERATE' || wasNotStarted(error)))
      return {
        status: 'later',
        afterMs: Math.min(Math.max(BUSY_DELAY_MS, error.retryAfterMs ?? 0), MAX_DELAY_MS),
        countsAsAttempt: false,
      }
    // The browser had too little time for the page, because others had it before.
    if (isPageError(error) && error.code === 'EBRWSRTIMEOUT' && attempts < MAX_ATTEMPTS)
      return { status: 'later', afterMs: SLOW_BROWSER_DELAY_MS, countsAsAttempt: true }
    if (isPageError(error)) return failWith(error)
    log.error({ event: 'job-page-failed', job: job.id, error: String(error) }, 'a page of a job failed unexpectedly')
    return { status: 'later', afterMs: UNEXPECTED_DELAY_MS, countsAsAttempt: true }
  }
}
