import { errorCodes, isPageError, type ErrorCode } from '../../query/index.js'
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { Batches } from '../batches/index.js'
import { estimateBrowserAgeDays, type ChromiumUpdates } from '../browser/index.js'
import type { Guard } from '../network/index.js'
import type { ExtractorParts, ResultParts } from '../results/index.js'
import type { Dependencies, Store } from '../store/index.js'
import type { EventLoopWatch } from '../watch-event-loop.js'

/** Metrics of one service, in the text format of Prometheus. */
export interface Metrics {
  /** Records one response. `startedAt` is a reading of `performance.now()`, `cacheStatus` is `none` if there is none. */
  recordResponse(response: { status: number; cacheStatus: string; startedAt: number }): void
  /** Counts an error that a response reports. */
  recordError(error: unknown): void
  /** Records how long a page has waited for the browser. */
  recordQueueWait(waitedMs: number): void
  /** Adds a value that goes up and down; `read` is called with each scrape. */
  addGauge(name: string, help: string, read: () => number | Promise<number>): void
  /** A gauge that is always 1, and says something in its labels; there is none while `read` returns `undefined`. */
  addInfo(name: string, help: string, labels: readonly string[], read: () => Record<string, string> | undefined): void
  /** Adds a value that only goes up; `read` is called with each scrape. */
  addCounter(name: string, help: string, read: () => number): void
  /** Adds a counter with one label, whose values `read` returns. */
  addCounterByLabel(name: string, help: string, label: string, read: () => Readonly<Record<string, number>>): void
  read(): Promise<{ text: string; contentType: string }>
}

const BUCKETS_S = [0.001, 0.005, 0.025, 0.1, 0.5, 1, 2.5, 5, 10, 28]

/** Those of the client alone have no status. */
const SENT_CODES = (Object.keys(errorCodes) as ErrorCode[]).filter(
  (code) => errorCodes[code] > 0 || code === 'EABORTED',
)

export function createMetrics(): Metrics {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  const countResponse = createResponseCounter(registry)
  // Reading takes milliseconds of the main thread, so requests that come meanwhile share the result.
  let reading: Promise<{ text: string; contentType: string }> | undefined
  const durations = new Histogram({
    name: 'page_preview_request_duration_seconds',
    help: 'Time from request to response in seconds, by cache status.',
    labelNames: ['cache'],
    buckets: BUCKETS_S,
    registers,
  })
  const errors = createErrorCounter(registers)
  const waits = new Histogram({
    name: 'page_preview_queue_wait_seconds',
    help: 'Time that pages have waited for the browser in seconds.',
    buckets: BUCKETS_S,
    registers,
  })
  return {
    recordError: (error) => errors.inc({ code: codeOf(error) }),
    recordQueueWait: (waitedMs) => waits.observe(waitedMs / 1_000),
    recordResponse({ status, cacheStatus, startedAt }) {
      countResponse(status, cacheStatus)
      durations.observe({ cache: cacheStatus }, (performance.now() - startedAt) / 1_000)
    },
    addGauge(name, help, read) {
      const gauge: Gauge = new Gauge({ name, help, registers, collect: async () => gauge.set(await read()) })
    },
    addInfo(name, help, labelNames, read) {
      const gauge: Gauge = new Gauge({
        name,
        help,
        registers,
        labelNames: [...labelNames],
        collect() {
          gauge.reset()
          const labels = read()
          if (labels) gauge.set(labels, 1)
        },
      })
    },
    addCounter(name, help, read) {
      const counter: Counter = new Counter({
        name,
        help,
        registers,
        collect() {
          counter.reset()
          counter.inc(read())
        },
      })
    },
    addCounterByLabel(name, help, label, read) {
      const counter: Counter = new Counter({
        name,
        help,
        registers,
        labelNames: [label],
        collect() {
          counter.reset()
          for (const [value, count] of Object.entries(read())) counter.inc({ [label]: value }, count)
        },
      })
    },
    read() {
      reading ??= registry
        .metrics()
        .then((text) => ({ text, contentType: registry.contentType }))
        .finally(() => (reading = undefined))
      return reading
    },
  }
}

