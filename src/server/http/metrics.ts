import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'

/** Metrics of one service, in the text format of Prometheus. */
export interface Metrics {
  /** Records one response. `startedAt` is a reading of `performance.now()`, `cacheStatus` is `none` where there is none. */
  recordResponse(response: { status: number; cacheStatus: string; startedAt: number }): void
  /** Adds a value that goes up and down; `read` is called with each scrape. */
  addGauge(name: string, help: string, read: () => number | Promise<number>): void
  /** Adds a value that only goes up; `read` is called with each scrape. */
  addCounter(name: string, help: string, read: () => number): void
  read(): Promise<{ text: string; contentType: string }>
}

const BUCKETS_S = [0.001, 0.005, 0.025, 0.1, 0.5, 1, 2.5, 5, 10, 28]

export function createMetrics(): Metrics {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  const countResponse = createResponseCounter(registry)
  const durations = new Histogram({
    name: 'page_preview_request_duration_seconds',
    help: 'Time from request to response in seconds, by cache status.',
    labelNames: ['cache'],
    buckets: BUCKETS_S,
    registers,
  })
  return {
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
    read: async () => ({ text: await registry.metrics(), contentType: registry.contentType }),
  }
}

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
