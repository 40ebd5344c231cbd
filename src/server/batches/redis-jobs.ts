import type { Job as QueuedJob, Queue, Worker } from 'bullmq'
import { setTimeout as delay } from 'node:timers/promises'
import { busyError } from '../busy-error.js'
import {
  connectRedis,
  createRedisClient,
  reconnectDelayMs,
  redisKey,
  rejectAfter,
  type RedisConfig,
  type RedisConnection,
} from '../store/index.js'
import {
  INCOMPLETE_TTL_MS,
  MAX_ATTEMPTS,
  MAX_WEBHOOKS,
  RESULTS_PER_READ,
  RESULTS_TTL_MS,
  ROOM_CHECK_MS,
  UNFINISHED_TTL_MS,
  type Job,
  type JobStore,
  type JobWork,
  type NewJob,
} from './job-store.js'
import { createRunningPages } from './running-pages.js'

/** A page in the queue. Neither headers nor secrets are in it. */
interface QueuedPage {
  job: string
  number: number
  url: string
  /** Its place among the pages of all keys: the lowest starts first. */
  rank: number
  /** Attempts that failed unexpectedly. */
  failures: number
}

/** The fields of a job's hash; numbers as text. */
interface JobHash extends Record<string, string> {
  /** A `NewJob`. */
  json: string
  total: string
  done: string
  failed: string
  expiresAt: string
  finishedAt: string
  webhookState: string
  webhookAttempts: string
  /** No page starts before, milliseconds since 1970. */
  startAt: string
}

/** Names a page in the queue. The ID of BullMQ would start again at 1 in a Redis that has lost its data. */
const queuedId = (job: string, number: number) => `${job}-${number}`

type OnQueueEvent = (event: 'queue-unreachable' | 'queue-recovered' | 'queue-not-persistent', reason?: string) => void

/** Changes that `addBulk` sends at once; a larger part would take longer than a command may. */
const PAGES_PER_COMMAND = 250
/** The lowest priority of BullMQ. */
const MAX_RANK = 2 ** 21
/**
 * A page of a process that ended is taken over after two to three seconds. With a shorter lock, an event loop that is busy for a second
 * would lose its pages.
 */
const LOCK = { lockDuration: 2_000, stalledInterval: 1_000, maxStalledCount: MAX_ATTEMPTS + 1 }
const QUEUE_TIMEOUT_MS = 2_000
const CONNECT_TIMEOUT_MS = 5_000
/** How long a worker waits after an error of Redis before it takes pages again; BullMQ's own 15 seconds would follow each short outage. */
const RETRY_DELAY_MS = 1_000
/** How long a page waits for room here, before another instance may take it. */
const MAX_ROOM_WAIT_MS = 2_000
const REMOVAL_CHECK_MS = 1_000
/** After an error of Redis itself, as often as it takes. */
const RETRIES = { attempts: 1_000_000, backoff: { type: 'fixed', delay: 3_000 } }
const QUEUED = { removeOnComplete: true, removeOnFail: true, ...RETRIES }

/**
 * Ends a page once: counts it, adds its result, and finishes the job with the last one.
 *
 * KEYS: job, results, ended pages (a bitmap). ARGV: number, result, `done` or `failed`, now, and when results expire then.
 */
const END_PAGE = `
  if redis.call('HEXISTS', KEYS[1], 'json') == 0 or redis.call('SETBIT', KEYS[3], ARGV[1], 1) == 1 then return 0 end
  redis.call('RPUSH', KEYS[2], ARGV[2])
  redis.call('HINCRBY', KEYS[1], ARGV[3], 1)
  local job = redis.call('HMGET', KEYS[1], 'done', 'failed', 'total')
  if job[1] + job[2] == tonumber(job[3]) then
    redis.call('HSET', KEYS[1], 'finishedAt', ARGV[4], 'expiresAt', ARGV[5])
    redis.call('PEXPIREAT', KEYS[1], ARGV[5])
  end
  local ttl = redis.call('PTTL', KEYS[1])
  redis.call('PEXPIRE', KEYS[2], ttl)
  redis.call('PEXPIRE', KEYS[3], ttl)
  return 1`

