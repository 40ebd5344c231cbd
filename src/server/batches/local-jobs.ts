import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { setImmediate as nextTurn, setTimeout as delay } from 'node:timers/promises'
import type SQLite from 'better-sqlite3'
import { busyError } from '../busy-error.js'
import { isDiskFull, openDatabaseFile, type DatabaseFile } from '../store/index.js'
import {
  INCOMPLETE_TTL_MS,
  MAX_WEBHOOKS,
  RESULTS_PER_READ,
  RESULTS_TTL_MS,
  ROOM_CHECK_MS,
  UNFINISHED_TTL_MS,
  type Job,
  type JobPage,
  type JobStore,
  type JobWork,
  type PageOutcome,
  type WebhookOutcome,
  type WebhookState,
} from './job-store.js'
import { createRunningPages } from './running-pages.js'

/**
 * - `job.is_complete`: whether all its pages are stored. `start_at`: no page starts before. `turn`: when a page was taken last, as a
 *   number that grows. `webhook_at`: when the webhook is called next.
 * - `page`: the pages without a result. `worker` has it until `lease_until`, and renews the lease while it works; without a worker, the page
 *   does not start before.
 * - `removed`: jobs whose pages and results are still there.
 *
 * Times are milliseconds since 1970.
 */
const SCHEMA = `
  CREATE TABLE job (
    id TEXT PRIMARY KEY, key_id TEXT NOT NULL, json TEXT NOT NULL, is_complete INTEGER NOT NULL DEFAULT 0,
    total INTEGER NOT NULL, done INTEGER NOT NULL DEFAULT 0, failed INTEGER NOT NULL DEFAULT 0,
    finished_at INTEGER, expires_at INTEGER NOT NULL, start_at INTEGER NOT NULL DEFAULT 0, turn INTEGER NOT NULL DEFAULT 0,
    webhook_state TEXT, webhook_at INTEGER, webhook_attempts INTEGER NOT NULL DEFAULT 0
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX job_of_key ON job (key_id);
  CREATE TABLE page (
    job TEXT NOT NULL, number INTEGER NOT NULL, url TEXT NOT NULL, attempts INTEGER NOT NULL DEFAULT 0,
    worker TEXT, lease_until INTEGER NOT NULL DEFAULT 0, PRIMARY KEY (job, number)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX running_page ON page (job, lease_until) WHERE lease_until > 0;
  CREATE TABLE result (
    job TEXT NOT NULL, sequence INTEGER NOT NULL, json TEXT NOT NULL, PRIMARY KEY (job, sequence)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE removed (id TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;`

/** Raised with every change to the schema; a file with a higher one is refused, because jobs are not a cache. */
const VERSION = 1
/** Rows that are written or removed before requests are served again. */
const ROWS_PER_TURN = 500
/** A page of a process that ended is taken over after it. */
const LEASE_MS = 10_000
const RENEWAL_INTERVAL_MS = 2_500
/** A webhook is called again after it if the process ended meanwhile. */
const WEBHOOK_LEASE_MS = 60_000
/** Other processes on the same folder may end, and leave their pages. */
const IDLE_CHECK_MS = 2_000
const WRITE_RETRY_MS = 3_000
/** An operator has to free space. */
const FULL_DELAY_MS = 60_000
const MAINTENANCE_INTERVAL_MS = 60_000

type JobDatabase = DatabaseFile<JobTables>
type JobTables = ReturnType<typeof prepareJobs>

/**
 * Opens the jobs of one machine: a SQLite database apart from the cache, which may be evicted. Several processes may open the same
 * file; each page is taken by one of them.
 *
 * @param options.onError    Receives errors of background work, which reach no caller.
 * @param options.onDamaged  Receives a sentence for the operator.
 * @throws  Error with a sentence for the operator when the file cannot be used.
 */
