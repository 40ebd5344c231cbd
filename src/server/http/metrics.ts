import { errorCodes, isPageError, type ErrorCode } from '../../query/index.js'
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'

/** Metrics of one service, in the text format of Prometheus. */
export interface Metrics {
  /** Records one response. `startedAt` is a reading of `performance.now()`, `cacheStatus` is `none` where there is none. */
  recordResponse(response: { status: number; cacheStatus: string; startedAt: number }): void
  /** Counts an error that a response reports. */
  recordError(error: unknown): void
  /** Records how long a page has waited for the browser. */
  recordQueueWait(waitedMs: number): void
  /** Adds a value that goes up and down; `read` is called with each scrape. */
  addGauge(name: string, help: string, read: () => number | Promise<number>): void
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
  // Takes milliseconds of the main thread, so those that come meanwhile share it.
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

/** With a series for each code, so that the first error of a code is an increase. */
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