/**
 * Opens the jobs that several instances share: their pages in a queue of BullMQ, and their progress and results beside it.
 *
 * @param options.prefix    Prefix of each key.
 * @param options.onError   Receives errors of background work, which reach no caller.
 * @param options.onEvent   Receives whether Redis can be reached, and what operators should know of it.
 * @throws  Error with a sentence for the operator when Redis may evict jobs, or rejects the login.
 */
export async function openRedisJobs(
  config: RedisConfig,
  {
    prefix,
    clock,
    onError,
    onEvent,
  }: {
    prefix: string
    clock: () => number
    onError: (error: unknown) => void
    onEvent: OnQueueEvent
  },
): Promise<JobStore> {
  const redis = await connectRedis(config, {
    option: '--queue',
    keyPrefix: prefix,
    mayBeUnreachable: true,
    onDisconnect: (error) => onEvent('queue-unreachable', error.message),
    onReconnect: () => onEvent('queue-recovered'),
  })
  try {
    await assertKeepsJobs(redis, config, onEvent)
  } catch (error) {
    redis.close()
    throw error
  }
  const bullmq = await import('bullmq')
  // BullMQ waits for a client that is connecting, and fails for good after a first attempt of its own. After that, commands of the
  // producer fail at once while Redis is away, and workers wait for it.
  const producer = await createRedisClient(config, { lazyConnect: false, maxRetriesPerRequest: null })
  const closing = new AbortController()
  const consumer = await createRedisClient(config, {
    lazyConnect: false,
    // Of its copies too, one for each worker, which would keep the process running while Redis is away.
    retryStrategy: (attempt) => (closing.signal.aborted ? null : reconnectDelayMs(attempt)),
    commandTimeout: undefined,
    // What was on its way when the connection ended is sent again, as BullMQ expects: a worker would wait for its response for good.
    autoResendUnfulfilledCommands: true,
    maxRetriesPerRequest: null,
    enableOfflineQueue: true,
  })
  for (const client of [producer, consumer]) client.on('error', () => undefined)
  const openQueue = <Data>(name: string): Queue<Data> => {
    const queue = new bullmq.Queue<Data>(name, { connection: producer, prefix })
    queue.on('error', () => undefined)
    return queue
  }
  const pages = openQueue<QueuedPage>('pages')
  const webhooks = openQueue<{ job: string }>('webhooks')
  // Then the first request is not the one that waits for the connection.
  const isReady = Promise.all([pages.waitUntilReady(), webhooks.waitUntilReady()]).catch(() => undefined)
  await Promise.race([isReady, delay(redis.state() === 'ok' ? CONNECT_TIMEOUT_MS : 0, undefined, { ref: false })])
  const running = createRunningPages(closing.signal)
  const workers: Worker[] = []
  let checking: NodeJS.Timeout | undefined

  const keysOf = (id: string) => [redisKey('job', id), redisKey('job', id, 'results'), redisKey('job', id, 'ended')]
  const keyOf = (id: string) => redisKey('job', id)
  const listOf = (keyId: string) => redisKey('jobs', keyId)

  /** @throws  {PageError} `EBUSY` while Redis is unreachable. */
  const enqueue = <Result>(commands: Promise<Result>): Promise<Result> =>
    rejectAfter(QUEUE_TIMEOUT_MS, commands).catch((cause: unknown) => {
      throw busyError('The queue of jobs cannot be reached', { cause })
    })

  /** Puts what a worker has taken back into its queue, for a while. */
  const postpone = async (queued: QueuedJob, token: string | undefined, afterMs: number): Promise<never> => {
    await queued.moveToDelayed(Date.now() + Math.max(1, afterMs), token)
    throw new bullmq.DelayedError()
  }

  const readHash = (id: string) => redis.run((commands) => commands.hgetall(keyOf(id))) as Promise<Partial<JobHash>>

  async function addJob(job: NewJob, urls: readonly string[]): Promise<void> {
    const total = urls.length
    const turn = await redis.run(async (commands) => {
      const [now, ofKey] = await commands.mget(redisKey('turn'), redisKey('turn', job.keyId))
      return Math.max(Number(now), Number(ofKey))
    })
    const expiresAt = clock() + UNFINISHED_TTL_MS
    const hash: JobHash = {
      json: JSON.stringify(job),
      total: String(total),
      done: '0',
      failed: '0',
      expiresAt: String(expiresAt),
      finishedAt: '',
      webhookState: job.webhook ? 'pending' : '',
      webhookAttempts: '0',
      startAt: '0',
    }
    await redis.run((commands) =>
      commands
        .multi()
        .hset(keyOf(job.id), hash)
        // If this process ends before all pages are queued, nobody knows of the job.
        .pexpire(keyOf(job.id), INCOMPLETE_TTL_MS)
        .sadd(listOf(job.keyId), job.id)
        .pexpire(listOf(job.keyId), UNFINISHED_TTL_MS + RESULTS_TTL_MS)
        .set(redisKey('turn', job.keyId), turn + total, 'PX', UNFINISHED_TTL_MS)
        .exec(),
    )
    try {
      await enqueuePages(job, urls, turn)
    } catch (error) {
      await redis.run((commands) => commands.del(keyOf(job.id))).catch(() => undefined)
      await dequeuePages(job.id, total).catch(() => undefined)
      throw error
    }
    // The job may be finished by now.
    const { expiresAt: last = expiresAt } = await readHash(job.id)
    await redis.run((commands) => Promise.all(keysOf(job.id).map((key) => commands.pexpireat(key, Number(last)))))
  }

  /** @param turn  The rank after which its pages start. */
  async function enqueuePages({ id }: NewJob, urls: readonly string[], turn: number): Promise<void> {
    for (let start = 0; start < urls.length; start += PAGES_PER_COMMAND) {
      const part = urls.slice(start, start + PAGES_PER_COMMAND).map((url, index) => {
        const number = start + index
        const rank = Math.min(MAX_RANK, turn + number + 1)
        const data: QueuedPage = { job: id, number, url, rank, failures: 0 }
        return { name: 'page', data, opts: { ...QUEUED, jobId: queuedId(id, number), priority: rank } }
      })
      await enqueue(pages.addBulk(part))
    }
  }

  async function readJob(id: string): Promise<Job | undefined> {
    const job = jobOf(await readHash(id))
    if (!job || job.finishedAt !== undefined) return job
    const active = await enqueue(pages.getActive())
    return { ...job, running: active.filter((each) => each?.data.job === id).length }
  }

  async function deleteJob(id: string): Promise<boolean> {
    const job = jobOf(await readHash(id))
    if (!job) return false
    const [hash, ...others] = keysOf(id) as [string, ...string[]]
    // Its pages count for its key until they have left the queue. A full Redis accepts these commands, but no transaction.
    await redis.run((commands) =>
      Promise.all([commands.hdel(hash, 'json'), commands.pexpire(hash, INCOMPLETE_TTL_MS), commands.del(...others)]),
    )
    running.abort(id)
    try {
      if (job.finishedAt === undefined) await dequeuePages(id, job.total)
      await redis.run((commands) => Promise.all([commands.del(hash), commands.srem(listOf(job.keyId), id)]))
    } catch (error) {
      // The pages that are left will be left out when their turn comes.
      onError(error)
    }
    return true
  }

  /** Removes the pages of a job from the queue, where they would stay until their turn; those that are running are not in it. */
  async function dequeuePages(id: string, total: number): Promise<void> {
    for (let start = 0; start < total; start += PAGES_PER_COMMAND) {
      const count = Math.min(PAGES_PER_COMMAND, total - start)
      const removals = Array.from({ length: count }, (_, index) => pages.remove(queuedId(id, start + index)))
      await enqueue(Promise.all(removals))
    }
  }

  /** Another instance may have removed a job whose pages are running here. */
  async function abortRemoved(): Promise<void> {
    for (const id of running.jobs()) {
      const exists = await redis.run((commands) => commands.hexists(keyOf(id), 'json')).catch(() => 1)
      if (exists === 0) running.abort(id)
    }
  }

  async function countJobs(keyId: string): Promise<{ jobs: number; pages: number }> {
    const ids = await redis.run((commands) => commands.smembers(listOf(keyId)))
    const totals = await redis.run((commands) => Promise.all(ids.map((id) => commands.hget(keyOf(id), 'total'))))
    const expired = ids.filter((_, index) => totals[index] === null)
    if (expired.length > 0) await redis.run((commands) => commands.srem(listOf(keyId), ...expired))
    return { jobs: ids.length - expired.length, pages: totals.reduce((sum, total) => sum + Number(total), 0) }
  }

  async function runPage(queued: QueuedJob<QueuedPage>, token: string | undefined, work: JobWork): Promise<void> {
    const { job: id, number, url, rank, failures } = queued.data
    const later = (afterMs: number) => postpone(queued, token, afterMs)
    const hash = await readHash(id)
    const job = jobOf(hash)
    if (!job) return
    const hasEnded = await redis.run((commands) => commands.getbit(keysOf(id)[2]!, number))
    // The process that ended the page may not have come to the webhook.
    if (hasEnded) return reportEnd(id)
    const pauseMs = Number(hash.startAt) - clock()
    if (pauseMs > 0) return later(pauseMs)
    if (!(await waitForRoom(work, closing.signal))) return later(ROOM_CHECK_MS)
    await redis.run((commands) => commands.set(redisKey('turn'), rank, 'PX', UNFINISHED_TTL_MS))
    const page = { number, url, attempts: 1 + queued.stalledCounter + failures }
    const outcome = await running.run(id, (signal) => work.capturePage(job, page, signal))
    if (outcome === undefined) return later(0)
    if (outcome.status === 'later') {
      const startAt = Math.ceil(clock() + outcome.afterMs)
      if (outcome.countsAsAttempt) await queued.updateData({ ...queued.data, failures: failures + 1 })
      else await redis.run((commands) => commands.hset(keyOf(id), 'startAt', startAt))
      return later(outcome.afterMs)
    }
    const { status, result } = outcome
    const [now, expiresAt] = [clock(), clock() + RESULTS_TTL_MS]
    await redis.run((commands) => commands.eval(END_PAGE, 3, ...keysOf(id), number, result, status, now, expiresAt))
    return reportEnd(id)
  }

  /** Queues the webhook of a job that is finished; once, because the ID of the job names it. */
  async function reportEnd(id: string): Promise<void> {
    const job = jobOf(await readHash(id))
    if (job?.finishedAt === undefined || job.webhookState !== 'pending') return
    await webhooks.add('webhook', { job: id }, { ...QUEUED, jobId: id })
  }

  async function runWebhook(
    queued: QueuedJob<{ job: string }>,
    token: string | undefined,
    work: JobWork,
  ): Promise<void> {
    const { job: id } = queued.data
    const job = jobOf(await readHash(id))
    if (job?.webhookState !== 'pending') return
    const attempts = await redis.run((commands) => commands.hincrby(keyOf(id), 'webhookAttempts', 1))
    const outcome = await work.callWebhook(job, attempts, closing.signal).catch(() => undefined)
    if (!outcome || outcome.status === 'later') return postpone(queued, token, outcome?.afterMs ?? 0)
    await redis.run((commands) => commands.hset(keyOf(id), 'webhookState', outcome.status))
  }

  function startWorker<Data>(
    { name }: Queue<Data>,
    concurrency: number,
    run: (queued: QueuedJob<Data>, token: string | undefined) => Promise<void>,
  ): void {
    const worker = new bullmq.Worker<Data>(name, run, {
      connection: consumer,
      prefix,
      concurrency,
      ...LOCK,
      runRetryDelay: RETRY_DELAY_MS,
    })
    // Redis that is away is reported by the other connection.
    worker.on('error', (error) => (redis.state() === 'ok' ? onError(error) : undefined))
    workers.push(worker as Worker)
  }

  return {
    addJob,
    readJob,
    readResults: (id, after) =>
      redis.run((commands) => commands.lrange(keysOf(id)[1]!, after, after + RESULTS_PER_READ - 1)),
    deleteJob,
    countJobs,
    countUnfinishedPages: () => enqueue(pages.getJobCountByTypes('prioritized', 'wait', 'delayed', 'active')),
    start(work) {
      startWorker(pages, work.concurrency, (queued, token) => runPage(queued, token, work))
      startWorker(webhooks, MAX_WEBHOOKS, (queued, token) => runWebhook(queued, token, work))
      checking = setInterval(() => void abortRemoved(), REMOVAL_CHECK_MS).unref()
    },
    async close() {
      closing.abort(new Error('The service is shutting down.'))
      clearInterval(checking)
      // A Redis that is away does not answer; its locks end by themselves.
      const isAway = redis.state() !== 'ok'
      const closed = Promise.allSettled([
        ...workers.map((worker) => worker.close(isAway)),
        ...[pages, webhooks].map((queue) => queue.close()),
      ])
      await Promise.race([closed, delay(CLOSE_TIMEOUT_MS, undefined, { ref: false })])
      for (const client of [producer, consumer]) client.disconnect()
      redis.close()
    },
  }
}

