import { LRUCache } from 'lru-cache'
import { setTimeout as delay } from 'node:timers/promises'
import { createFairQueue, type FairQueue, type Waiters } from '../budget/index.js'
import { busyError } from '../busy-error.js'
import { createSingleFlight, withTimeout } from '../jobs/index.js'
import type { Guard, GuardedDispatcher } from '../network/index.js'
import { followRedirects, readBody, SUPPORTED_ENCODINGS } from './fetch/index.js'
import { allowsPath, parseRobots, type RobotsRules } from './robots-rules.js'

/** What the `robots.txt` of sites say to the service, which requests each once for all of its pages. */
export interface Robots {
  /** Whether opt-outs of pages, in their own documents too, mean nothing to this service. */
  areIgnored: boolean
  /** Whether a page is known to be excluded, without a request. */
  isExcluded(url: string): boolean
  /**
   * Whether a page may be previewed; requests the `robots.txt` of its origin if it is not in memory. A `robots.txt` that cannot be
   * had within seconds, or whose server fails, excludes nothing, unless an earlier one does.
   *
   * @throws  Only the reason of an aborted `signal`.
   */
  allows(url: string, caller: { client: string; signal: AbortSignal }): Promise<boolean>
  /**
   * Waits until the host of a page may be visited again, if its `crawl-delay` is known, and takes that turn.
   *
   * @throws  {PageError} `EBUSY` if that takes longer than `maxWaitMs`. An aborted `signal` throws its own reason.
   */
  takeTurn(url: string, limits: { maxWaitMs: number; signal: AbortSignal }): Promise<void>
}

export interface RobotsOptions {
  guard: Guard
  dispatcher: GuardedDispatcher
  /** Whether the operator ignores what sites say. Default: false. */
  areIgnored?: boolean | undefined
  /** Milliseconds; only differences count. Default: the time of this process. */
  now?: () => number
}

/** The rules of one origin. */
interface KnownRules {
  rules: RobotsRules
  /** Reading of `now`. */
  expiresAt: number
}

/** Parsers may stop at 500 KiB: https://www.rfc-editor.org/rfc/rfc9309.html#section-2.5 */
const MAX_BYTES = 512_000
const TIMEOUT_MS = 3_000
const MAX_WAIT_MS = 2_000
/** A day is allowed; site owners expect less. */
const LIFETIME_MS = 3_600_000
/** After a failure of the server. */
const RETRY_DELAY_MS = 300_000
const MAX_ORIGINS = 10_000
const MAX_CACHED_CHARS = 8_000_000
const ORIGIN_CHARS = 300
const MAX_FETCHES = 12
/** More places, only for clients with none. */
const RESERVE = 12
const MAX_WAITING = 1_000
const NO_RULES: RobotsRules = { paths: [], crawlDelayMs: 0 }