export function openLocalJobs(
  path: string,
  {
    clock,
    onError,
    onDamaged,
  }: { clock: () => number; onError: (error: unknown) => void; onDamaged: (message: string) => void },
): JobStore {
  let database: JobDatabase | undefined
  /** The file is created with the first job; another process may have created it. */
  const opened = () => (database ??= existsSync(path) ? openJobDatabase(path, { clock, onDamaged }) : undefined)
  const openedOrCreated = () => (database ??= openJobDatabase(path, { clock, onDamaged }))
  const read = <Result>(query: (tables: JobTables) => Result): Result | undefined => opened()?.read(query)
  const write = <Result>(change: (tables: JobTables) => Result): Result | undefined => opened()?.write(change)
  const worker = randomUUID()
  const closing = new AbortController()
  const running = createRunningPages(closing.signal)
  const tasks = new Set<Promise<void>>()
  let pages = 0
  let webhooks = 0
  let work: JobWork | undefined
  let timer: NodeJS.Timeout | undefined

  /** Starts what may start now, and sees to it that this is called again when more may. */
  function startNext(): void {
    clearTimeout(timer)
    if (!work || closing.signal.aborted) return
    try {
      while (pages < work.concurrency && work.mayStart()) {
        const taken = read((tables) => tables.hasPage(clock()))
          ? write((tables) => tables.takePage(clock(), worker))
          : undefined
        if (!taken) break
        follow(runPage(taken.job, taken.page, work))
      }
      while (webhooks < MAX_WEBHOOKS) {
        const due = read((tables) => tables.dueWebhook(clock()))
          ? write((tables) => tables.takeWebhook(clock()))
          : undefined
        if (!due) break
        follow(runWebhook(due.job, due.attempts, work))
      }
    } catch (error) {
      onError(error)
    }
    timer = setTimeout(startNext, nextCheckMs(work)).unref()
  }

  function nextCheckMs(work: JobWork): number {
    if (pages < work.concurrency && !work.mayStart()) return ROOM_CHECK_MS
    try {
      const nextAt = read((tables) => tables.nextStart(clock())) ?? Infinity
      return Math.min(IDLE_CHECK_MS, Math.max(ROOM_CHECK_MS, nextAt - clock()))
    } catch {
      return IDLE_CHECK_MS
    }
  }

  /** Waited for by `close`. */
  function follow(task: Promise<void>): void {
    const followed = task.catch(onError).finally(() => {
      tasks.delete(followed)
      startNext()
    })
    tasks.add(followed)
  }

  async function runPage(job: Job, page: JobPage, work: JobWork): Promise<void> {
    pages++
    try {
      const outcome = await running.run(job.id, async (signal) => {
        // Pages that fail at once would otherwise follow each other without a turn of the event loop.
        await nextTurn()
        return work.capturePage(job, page, signal)
      })
      await persist((tables) => tables.endPage(job.id, page.number, worker, outcome, clock()))
    } finally {
      pages--
    }
  }

  async function runWebhook(job: Job, attempts: number, work: JobWork): Promise<void> {
    webhooks++
    try {
      const outcome = await work.callWebhook(job, attempts, closing.signal).catch(() => undefined)
      await persist((tables) => tables.endWebhook(job.id, outcome ?? { status: 'later', afterMs: 0 }, clock()))
    } finally {
      webhooks--
    }
  }

  /** Writes until the disk has room and no other process is writing, because what is lost would be captured again. */
  async function persist(change: (tables: JobTables) => void): Promise<void> {
    for (;;) {
      try {
        write(change)
        return
      } catch (error) {
        if (closing.signal.aborted) throw error
        onError(error)
        await delay(WRITE_RETRY_MS, undefined, { signal: closing.signal }).catch(() => undefined)
      }
    }
  }

  const renewal = setInterval(() => {
    if (pages > 0) attempt(() => write((tables) => tables.renew(worker, clock() + LEASE_MS)))
  }, RENEWAL_INTERVAL_MS).unref()

  /** Removes jobs that have expired, and rows of removed jobs in steps between which requests are served. */
  async function removeExpired(): Promise<void> {
    opened()?.check()
    for (const id of read((tables) => tables.expired(clock())) ?? []) remove(id)
    for (;;) {
      if (closing.signal.aborted) return
      const id = read((tables) => tables.firstRemoved())
      if (id === undefined) break
      write((tables) => tables.removeRows(id))
      await nextTurn()
    }
    await database?.shrink()
  }

  let removing = Promise.resolve()
  const maintain = () => {
    removing = removing.then(removeExpired).catch(onError)
  }
  const maintenance = setInterval(maintain, MAINTENANCE_INTERVAL_MS).unref()

  function remove(id: string): boolean {
    const isRemoved = write((tables) => tables.remove(id)) ?? false
    running.abort(id)
    return isRemoved
  }

  function attempt(action: () => void): void {
    try {
      action()
    } catch (error) {
      onError(error)
    }
  }

  // A file that cannot be used is reported now, and not by each request for a job.
  opened()
  return {
    async addJob(job, urls) {
      try {
        const jobs = openedOrCreated()
        jobs.addData((tables) => tables.add(job, urls.length))
        for (let start = 0; start < urls.length; start += ROWS_PER_TURN) {
          jobs.addData((tables) => tables.addPages(job.id, urls, start))
          await nextTurn()
        }
        // The response promises that the job will be done, whatever happens.
        jobs.write((tables) => tables.complete(job.id, clock() + UNFINISHED_TTL_MS), 'FULL')
      } catch (error) {
        attempt(() => remove(job.id))
        if (!isDiskFull(error)) throw error
        throw busyError('The disk has no room for new jobs', { retryAfterMs: FULL_DELAY_MS, cause: error })
      }
      startNext()
    },
    readJob: async (id) => read((tables) => tables.find(id, clock())),
    readResults: async (id, after) => read((tables) => tables.results(id, after)) ?? [],
    async deleteJob(id) {
      if (!remove(id)) return false
      maintain()
      return true
    },
    countJobs: async (keyId) => read((tables) => tables.count(keyId)) ?? { jobs: 0, pages: 0 },
    countUnfinishedPages: async () => read((tables) => tables.countUnfinishedPages()) ?? 0,
    start(given) {
      work = given
      maintain()
      startNext()
    },
    async close() {
      closing.abort(new Error('The service is shutting down.'))
      clearTimeout(timer)
      clearInterval(renewal)
      clearInterval(maintenance)
      await Promise.all([...tasks, removing])
      database?.close()
    },
  }
}

