import { LRUCache } from 'lru-cache'
import { PageError } from '../../query/index.js'
import type { RequestCounters } from '../store/index.js'
import { DAY_MS, utcDay } from '../utc-day.js'
import { clientNetworks } from './client-networks.js'

/** Work that a request may start, as it is counted in the budget of its client. */
export type Work = keyof typeof countedWork

/**
 * What counts towards the daily limit of a client of the free host, each as one. `freeShare`: additional work that does not count, as
 * a share of the limit; `when` is for the documentation.
 */
export const countedWork = {
  page: {
    freeShare: 0,
    when: 'a page is read, rendered or captured, because no result is cached, or with `force`',
  },
  media: { freeShare: 0, when: 'the `image`, `logo`, `audio` or `video` of a page is fetched to embed it' },
  variant: { freeShare: 0, when: 'a variant of an image is converted for the first time' },
  revalidation: { freeShare: 0.2, when: 'a stale result is captured again in the background' },
} as const

/** What does not count, for the documentation. */
export const uncountedCases = {
  cached: 'a result, an image or a variant is cached, fresh or stale',
  joined: 'a request joins the same work of another client',
  failed: 'a failure is cached',
  busy: 'the service has no time or no browser for the page (`EBUSY`; `EBRWSRTIMEOUT` before the page was opened)',
  pro: 'a request has an API key or is signed: it counts for the key instead',
} as const

/** What one client has left of the day's quota. */
export interface QuotaState {
  limit: number
  remaining: number
  /** Milliseconds since 1970: the next 00:00 UTC. */
  resetAt: number
  /** The rate limit headers of a response; names and values alternate. */
  headers: readonly string[]
}

/** The quota of uncached work that each client of the free host, which is a network, has per day (UTC). */
export interface DailyLimit {
  /** Reads the state from the store. */
  readState(network: string): Promise<QuotaState>
  /** The state that `readState` returned within the last second; `undefined` after the client has consumed quota. */
  recentState(network: string): QuotaState | undefined
  /**
   * Counts work that the client starts, as `countedWork` says.
   *
   * @throws {PageError} `ERATE` when the quota is used up.
   */
  consume(network: string, work: Work): Promise<Refund>
}

/** Gives back the quota of work that was never started. */
export type Refund = () => Promise<void>

const RECENT_MS = 1_000
const MAX_CLIENTS = 10_000

/** Counts work in the store, so that the counts survive restarts and are shared between instances. */
export function createDailyLimit(
  counters: RequestCounters,
  { limit, clock }: { limit: number; clock: () => number },
): DailyLimit {
  const currentDay = createDayClock(clock)
  const recentStates = new LRUCache<string, QuotaState>({ max: MAX_CLIENTS, ttl: RECENT_MS })

  /** The lowest remaining quota of the network, and of the wider networks that it is counted in. */
  const readRemaining = async (network: string, day: string) => {
    const left = clientNetworks(network).map(
      async ({ name, limitFactor }) => limit * limitFactor - (await counters.readCount(name, day)),
    )
    return Math.max(0, Math.min(...(await Promise.all(left))))
  }
  const freeCounter = (network: string, work: Work) => `${work} ${network}`
  /** Counts the work in the free share of its kind. @returns Whether that covers it. */
  const countAsFree = async (network: string, work: Work, day: string) => {
    const freeWorks = Math.ceil(limit * countedWork[work].freeShare)
    if (freeWorks === 0) return false
    const counter = freeCounter(network, work)
    return (await counters.readCount(counter, day)) < freeWorks && countAll([{ name: counter, limit: freeWorks }], day)
  }
  const refund = async (names: readonly string[], day: string) => {
    await Promise.all(names.map((name) => counters.countRequest(name, day, -1)))
  }
  /** Counts work that starts at the same time as other work, or none of it. @returns Whether it is within all limits. */
  const countAll = async (counted: readonly { name: string; limit: number }[], day: string) => {
    const counts = counted.map(async ({ name, limit }) => (await counters.countRequest(name, day)) <= limit)
    if ((await Promise.all(counts)).every(Boolean)) return true
    await refund(
      counted.map(({ name }) => name),
      day,
    )
    return false
  }
  const countWithinLimit = async (network: string, day: string) => {
    if ((await readRemaining(network, day)) === 0) return false
    const networks = clientNetworks(network).map(({ name, limitFactor }) => ({ name, limit: limit * limitFactor }))
    return countAll(networks, day)
  }

  return {
    async readState(network) {
      const { name, endsAt } = currentDay()
      const quota = { limit, remaining: await readRemaining(network, name), resetAt: endsAt }
      const state = { ...quota, headers: rateLimitHeaders(quota, clock()) }
      recentStates.set(network, state)
      return state
    },
    recentState: (network) => recentStates.get(network),
    async consume(network, work) {
      const { name, endsAt } = currentDay()
      if (await countAsFree(network, work, name)) return () => refund([freeCounter(network, work)], name)
      recentStates.delete(network)
      if (await countWithinLimit(network, name)) {
        return async () => {
          recentStates.delete(network)
          await refund(
            clientNetworks(network).map((counted) => counted.name),
            name,
          )
        }
      }
      throw new PageError(
        'ERATE',
        `You have reached the daily limit of ${limit} uncached requests; it resets at 00:00 UTC. Cached pages are still served.`,
        { retryAfterMs: endsAt - clock() },
      )
    },
  }
}

interface Day {
  /** `YYYY-MM-DD`, UTC. */
  name: string
  /** Milliseconds since 1970. */
  endsAt: number
}

/** Formats the date once per day instead of with every request. */
function createDayClock(clock: () => number): () => Day {
  let day: Day = { name: '', endsAt: 0 }
  return () => {
    const endsAt = (Math.floor(clock() / DAY_MS) + 1) * DAY_MS
    if (day.endsAt !== endsAt) day = { name: utcDay(endsAt - DAY_MS), endsAt }
    return day
  }
}

function rateLimitHeaders({ limit, remaining, resetAt }: Omit<QuotaState, 'headers'>, now: number): string[] {
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