export function createRobots({
  guard,
  dispatcher,
  areIgnored = false,
  now = () => performance.now(),
}: RobotsOptions): Robots {
  const agents = agentNames(dispatcher.userAgent)
  const known = new LRUCache<string, KnownRules>({
    max: MAX_ORIGINS,
    maxSize: MAX_CACHED_CHARS,
    sizeCalculation: ({ rules }) => rules.paths.reduce((chars, { pattern }) => chars + pattern.length, ORIGIN_CHARS),
  })
  const flights = createSingleFlight<RobotsRules>()
  const queue = createRobotsQueue()
  /** When each host with a `crawl-delay` may be visited next, readings of `now`. */
  const nextVisits = new LRUCache<string, number>({ max: MAX_ORIGINS })

  const freshRules = (origin: string) => {
    const entry = known.get(origin)
    return entry && now() < entry.expiresAt ? entry.rules : undefined
  }

  async function fetchRules(
    origin: string,
    { client, waiters, signal }: { client: string; waiters: Waiters; signal: AbortSignal },
  ): Promise<RobotsRules> {
    const earlier = known.peek(origin)?.rules ?? NO_RULES
    let hasStarted = false
    const fetch = (signal: AbortSignal) => fetchRobots(origin, { guard: guard.forPage(), dispatcher, signal })
    const fetchInTurn = (signal: AbortSignal) => {
      const start = () => {
        hasStarted = true
        return withTimeout(fetch, { signal, timeoutMs: TIMEOUT_MS, timeoutError })
      }
      return queue.run({ client, waiters }, start, signal)
    }
    try {
      const text = await withTimeout(fetchInTurn, { signal, timeoutMs: TIMEOUT_MS + MAX_WAIT_MS, timeoutError })
      return remember(origin, text === undefined ? NO_RULES : parseRobots(text, agents), LIFETIME_MS)
    } catch {
      signal.throwIfAborted()
      // A crawler would have to stay away. A person who requests one page need not wait for a server to be repaired, but the site
      // has not withdrawn its earlier rules: https://www.rfc-editor.org/rfc/rfc9309.html#section-2.3.1.4
      return hasStarted ? remember(origin, earlier, RETRY_DELAY_MS) : earlier
    }
  }

  function remember(origin: string, rules: RobotsRules, lifetimeMs: number): RobotsRules {
    known.set(origin, { rules, expiresAt: now() + lifetimeMs })
    // The visit for which it was requested counts.
    const { host } = new URL(origin)
    if (rules.crawlDelayMs > 0 && !nextVisits.has(host)) nextVisits.set(host, now() + rules.crawlDelayMs)
    return rules
  }

  return {
    areIgnored,
    isExcluded(url) {
      const rules = areIgnored ? undefined : freshRules(originOf(url))
      return rules !== undefined && !allowsPath(rules, new URL(url))
    },
    async allows(url, { client, signal }) {
      if (areIgnored || !/^https?:/.test(url)) return true
      const origin = originOf(url)
      const fetch = (signal: AbortSignal, waiters: Waiters) => fetchRules(origin, { client, waiters, signal })
      const rules = freshRules(origin) ?? (await flights.run(origin, fetch, { signal, waiter: { client } }))
      return allowsPath(rules, new URL(url))
    },
    async takeTurn(url, { maxWaitMs, signal }) {
      const delayMs = areIgnored ? 0 : (known.peek(originOf(url))?.rules.crawlDelayMs ?? 0)
      if (delayMs === 0) return
      const { host } = new URL(url)
      const visitAt = Math.max(now(), nextVisits.get(host) ?? 0)
      const waitMs = visitAt - now()
      if (waitMs > maxWaitMs)
        throw busyError(`${host} asks for ${delayMs / 1_000} seconds between two visits, and others wait for it`, {
          retryAfterMs: waitMs,
        })
      nextVisits.set(host, visitAt + delayMs)
      if (waitMs > 0) await delay(waitMs, undefined, { signal }).catch(() => signal.throwIfAborted())
    },
  }
}

const timeoutError = () => new Error('no robots.txt in time')

const originOf = (url: string) => new URL(url).origin

/** The name of the service, and the one that an operator has given it. */
function agentNames(userAgent: string): string[] {
  const [, name = ''] = /compatible; *([\w-]+)/i.exec(userAgent) ?? /^([\w-]+)/.exec(userAgent) ?? []
  return [...new Set(['pagepreviewbot', name.toLowerCase()])].filter((agent) => agent && agent !== 'mozilla')
}

const createRobotsQueue = (): FairQueue =>
  createFairQueue({
    concurrency: MAX_FETCHES,
    reserve: RESERVE,
    maxWaiting: MAX_WAITING,
    fullError: () => busyError('Too many robots.txt are being fetched'),
  })

/**
 * Fetches the `robots.txt` of an origin, of which the first 500 kB count.
 *
 * @returns  `undefined` if there is none: a status from 400 to 499.
 * @throws   {Error} if it cannot be had.
 */
async function fetchRobots(
  origin: string,
  parts: Pick<RobotsOptions, 'dispatcher'> & { guard: Pick<Guard, 'check'>; signal: AbortSignal },
): Promise<string | undefined> {
  const headers = { accept: 'text/plain,*/*;q=0.5', 'accept-encoding': SUPPORTED_ENCODINGS }
  const response = await followRedirects(`${origin}/robots.txt`, { ...parts, headers })
  try {
    if (response.statusCode >= 400 && response.statusCode < 500) return undefined
    if (response.statusCode !== 200) throw new Error(`status ${response.statusCode}`)
    const { bytes, isComplete } = await readBody(response, { maxBytes: MAX_BYTES, signal: parts.signal })
    const text = bytes.toString('utf8')
    // A pattern that is cut off would match more than it says.
    return isComplete ? text : text.slice(0, Math.max(0, text.lastIndexOf('\n')))
  } finally {
    response.body.destroy()
  }
}
