import { fields, PageError, type PageData, type PageQuery, type PageState, type Screenshot } from '../../query/index.js'
import { hostnameOf } from '../hostnames.js'
import { FAILURE_TTL_MS } from '../jobs/index.js'
import type { Logger } from '../log.js'
import { isShortened, type RequestScope } from '../request-scope.js'
import { digest, type CacheEntry, type ImageName } from '../store/index.js'

/** The extracted data of one page, as it is cached: independent of any single request, and without URLs of the service. */
export interface ExtractionResult {
  data: Omit<PageData, 'screenshot'>
  /** The screenshot by its name in the store; its URL is built for each request. `null` if `data` has a `state`. */
  screenshot?: (Omit<Screenshot, 'url'> & { image: ImageName }) | null
  /** Status of the target page, after its redirects. */
  statusCode: number
  /** Response headers of the target page. */
  headers: Record<string, string>
  redirects: { statusCode: number; url: string }[]
  warnings: string[]
  /** Source of the metadata: the fetched HTML, or the DOM after the page's scripts ran; `skipped` with `meta=false`. */
  fetchMode: 'fetch' | 'prerender' | 'skipped'
  /** The time of the request was used up before the page had loaded. */
  isCutShort?: boolean
  /**
   * The page needs its scripts, but they could not be run, or its waits were cut short because others waited for the browser; such a
   * result is cached for a short time only.
   */
  isProvisional?: boolean
  /** How many times in a row the page did not show its content; only with `state`. */
  timesWithoutContent?: number
  /** Milliseconds by step: `load`, `read`, `capture` … */
  timings: Record<string, number>
}

/** The longest delay before a page that did not show its content is opened again. */
const MAX_RETRY_DELAY_MS = 3_600_000

/**
 * The key of a result. A request that is restricted to some hosts has its own entries, because redirects of other requests may
 * have led to any host. The key is a digest, because a query may be 64 kB long; see `BoundedRequest` for long keys.
 */
export const resultKey = ({ parsed, allowedHosts }: Pick<RequestScope, 'parsed' | 'allowedHosts'>): string =>
  digest(allowedHosts ? `${parsed.cacheKey} hosts=${allowedHosts.text}` : parsed.cacheKey)

/** The key of a result that may not replace the entry of `key`; see `whyNotReplace`. */
export const rejectedKey = (key: string): string => `rejected ${key}`

/**
 * Milliseconds for which an entry may be served: the requested `ttl`, but less for a page that responded with 404, for one
 * that could not be prerendered and for an entry that expires earlier, because each may soon have a better result. A page that
 * did not show its content is opened again after a delay instead.
 */
export function lifetimeOf(entry: CacheEntry<ExtractionResult>, requestedTtlMs: number): number {
  const { body, createdAt, expiresAt } = entry
  const lifeMs = expiresAt - createdAt
  // A short `ttl` does not shorten it, because the page would probably show the same again.
  if (body.data.state) return Math.min(retryDelayOf(body), lifeMs)
  return longestLifetime(body, Math.min(requestedTtlMs, lifeMs))
}

/** Milliseconds for which an entry is stored: longer than it is served if the next result depends on it. */
const storedLifetime = (result: ExtractionResult, ttlMs: number): number =>
  result.data.state ? 2 * retryDelayOf(result) : longestLifetime(result, ttlMs)

/** Milliseconds until a page that did not show its content is opened again: each time in a row doubles them. */
function retryDelayOf({ isProvisional, timesWithoutContent = 1 }: ExtractionResult): number {
  if (isProvisional) return FAILURE_TTL_MS.default
  return Math.min(FAILURE_TTL_MS.noContent * 2 ** (timesWithoutContent - 1), MAX_RETRY_DELAY_MS)
}

/** Milliseconds for which a result may be served at most. */
function longestLifetime(result: ExtractionResult, ttlMs: number): number {
  if (result.isProvisional) return Math.min(ttlMs, FAILURE_TTL_MS.default)
  return result.statusCode === 404 ? Math.min(ttlMs, FAILURE_TTL_MS.notFound) : ttlMs
}

/**
 * When an entry has to expire so that the request can use it for its whole `ttl`, milliseconds since 1970; `undefined` when it
 * expires late enough. An entry with less than the default life has a result that may soon be replaced by a better one.
 */
export function longerExpiry(entry: CacheEntry<ExtractionResult>, requestedTtlMs: number): number | undefined {
  const lifeMs = entry.expiresAt - entry.createdAt
  return lifeMs < requestedTtlMs && lifeMs >= fields.ttl.default ? entry.createdAt + requestedTtlMs : undefined
}

