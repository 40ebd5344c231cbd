/** What the headers of an answer say; whatever they do not say is `undefined`. */
export interface ExchangeFacts {
  cache: string | undefined
  ageMs: number | undefined
  ttlMs: number | undefined
  limit: { limit: number; remaining: number; resetAt: number } | undefined
  fetchMode: string | undefined
  plan: string | undefined
  retryAfterMs: number | undefined
  /** In their order. */
  steps: TimedStep[]
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
  const madeAt = numberIn(headers, 'x-timestamp')
  return {
    cache: headers.get('x-cache-status') ?? undefined,
    ageMs: madeAt === undefined ? seconds('age') : Math.max(0, now - madeAt),
    ttlMs: numberIn(headers, 'x-cache-ttl'),
    limit: limit !== undefined && remaining !== undefined && resetAt ? { limit, remaining, resetAt } : undefined,
    fetchMode: headers.get('x-fetch-mode') ?? undefined,
    plan: headers.get('x-pricing-plan') ?? undefined,
    retryAfterMs: seconds('retry-after'),
    steps: timedSteps(headers.get('server-timing') ?? ''),
  }
}

/** Steps follow one another: `server-timing` has no place for beginnings. */
function timedSteps(text: string): TimedStep[] {
  let startMs = 0
  return text.split(',').flatMap((entry) => {
    const [, name, duration] = /^\s*([^;\s]+).*?;\s*dur="?([\d.]+)/.exec(entry) ?? []
    if (!name) return []
    const step = { name, startMs, durationMs: Number(duration) }
    startMs += step.durationMs
    return [step]
  })
}

function numberIn(headers: Headers, name: string): number | undefined {
  const text = headers.get(name)
  return text && Number.isFinite(Number(text)) ? Number(text) : undefined
}

const scaled = (number: number | undefined, by: number) => (number === undefined ? undefined : number * by)