const openJobDatabase = (
  path: string,
  { clock, onDamaged }: { clock: () => number; onDamaged: (message: string) => void },
): JobDatabase =>
  openDatabaseFile<JobTables>(
    {
      path,
      schema: SCHEMA,
      version: VERSION,
      pragmas: [],
      maxCheckedPages: 1_000,
      isNewerRefused: true,
      prepare: prepareJobs,
      onReplaced({ damage, asidePath }) {
        const reason = damage === undefined ? 'was removed' : `is damaged (${damage})`
        const place = asidePath === undefined ? '' : `, and was set aside as ${asidePath}`
        onDamaged(`The file of jobs ${path} ${reason}${place}. All jobs are lost; send them again.`)
      },
    },
    { reserveBytes: RESERVE_BYTES, clock },
  )

/** Free disk space that new jobs leave to results and to the cache. */
const RESERVE_BYTES = 64_000_000

interface JobRow {
  json: string
  total: number
  done: number
  failed: number
  finished_at: number | null
  expires_at: number
  webhook_state: WebhookState | null
  webhook_attempts: number
}

/** The statements of jobs. Those that change rows belong inside a transaction. */
function prepareJobs(connection: SQLite.Database) {
  const row = connection.prepare<[id: string], JobRow>('SELECT * FROM job WHERE id = ? AND is_complete')
  const runningPages = connection
    .prepare<[id: string, now: number], number>(
      'SELECT count(*) FROM page WHERE job = ? AND lease_until > 0 AND lease_until > ? AND worker IS NOT NULL',
    )
    .pluck()
  const add = connection.prepare(
    `INSERT INTO job (id, key_id, json, total, expires_at, webhook_state) VALUES (?, ?, ?, ?, ?, ?)`,
  )
  const addPage = connection.prepare<[job: string, number: number, url: string]>(
    'INSERT INTO page (job, number, url) VALUES (?, ?, ?)',
  )
  const complete = connection.prepare<[expiresAt: number, id: string]>(
    'UPDATE job SET is_complete = 1, expires_at = ? WHERE id = ?',
  )
  // The key that had no page for the longest time has the next one, and of its jobs the one that had none.
  const nextJob = connection
    .prepare<{ now: number }, string>(
      `SELECT id FROM job WHERE is_complete AND finished_at IS NULL AND start_at <= @now
         AND EXISTS (SELECT 1 FROM page WHERE job = job.id AND lease_until <= @now)
       ORDER BY (SELECT max(turn) FROM job AS other WHERE other.key_id = job.key_id), turn, id LIMIT 1`,
    )
    .pluck()
  const nextPage = connection.prepare<[job: string, now: number], { number: number; url: string; attempts: number }>(
    'SELECT number, url, attempts FROM page WHERE job = ? AND lease_until <= ? ORDER BY number LIMIT 1',
  )
  const lease = connection.prepare<[worker: string, leaseUntil: number, job: string, number: number]>(
    'UPDATE page SET worker = ?, lease_until = ?, attempts = attempts + 1 WHERE job = ? AND number = ?',
  )
  const takeTurn = connection.prepare<[id: string]>(
    'UPDATE job SET turn = (SELECT max(turn) + 1 FROM job) WHERE id = ?',
  )
  const renew = connection.prepare<[leaseUntil: number, worker: string]>(
    'UPDATE page SET lease_until = ? WHERE lease_until > 0 AND worker = ?',
  )
  const giveBack = connection.prepare<
    [startAt: number, uncounted: number, job: string, number: number, worker: string]
  >(
    'UPDATE page SET worker = NULL, lease_until = ?, attempts = attempts - ? WHERE job = ? AND number = ? AND worker = ?',
  )
  const postpone = connection.prepare<[startAt: number, id: string]>(
    'UPDATE job SET start_at = max(start_at, ?) WHERE id = ?',
  )
  const deletePage = connection.prepare<[job: string, number: number, worker: string]>(
    'DELETE FROM page WHERE job = ? AND number = ? AND worker = ?',
  )
  const addResult = connection.prepare<[json: string, job: string]>(
    'INSERT INTO result SELECT id, done + failed + 1, ? FROM job WHERE id = ?',
  )
  const countResult = connection.prepare<[done: number, failed: number, job: string]>(
    'UPDATE job SET done = done + ?, failed = failed + ? WHERE id = ?',
  )
  const finish = connection.prepare<{ now: number; expiresAt: number; id: string }>(
    `UPDATE job SET finished_at = @now, expires_at = @expiresAt, webhook_at = iif(webhook_state = 'pending', @now, NULL)
     WHERE id = @id AND done + failed = total`,
  )
  const results = connection
    .prepare<[job: string, after: number], string>(
      `SELECT json FROM result WHERE job = ? AND sequence > ? ORDER BY sequence LIMIT ${RESULTS_PER_READ}`,
    )
    .pluck()
  const count = connection.prepare<[keyId: string], { jobs: number; pages: number }>(
    'SELECT count(*) jobs, ifnull(sum(total), 0) pages FROM job WHERE key_id = ?',
  )
  const unfinishedPages = connection
    .prepare<[], number>(
      'SELECT ifnull(sum(total - done - failed), 0) FROM job WHERE is_complete AND finished_at IS NULL',
    )
    .pluck()
  const dueWebhook = connection
    .prepare<[now: number], string>('SELECT id FROM job WHERE webhook_at <= ? ORDER BY webhook_at LIMIT 1')
    .pluck()
  const takeWebhook = connection.prepare<[webhookAt: number, id: string]>(
    'UPDATE job SET webhook_at = ?, webhook_attempts = webhook_attempts + 1 WHERE id = ?',
  )
  const endWebhook = connection.prepare<[state: WebhookState, webhookAt: number | null, id: string]>(
    'UPDATE job SET webhook_state = ?, webhook_at = ? WHERE id = ?',
  )
  const nextStart = connection
    .prepare<{ now: number }, number>(
      `SELECT min(at) FROM (
         SELECT start_at at FROM job WHERE is_complete AND finished_at IS NULL AND start_at > @now
         UNION ALL SELECT webhook_at FROM job WHERE webhook_at > @now)`,
    )
    .pluck()
  const expired = connection.prepare<[now: number], string>('SELECT id FROM job WHERE expires_at <= ?').pluck()
  const addRemoved = connection.prepare<[id: string]>('INSERT OR IGNORE INTO removed VALUES (?)')
  const deleteJob = connection.prepare<[id: string]>('DELETE FROM job WHERE id = ?')
  const firstRemoved = connection.prepare<[], string>('SELECT id FROM removed LIMIT 1').pluck()
  const deleteRemoved = connection.prepare<[id: string]>('DELETE FROM removed WHERE id = ?')
  const deletePages = connection.prepare<{ id: string }>(
    `DELETE FROM page WHERE job = @id AND number IN (SELECT number FROM page WHERE job = @id LIMIT ${ROWS_PER_TURN})`,
  )
  const deleteResults = connection.prepare<{ id: string }>(
    `DELETE FROM result WHERE job = @id AND sequence IN (SELECT sequence FROM result WHERE job = @id LIMIT ${ROWS_PER_TURN})`,
  )

  function find(id: string, now: number): Job | undefined {
    const found = row.get(id)
    if (!found) return undefined
    const { json, total, done, failed, finished_at, expires_at, webhook_state } = found
    return {
      ...JSON.parse(json),
      total,
      done,
      failed,
      running: runningPages.get(id, now) ?? 0,
      finishedAt: finished_at ?? undefined,
      expiresAt: expires_at,
      webhookState: webhook_state ?? undefined,
    }
  }

  return {
    add(job: { id: string; keyId: string; createdAt: number; webhook: unknown }, total: number): void {
      const webhookState = job.webhook ? 'pending' : null
      add.run(job.id, job.keyId, JSON.stringify(job), total, job.createdAt + INCOMPLETE_TTL_MS, webhookState)
    },
    addPages(id: string, urls: readonly string[], start: number): void {
      const end = Math.min(start + ROWS_PER_TURN, urls.length)
      for (let number = start; number < end; number++) addPage.run(id, number, urls[number]!)
    },
    complete: (id: string, expiresAt: number): void => void complete.run(expiresAt, id),
    find,
    results: (id: string, after: number): string[] => results.all(id, after),
    count: (keyId: string) => count.get(keyId)!,
    countUnfinishedPages: (): number => unfinishedPages.get()!,
    hasPage: (now: number): boolean => nextJob.get({ now }) !== undefined,
    /** The next page is the worker's until its lease ends. */
    takePage(now: number, worker: string): { job: Job; page: JobPage } | undefined {
      const id = nextJob.get({ now })
      const next = id === undefined ? undefined : nextPage.get(id, now)
      const job = id === undefined ? undefined : find(id, now)
      if (!next || !job) return undefined
      lease.run(worker, now + LEASE_MS, job.id, next.number)
      takeTurn.run(job.id)
      return { job, page: { ...next, attempts: next.attempts + 1 } }
    },
    renew: (worker: string, leaseUntil: number): void => void renew.run(leaseUntil, worker),
    /**
     * Ignores a page that another worker has taken over, or whose job was removed.
     *
     * @param outcome  `undefined`: the work on the page was aborted.
     */
    endPage(id: string, number: number, worker: string, outcome: PageOutcome | undefined, now: number): void {
      if (!outcome || outcome.status === 'later') {
        const startAt = outcome ? Math.ceil(now + outcome.afterMs) : 0
        const isAttempt = outcome?.countsAsAttempt ?? false
        giveBack.run(isAttempt ? startAt : 0, isAttempt ? 0 : 1, id, number, worker)
        if (!isAttempt) postpone.run(startAt, id)
        return
      }
      if (deletePage.run(id, number, worker).changes === 0) return
      addResult.run(outcome.result, id)
      countResult.run(outcome.status === 'done' ? 1 : 0, outcome.status === 'failed' ? 1 : 0, id)
      finish.run({ now, expiresAt: now + RESULTS_TTL_MS, id })
    },
    dueWebhook: (now: number): string | undefined => dueWebhook.get(now),
    takeWebhook(now: number): { job: Job; attempts: number } | undefined {
      const id = dueWebhook.get(now)
      if (id === undefined) return undefined
      takeWebhook.run(now + WEBHOOK_LEASE_MS, id)
      const job = find(id, now)
      return job && { job, attempts: row.get(id)?.webhook_attempts ?? 1 }
    },
    endWebhook(id: string, outcome: WebhookOutcome, now: number): void {
      if (outcome.status === 'later') endWebhook.run('pending', Math.ceil(now + outcome.afterMs), id)
      else endWebhook.run(outcome.status, null, id)
    },
    /** When something may start that may not now; `undefined` if nothing is known of. */
    nextStart: (now: number): number | undefined => nextStart.get({ now }) ?? undefined,
    expired: (now: number): string[] => expired.all(now),
    remove(id: string): boolean {
      if (deleteJob.run(id).changes === 0) return false
      addRemoved.run(id)
      return true
    },
    firstRemoved: (): string | undefined => firstRemoved.get(),
    /** Removes some rows of a removed job, and in the end that it was removed. */
    removeRows(id: string): void {
      if (deletePages.run({ id }).changes + deleteResults.run({ id }).changes === 0) deleteRemoved.run(id)
    },
  }
}
