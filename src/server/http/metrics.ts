import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'

export interface Metrics {
  /** Counts one answer. `cache` is its cache status or `none`, `startedAt` on the clock of `performance.now()`. */
  answered(answer: { status: number; cache: string; startedAt: number }): void
  /** Shows a number that goes up and down, asked for whenever somebody reads. */
  watch(name: string, help: string, read: () => number | Promise<number>): void
  /** Shows a number that only goes up. */
  count(name: string, help: string, read: () => number): void
  /** The text that Prometheus reads, and its type. */
  read(): Promise<{ text: string; contentType: string }>
}

const SECONDS = [0.001, 0.005, 0.025, 0.1, 0.5, 1, 2.5, 5, 10, 28]

export function createMetrics(): Metrics {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  // Finding the place of labels costs more than all else about a cached answer, so they are counted when somebody reads.
  const answers = new Map<string, { status: number; cache: string; count: number }>()
  const requests: Counter = new Counter({
    name: 'page_preview_requests_total',
    help: 'Answers by HTTP status and cache status.',
    labelNames: ['status', 'cache'],
    registers,
    collect() {
      requests.reset()
      for (const { count, ...labels } of answers.values()) requests.inc(labels, count)
    },
  })
  const durations = new Histogram({
    name: 'page_preview_request_duration_seconds',
    help: 'Time from request to answer.',
    labelNames: ['cache'],
    buckets: SECONDS,
    registers,
  })
  return {
    answered({ status, cache, startedAt }) {
      const id = status + cache
      const known = answers.get(id)
      if (known) known.count++
      else answers.set(id, { status, cache, count: 1 })
      durations.observe({ cache }, (performance.now() - startedAt) / 1_000)
    },
    watch(name, help, read) {
      const gauge: Gauge = new Gauge({ name, help, registers, collect: async () => gauge.set(await read()) })
    },
    count(name, help, read) {
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