/** Counts errors with a series for each code, so that the first error of a code is an increase. */
function createErrorCounter(registers: Registry[]): Counter<'code'> {
  const counter = new Counter({
    name: 'page_preview_errors_total',
    help: 'Failed requests by error code; EABORTED: the client left.',
    labelNames: ['code'],
    registers,
  })
  for (const code of SENT_CODES) counter.inc({ code }, 0)
  return counter
}

const codeOf = (error: unknown): ErrorCode =>
  isPageError(error) && SENT_CODES.includes(error.code) ? error.code : 'EFATAL'

/**
 * Counts responses in a map that is copied into the counter with each scrape: looking up the labels of the counter itself
 * would cost more than everything else in a cached response.
 */
function createResponseCounter(registry: Registry): (status: number, cacheStatus: string) => void {
  const counts = new Map<string, { status: number; cache: string; count: number }>()
  const requests: Counter = new Counter({
    name: 'page_preview_requests_total',
    help: 'Responses by HTTP status and cache status.',
    labelNames: ['status', 'cache'],
    registers: [registry],
    collect() {
      requests.reset()
      for (const { count, ...labels } of counts.values()) requests.inc(labels, count)
    },
  })
  return (status, cacheStatus) => {
    const id = status + cacheStatus
    const existing = counts.get(id)
    if (existing) existing.count++
    else counts.set(id, { status, cache: cacheStatus, count: 1 })
  }
}

/** Reads the state of the remote stores. */
export type CheckDependencies = () => Promise<Dependencies>

/** What captures pages on this machine. */
export interface WorkerParts extends Pick<ExtractorParts, 'browser' | 'stateCounter'> {
  /** `undefined` if Chromium is not updated. */
  chromiumUpdates: ChromiumUpdates | undefined
}

/** Adds metrics of what a service does apart from its captures, which are read with each scrape. */
export function addServiceMetrics(
  metrics: Metrics,
  { revalidations, flights, store }: ResultParts,
  checkDependencies: CheckDependencies,
): void {
  metrics.addCounter(
    'page_preview_revalidations_started_total',
    'Revalidations that were started.',
    () => revalidations.counts().started,
  )
  metrics.addCounterByLabel('page_preview_revalidations_total', 'Revalidations that have ended.', 'outcome', () => {
    const { done, failed } = revalidations.counts()
    return { done, failed }
  })
  metrics.addGauge('page_preview_flights', 'Results being produced right now.', () => flights.size)
  addStoreMetrics(metrics, store, checkDependencies)
}

function addStoreMetrics(metrics: Metrics, { health }: Store, checkDependencies: CheckDependencies): void {
  metrics.addGauge(
    'page_preview_store_writable',
    '1 while the disk of the store can be written, 0 while new results are in memory only.',
    async () => Number(await health.isWritable()),
  )
  metrics.addGauge('page_preview_store_bytes', 'Bytes on disk used by cache entries and images.', () =>
    health.usedBytes().catch(() => NaN),
  )
  metrics.addGauge(
    'page_preview_pending_uploads',
    'Images that are on this machine alone, because the bucket failed, and are uploaded later.',
    () => health.pendingUploads().size,
  )
  const addDependency = (name: 'redis' | 'bucket', metric: string, subject: string) => {
    if (health.dependencies()[name] === undefined) return
    const help = `1 while ${subject} can be read and written, 0 while it is unreachable or rejects requests.`
    metrics.addGauge(metric, help, async () => Number((await checkDependencies())[name] === 'ok'))
  }
  addDependency('redis', 'page_preview_redis_up', 'Redis')
  addDependency('bucket', 'page_preview_bucket_up', 'the bucket')
}

/** Adds metrics of the jobs that are captured in the background. */
export function addBatchMetrics(metrics: Metrics, batches: Batches): void {
  metrics.addGauge(
    'page_preview_job_pages_unfinished',
    'Pages of jobs without a result, of all instances together; NaN while the queue is unreachable.',
    () => batches.countUnfinishedPages().catch(() => NaN),
  )
  metrics.addCounterByLabel(
    'page_preview_job_pages_total',
    'Pages of jobs that were captured; later: they are captured again.',
    'outcome',
    () => batches.counts().pages,
  )
  metrics.addCounterByLabel(
    'page_preview_job_webhooks_total',
    'Calls of the webhooks of jobs that have ended; later: they are called again.',
    'outcome',
    () => batches.counts().webhooks,
  )
}