const CLOSE_TIMEOUT_MS = 3_000

/** @returns  Whether there is room within a short time. */
async function waitForRoom(work: JobWork, signal: AbortSignal): Promise<boolean> {
  for (let waitedMs = 0; !work.mayStart(); waitedMs += ROOM_CHECK_MS) {
    if (waitedMs >= MAX_ROOM_WAIT_MS || signal.aborted) return false
    await delay(ROOM_CHECK_MS)
  }
  return !signal.aborted
}

function jobOf({ json, ...hash }: Partial<JobHash>): Job | undefined {
  if (json === undefined) return undefined
  return {
    ...(JSON.parse(json) as NewJob),
    total: Number(hash.total),
    done: Number(hash.done),
    failed: Number(hash.failed),
    running: 0,
    finishedAt: hash.finishedAt ? Number(hash.finishedAt) : undefined,
    expiresAt: Number(hash.expiresAt),
    webhookState: (hash.webhookState || undefined) as Job['webhookState'],
  }
}

/**
 * Checks that Redis neither evicts jobs nor loses them with its process; one that is away, or does not say, is used all the same.
 *
 * @throws  Error with a sentence for the operator.
 */
async function assertKeepsJobs(
  redis: RedisConnection,
  { displayUrl }: RedisConfig,
  onEvent: OnQueueEvent,
): Promise<void> {
  const info = await redis.run((commands) => commands.info()).catch(() => '')
  const policy = /^maxmemory_policy:(\S+)/m.exec(info)?.[1]
  if (policy !== undefined && policy !== 'noeviction')
    throw new Error(
      `--queue: Redis at ${displayUrl} evicts keys when its memory is full (maxmemory-policy ${policy}), and jobs would be lost. ` +
        'Use a Redis of its own with maxmemory-policy noeviction.',
    )
  const loss = `jobs are lost when Redis at ${displayUrl} ends, because it has no append-only file; set appendonly yes`
  if (/^aof_enabled:0/m.test(info)) onEvent('queue-not-persistent', loss)
}
