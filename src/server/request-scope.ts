import type { HostList } from '../query/help/index.js'
import { fields, type PageQuery, type ParsedQuery } from '../query/index.js'
import { BACKGROUND, type Refund, type Waiters, type Work } from './budget/index.js'
import type { Explainer } from './explainer.js'
import type { ApiKeyRecord } from './store/index.js'

/** Which host a request belongs to; the value of `x-pricing-plan`. */
export type Plan = 'free' | 'pro'

/**
 * Who work is done for, whose quota it consumes, and when it must end.
 *
 * - The `client` is who is limited: it takes turns with other clients in each queue.
 * - The `waiters` are the clients of all requests that wait for the same work. It starts at the first turn of any of them.
 * - The `owner` is who has what is stored: a hash of the API key, or of the client's largest network.
 */
export interface Caller {
  /** The id of the API key of the request, else the network of its client; see `identifyClient`. `BACKGROUND` if no request waits. */
  client: string
  /** All callers that wait for the work, for the queues; it may start in the turn of each. Default: only `client`. */
  waiters?: Waiters | undefined
  /** The API key of the request; `undefined` on the free host. */
  apiKey: ApiKeyRecord | undefined
  /** See `createOwnerHash`. `undefined` only if a result that is replaced has none. */
  owner: string | undefined
  /** Aborts when nobody waits for the work any more, or its time is up. */
  signal: AbortSignal
  /** Called before work starts on behalf of the client, also in the background; may throw `ERATE`. */
  consumeQuota: (work: Work) => Promise<Refund>
}

/** The part of a request that reads and captures its page: a worker gets no more. */
export interface ExtractionScope extends Pick<Caller, 'client' | 'waiters' | 'signal'> {
  /** The parsed query without the API key of the service. */
  parsed: ParsedQuery
  /** The parameters of `parsed`: all of its `headers` are sent to the page. */
  query: PageQuery
  /** Milliseconds from the start of the work. */
  timeoutMs: number
  /** The hosts that the request is restricted to; `undefined`: every host. */
  allowedHosts: HostList | undefined
  /** Whether the browser opens the page before those without priority. */
  hasPriority: boolean
  /** Milliseconds that the clock of the page is ahead of the time, so that what depends on it differs. Default: it is not changed. */
  clockAheadMs?: number | undefined
  /** Collects the explanation of the result. Only with `explain`, and only while the page is extracted. */
  explainer?: Explainer | undefined
}

/**
 * One request for a page: what is requested, by whom, and what they may have. Authentication makes it, and it is passed on whole from
 * there to the result, the page and the browser.
 */
export interface RequestScope extends Caller, ExtractionScope {
  plan: Plan
  /** URL of the service for this request, without trailing slash. */
  base: string
  /** The header of the request. */
  accept: string | null
  /** Whether the URL alone grants access; `false`: the API key of the request header does. */
  isPublic: boolean
  /** Milliseconds since 1970: from then on the URL is refused. */
  expiresAt: number
  /** Whether `force` may replace a better result, such as a page by its error page. */
  mayReplaceBetter: boolean
}

/** Milliseconds that a request may take. */
const timeoutOf = ({ timeout }: PageQuery): number => Number(timeout ?? fields.timeout.default)

/** What of a scope its query determines. */
export const scopeOfQuery = (parsed: ParsedQuery): Pick<ExtractionScope, 'parsed' | 'query' | 'timeoutMs'> => ({
  parsed,
  query: parsed.query,
  timeoutMs: timeoutOf(parsed.query),
})

/** Whether the request has less time than the default, so that what fails or is cut short may succeed for other requests. */
export const isShortened = (query: PageQuery): boolean => timeoutOf(query) < fields.timeout.default

/**
 * The scope of the work that replaces a stale result after a request was served. No request waits for it, so it gets neither the
 * priority nor the timeout of that request. It still counts towards the client's revalidation quota. The owner of the result stays
 * the same.
 */
export function revalidationScope(
  scope: RequestScope,
  { owner, signal }: Pick<RequestScope, 'owner' | 'signal'>,
): RequestScope {
  return {
    ...scope,
    ...scopeOfQuery(scope.parsed.with({ timeout: undefined })),
    client: BACKGROUND,
    owner,
    signal,
    consumeQuota: () => scope.consumeQuota('revalidation'),
    hasPriority: false,
    mayReplaceBetter: false,
  }
}