/** The longest `ttl` of any request for the key so far, because each request applies its own to the same entry. */
const longestTtl = ({ ttl }: PageQuery, existing: CacheEntry | undefined) =>
  Math.max(fields.ttl.default, Number(ttl ?? 0), existing ? existing.expiresAt - existing.createdAt : 0)

/**
 * What happens to a new result, and for how many milliseconds it is stored:
 * - `store`: it becomes the result of its key.
 * - `reject`: it is stored under `rejectedKey`, because the existing result is better and stays.
 * - `serve-once`: it is not stored, and only the requests that wait for it now get it.
 */
interface ResultDecision {
  action: 'store' | 'reject' | 'serve-once'
  lifetimeMs: number
}

/** The new entry of a key, or the entry that another request or instance has stored in the meantime. */
export interface ProducedEntry {
  entry: CacheEntry<ExtractionResult>
  /** Whether the entry of the key was better, and stays. */
  isRejected: boolean
}

/**
 * Decides what happens to a new result, so that a worse one never replaces a better one.
 *
 * @param existing  The entry of its key, if any.
 */
export function decideResult(
  result: ExtractionResult,
  scope: Pick<RequestScope, 'query' | 'mayReplaceBetter'>,
  existing: CacheEntry<ExtractionResult> | undefined,
): ResultDecision {
  const { query } = scope
  if (wasCutShortByCaller(result, query)) return { action: 'serve-once', lifetimeMs: 0 }
  if (existing && !forcesReplacement(result, scope) && whyNotReplace(result, existing.body))
    return { action: 'reject', lifetimeMs: storedLifetime(result, FAILURE_TTL_MS.rejected) }
  return { action: 'store', lifetimeMs: storedLifetime(result, longestTtl(query, existing)) }
}

/**
 * Whether a request replaces even a better result with this one. A result without content never does, because its delay applies to
 * other requests too.
 */
export const forcesReplacement = (
  { data }: ExtractionResult,
  { query, mayReplaceBetter }: Pick<RequestScope, 'query' | 'mayReplaceBetter'>,
): boolean => mayReplaceBetter && query.force === true && !data.state

/** Whether a request with the default timeout would have had a better result. */
const wasCutShortByCaller = ({ isCutShort, isProvisional }: ExtractionResult, query: PageQuery) =>
  isShortened(query) && Boolean(isCutShort || isProvisional)

/**
 * Why a new result must not replace a cached one; `undefined` when it may.
 *
 * @returns  `EBRWSRTIMEOUT`: the browser had too little time for the new result, and enough for the cached one. `EUNREACHABLE`: only the cached
 *           one has the content of the page.
 */
export function whyNotReplace(result: ExtractionResult, cached: ExtractionResult): PageError | undefined {
  const { state } = result.data
  if (hasContent(cached)) {
    if (state) return new PageError('EUNREACHABLE', `The page now ${describeState(state)}.`)
    if (result.statusCode >= 400)
      return new PageError('EUNREACHABLE', `The page now responds with status ${result.statusCode}.`)
  }
  if (result.isProvisional && !cached.isProvisional && !cached.data.state)
    return new PageError('EBRWSRTIMEOUT', 'The browser had too little time for the page, or could not open it.')
  return undefined
}

/** Whether a result shows the content of its page, neither an error nor what `state` names. */
const hasContent = ({ data, statusCode }: ExtractionResult) => data.state === undefined && statusCode < 400

const SHOWN: Readonly<Record<PageState, string>> = {
  'bot-check': 'a bot check',
  blank: 'a blank screen',
  'error-page': 'an error message',
  consent: 'a consent wall',
  login: 'a login form',
}

/** Everything that a page can show instead of its content. */
export const pageStates = Object.keys(SHOWN) as PageState[]

/** The end of a sentence that begins with the page: `shows a bot check instead of its content`. */
export const describeState = (state: PageState): string => `shows ${SHOWN[state]} instead of its content`

/** What pages showed instead of their content. */
export interface StateCounter {
  /** Counts a page, and writes its host to the log. */
  record(state: PageState, url: string): void
  /** So far, by state. */
  counts(): Readonly<Record<PageState, number>>
}

export function createStateCounter(log: Pick<Logger, 'info'>): StateCounter {
  const counts = Object.fromEntries(pageStates.map((state) => [state, 0])) as Record<PageState, number>
  return {
    record(state, url) {
      counts[state]++
      const fields = { event: 'page-without-content', state, targetHost: hostnameOf(new URL(url)) }
      log.info(fields, 'the page did not show its content')
    },
    counts: () => counts,
  }
}
