/** What the headers of an answer say; whatever they do not say is `undefined`. */
export interface ExchangeFacts {
  cache: string | undefined
  ageMs: number | undefined
  ttlMs: number | undefined
  limit: { limit: number; remaining: number; resetAt: number } | undefined
  fetchMode: string | undefined
  plan: string | undefined
  retryAfterMs: number | undefined
  /** In their order, one after another: `server-timing` has no place for beginnings. */
  steps: TimedStep[]
  /** Of the whole making; less than the sum of its steps when some ran side by side. */
  totalMs: number
}

/** One step of the making of an answer. */
export interface TimedStep {
  name: string
  startMs: number
  durationMs: number
}

/** @param now  Milliseconds since 1970, when the answer came. */
export function exchangeFacts(headers: Headers, now: number): ExchangeFacts {
  const seconds = (name: string) => scaled(numberIn(headers, name), 1_000)
  const limit = numberIn(headers, 'x-rate-limit-limit')
  const remaining = numberIn(headers, 'x-rate-limit-remaining')
  const resetAt = seconds('x-rate-limit-reset')
  const createdAt = numberIn(headers, 'x-timestamp')
  const timings = readTimings(headers.get('server-timing') ?? '')
  const steps = stepsOf(timings.filter(({ name }) => name !== TOTAL))
  return {
    cache: headers.get('x-cache-status') ?? undefined,
    ageMs: createdAt === undefined ? seconds('age') : Math.max(0, now - createdAt),
    ttlMs: numberIn(headers, 'x-cache-ttl'),
    limit: limit !== undefined && remaining !== undefined && resetAt ? { limit, remaining, resetAt } : undefined,
    fetchMode: headers.get('x-fetch-mode') ?? undefined,
    plan: headers.get('x-pricing-plan') ?? undefined,
    retryAfterMs: seconds('retry-after'),
    steps,
    totalMs: timings.find(({ name }) => name === TOTAL)?.durationMs ?? endOf(steps),
  }
}

const TOTAL = 'total'

function readTimings(text: string): Omit<TimedStep, 'startMs'>[] {
  return text.split(',').flatMap((entry) => {
    const [, name, duration] = /^\s*([^;\s]+).*?;\s*dur="?([\d.]+)/.exec(entry) ?? []
    return name ? [{ name, durationMs: Number(duration) }] : []
  })
}

function stepsOf(timings: readonly Omit<TimedStep, 'startMs'>[]): TimedStep[] {
  const steps: TimedStep[] = []
  for (const { name, durationMs } of timings) steps.push({ name, startMs: endOf(steps), durationMs })
  return steps
}

function endOf(steps: readonly TimedStep[]): number {
  const last = steps.at(-1)
  return last ? last.startMs + last.durationMs : 0
}

function numberIn(headers: Headers, name: string): number | undefined {
  const text = headers.get(name)
  return text && Number.isFinite(Number(text)) ? Number(text) : undefined
}

const scaled = (number: number | undefined, by: number) => (number === undefined ? undefined : number * by)