/** Adds metrics of what every role has. */
export function addProcessMetrics(
  metrics: Metrics,
  { guard, eventLoop }: { guard: Guard; eventLoop: EventLoopWatch },
): void {
  metrics.addCounter(
    'page_preview_event_loop_blocks_total',
    'Times that the main thread was blocked for more than 2 seconds.',
    () => eventLoop.blockCount(),
  )
  metrics.addCounterByLabel(
    'page_preview_egress_refusals_total',
    'Requests to targets that the network guard refused.',
    'reason',
    () => guard.refusals(),
  )
}

/**
 * The Chromium that runs: `estimatedAgeDays` is computed from its version, `source` says who has installed it, and a Chromium that the
 * service has installed has the time of that too. Left out of the JSON while no browser was launched.
 */
export function chromiumOf({ browser }: WorkerParts, now: number) {
  const { version, chromium } = browser.status()
  if (version === undefined || !chromium) return undefined
  const installedAt = chromium.installed && new Date(chromium.installed.installedAt).toISOString()
  return { version, estimatedAgeDays: estimateBrowserAgeDays(version, now), source: chromium.source, installedAt }
}

/** Adds metrics of the captures on other machines. */
export function addFrontMetrics(metrics: Metrics, workerRequests: () => Readonly<Record<string, number>>): void {
  metrics.addCounterByLabel(
    'page_preview_worker_requests_total',
    'Requests to workers that have ended; lost: the connection ended, invalid: the response is none of a worker.',
    'outcome',
    workerRequests,
  )
}

/** Adds metrics of the captures on this machine. */
export function addWorkerMetrics(metrics: Metrics, worker: WorkerParts, clock: () => number): void {
  const { browser, stateCounter, chromiumUpdates } = worker
  addChromiumMetrics(metrics, worker, clock)
  metrics.addCounterByLabel(
    'page_preview_chromium_updates_total',
    'Updates of a Chromium that the service has installed.',
    'outcome',
    () => chromiumUpdates?.counts() ?? {},
  )
  metrics.addCounter(
    'page_preview_captures_total',
    'Screenshots captured by the browser.',
    () => browser.status().captures,
  )
  metrics.addCounter(
    'page_preview_renderings_total',
    'Pages rendered for their metadata only.',
    () => browser.status().renderings,
  )
  metrics.addGauge(
    'page_preview_queue',
    'Pages waiting in the queue of the browser.',
    () => browser.status().queueLength,
  )
  metrics.addGauge(
    'page_preview_slots',
    'Pages that the browser may have open at the same time, the reserve included.',
    () => browser.status().slots.all,
  )
  metrics.addGauge('page_preview_slots_busy', 'Pages that the browser has open.', () => browser.status().slots.busy)
  metrics.addCounterByLabel(
    'page_preview_pages_without_content_total',
    'Pages opened that did not show their content, by what they showed.',
    'state',
    () => stateCounter.counts(),
  )
}

function addChromiumMetrics(metrics: Metrics, worker: WorkerParts, clock: () => number): void {
  const { browser } = worker
  metrics.addInfo(
    'page_preview_chromium_info',
    'Version of Chromium, and who has installed it; none before its first launch.',
    ['version', 'source'],
    () => {
      const chromium = chromiumOf(worker, clock())
      return chromium && { version: chromium.version, source: chromium.source }
    },
  )
  metrics.addGauge('page_preview_chromium_milestone', 'Major version of Chromium; 0 before its first launch.', () =>
    Number.parseInt(browser.status().version ?? '0', 10),
  )
  metrics.addGauge(
    'page_preview_chromium_estimated_age_days',
    'Estimated days since the release of this major version of Chromium; 0 before its first launch.',
    () => chromiumOf(worker, clock())?.estimatedAgeDays ?? 0,
  )
  metrics.addGauge(
    'page_preview_browser_age_seconds',
    'Time since the browser was started; 0 while none runs.',
    () => browser.status().ageSeconds ?? 0,
  )
  metrics.addCounter(
    'page_preview_browser_restarts_total',
    'Times that the browser was replaced by a new one.',
    () => browser.status().restarts,
  )
}
