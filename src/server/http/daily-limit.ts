import { LRUCache } from 'lru-cache'
import { PageError } from '../../query/index.js'
import type { Store } from '../store/index.js'

const DAY_MS = 86_400_000
const LATELY_MS = 1_000
const MAX_CLIENTS = 10_000

/** How much of today is left for one client. */
export interface LimitState {
  limit: number
  remaining: number
  /** Milliseconds since 1970: the next 00:00 UTC. */
  resetAt: number
  /** What answers say of it, name after value. */
  headers: readonly string[]
}

export interface DailyLimit {
  state(client: string): Promise<LimitState>
  /** What `state` said in the last second; charging a client forgets it. */
  lately(client: string): LimitState | undefined
  /** Counts one answer that has to be made. @throws {PageError} `ERATE` when none is left. */
  consumeQuota(client: string): Promise<void>
}

/** The daily limit of the free host: counted per client, kept by the store, reset at 00:00 UTC. */
export function createDailyLimit(store: Store, { limit, clock }: { limit: number; clock: () => number }): DailyLimit {
  const resetAt = () => (Math.floor(clock() / DAY_MS) + 1) * DAY_MS
  let day = { name: '', endsAt: 0 }
  const today = () => {
    if (day.endsAt !== resetAt()) day = { name: new Date(clock()).toISOString().slice(0, 10), endsAt: resetAt() }
    return day.name
  }
  const states = new LRUCache<string, LimitState>({ max: MAX_CLIENTS, ttl: LATELY_MS })
  return {
    async state(client) {
      const remaining = Math.max(0, limit - (await store.readCount(client, today())))
      const counts = { limit, remaining, resetAt: resetAt() }
      const state = { ...counts, headers: limitHeaders(counts, clock()) }
      states.set(client, state)
      return state
    },
    lately: (client) => states.get(client),
    async consumeQuota(client) {
      states.delete(client)
      if ((await store.readCount(client, today())) < limit && (await store.countRequest(client, today())) <= limit)
        return
      throw new PageError(
        'ERATE',
        `Today's ${limit} requests are used up; it starts again at 00:00 UTC. Kept answers still work.`,
        { retryAfterMs: resetAt() - clock() },
      )
    },
  }
}

function limitHeaders({ limit, remaining, resetAt }: Omit<LimitState, 'headers'>, now: number): string[] {
  const resetS = Math.max(1, Math.ceil((resetAt - now) / 1_000))
  const headers = {
    'x-rate-limit-limit': String(limit),
    'x-rate-limit-remaining': String(remaining),
    'x-rate-limit-reset': String(Math.ceil(resetAt / 1_000)),
    'ratelimit-policy': `"daily";q=${limit};w=86400`,
    ratelimit: `"daily";r=${remaining};t=${resetS}`,
  }
  return Object.entries(headers).flat()
}
