import type { Context } from 'hono'
import { ALLOW_HOSTS_HEADER, checkHosts, parseHostList, type HostList } from '../../query/help/index.js'
import { PageError, type PageQuery, type ParsedQuery } from '../../query/index.js'
import type { DailyLimit } from '../budget/index.js'
import { withTimeout } from '../jobs/index.js'
import { createKeyLimits, type KeyVerifier } from '../keys/index.js'
import { timeoutOf, type Caller, type RequestScope } from '../request-scope.js'
import type { ServiceParts } from '../results/index.js'
import type { ApiKeyLimits, ApiKeyRecord } from '../store/index.js'
import type { RouterEnv } from './received-request.js'
import { authorize, keyOfImageRequest } from './authorize.js'

/** The edge of the service: from a request to its scope, and the limits within which its work runs. */
export interface RequestScopes {
  /**
   * Authenticates a request for a page.
   *
   * @param preview  The query whose key or signature authorizes the request. Default: the query that is resolved.
   * @throws  {PageError} as `authorize` does; `EINVALQUERY` for an invalid list of hosts, `EFORBIDDENURL` for a URL outside of it.
   */
  open(c: Context<RouterEnv>, parsed: ParsedQuery, preview?: ParsedQuery): Promise<RequestScope>
  /** Identifies who requests a variant of an image, which needs no key. */
  openForImage(c: Context<RouterEnv>): Promise<Caller>
  /**
   * Runs the work of a request within the limits of its key and its timeout, with the scope that it gets from there.
   *
   * @throws  {PageError} `ETIMEOUT` after the timeout; the reason of the scope's `signal` when that aborts; else what `work` throws.
   */
  run<Result>(scope: RequestScope, work: (scope: RequestScope) => Promise<Result>): Promise<Result>
  /** Runs the work of a request within the limits of its key. */
  runWithKey<Scope extends Caller, Result>(scope: Scope, work: (scope: Scope) => Promise<Result>): Promise<Result>
}

export function createRequestScopes(
  { store, clock, ownerOf }: ServiceParts,
  keys: KeyVerifier,
  dailyLimit: DailyLimit,
): RequestScopes {
  const keyLimits = createKeyLimits({ store, clock })

  /** Without a key, the daily limit of the network address applies. */
  function callerOf({ var: { request }, req }: Context<RouterEnv>, key: ApiKeyRecord | undefined): Caller {
    const client = key?.id ?? request.client
    return {
      client,
      key,
      owner: ownerOf(client),
      signal: req.raw.signal,
      consumeQuota: (work) => dailyLimit.consume(request.client, work),
    }
  }

  async function runWithKey<Scope extends Caller, Result>(scope: Scope, work: (scope: Scope) => Promise<Result>) {
    if (!scope.key) return work(scope)
    const use = keyLimits.use(scope.key)
    try {
      return await work({ ...scope, consumeQuota: (kind) => use.consume(kind) })
    } finally {
      use.end()
    }
  }

  return {
    async open(c, sent, preview = sent) {
      const { plan, base } = c.var.request
      const { headers } = c.req.raw
      const { key, isPublic, expiresAt } = await authorize(c.req.raw, {
        plan,
        parsed: sent,
        preview,
        keys,
        now: clock(),
      })
      const parsed = sent.withoutApiKey()
      const { query } = parsed
      return {
        ...callerOf(c, key),
        parsed,
        query,
        timeoutMs: timeoutOf(query),
        allowedHosts: allowedHosts(headers, query, key),
        plan,
        base,
        accept: headers.get('accept'),
        isPublic,
        expiresAt,
        hasPriority: plan === 'pro',
        mayReplaceBetter: plan === 'pro',
      }
    },
    async openForImage(c) {
      return callerOf(c, await keyOfImageRequest(c.req.raw, { plan: c.var.request.plan, keys, now: clock() }))
    },
    runWithKey,
    run: (scope, work) => runWithKey(scope, (limited) => runWithTimeout(limited, work)),
  }
}

/** Runs work with a signal that aborts with the request's own signal or after its timeout. */
export const runWithTimeout = <Scope extends Pick<RequestScope, 'signal' | 'timeoutMs'>, Result>(
  scope: Scope,
  work: (scope: Scope) => Promise<Result>,
): Promise<Result> =>
  withTimeout((signal) => work({ ...scope, signal }), {
    signal: scope.signal,
    timeoutMs: scope.timeoutMs,
    timeoutError: () => timeoutError(scope.timeoutMs),
  })

const timeoutError = (timeoutMs: number) =>
  new PageError('ETIMEOUT', `The page was not ready within ${timeoutMs} ms; retry with a longer timeout, or later.`, {
    data: { timeout: 'exceeded' },
  })

/**
 * The hosts that the header of a request and its API key restrict it to; `undefined` without either.
 *
 * @throws  {PageError} `EINVALQUERY` for an invalid header; `EFORBIDDENURL` for a URL in the query at another host.
 */
export function allowedHosts(headers: Headers, query: PageQuery, key?: ApiKeyLimits): HostList | undefined {
  const text = headers.get(ALLOW_HOSTS_HEADER)
  const ofHeader = text === null ? undefined : parseHeader(text)
  const ofKey = key?.allowHosts && parseHostList(key.allowHosts)
  const hosts = ofHeader && ofKey ? inBoth(ofHeader, ofKey) : (ofHeader ?? ofKey)
  if (hosts) checkHosts(query, hosts)
  return hosts
}

const inBoth = (one: HostList, other: HostList): HostList => ({
  text: `${one.text} ${other.text}`,
  allows: (url) => one.allows(url) && other.allows(url),
})

function parseHeader(text: string): HostList {
  try {
    return parseHostList(text.split(',', 1_000).map((host) => host.trim()))
  } catch (cause) {
    const reason = cause instanceof TypeError ? cause.message : 'is invalid'
    throw new PageError('EINVALQUERY', `The header ${ALLOW_HOSTS_HEADER} ${reason}.`, {
      data: { [ALLOW_HOSTS_HEADER]: reason },
      cause,
    })
  }
}
