import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'

export interface Metrics {
  /** Counts one answer. `cache` is its cache status or `none`, `startedAt` on the clock of `performance.now()`. */
  answered(answer: { status: number; cache: string; startedAt: number }): void
  /** Shows a number that goes up and down, asked for whenever somebody reads. */
  watch(name: string, help: string, read: () => number): void
  /** The text that Prometheus reads, and its type. */
  read(): Promise<{ text: string; contentType: string }>
}

const SECONDS = [0.001, 0.005, 0.025, 0.1, 0.5, 1, 2.5, 5, 10, 28]

/** @param captures  How many pages the browser has captured so far. */
export function createMetrics(captures: () => number): Metrics {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  const requests = new Counter({
    name: 'page_preview_requests_total',
    help: 'Answers by HTTP status and cache status.',
    labelNames: ['status', 'cache'],
    registers,
  })
  const durations = new Histogram({
    name: 'page_preview_request_duration_seconds',
    help: 'Time from request to answer.',
    labelNames: ['cache'],
    buckets: SECONDS,
    registers,
  })
  const captured: Counter = new Counter({
    name: 'page_preview_captures_total',
    help: 'Pages captured by the browser.',
    registers,
    collect() {
      captured.reset()
      captured.inc(captures())
    },
  })
  return {
    answered({ status, cache, startedAt }) {
      requests.inc({ status, cache })
      durations.observe({ cache }, (performance.now() - startedAt) / 1_000)
    },
    watch(name, help, read) {
      const gauge: Gauge = new Gauge({ name, help, registers, collect: () => gauge.set(read()) })
    },
    read: async () => ({ text: await registry.metrics(), contentType: registry.contentType }),
  }
}
