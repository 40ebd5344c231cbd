import type { Context } from 'hono'
import { ALLOW_HOSTS_HEADER, checkHosts, parseHostList, type HostList } from '../../query/help/index.js'
import { PageError, type PageQuery, type ParsedQuery } from '../../query/index.js'
import type { DailyLimit } from '../budget/index.js'
import { withTimeout } from '../jobs/index.js'
import { createKeyLimits, type KeyVerifier } from '../keys/index.js'
import { timeoutOf, type Caller, type Plan, type RequestScope } from '../request-scope.js'
import type { ServiceParts } from '../results/index.js'
import type { ApiKeyLimits, ApiKeyRecord } from '../store/index.js'
import type { RouterEnv } from './received-request.js'

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

/** Why a request may be served, as far as it concerns caches between service and client. */
interface Authorization {
  /** Whether the URL alone grants access; `false`: the API key of the request header does. */
  isPublic: boolean
  /** Milliseconds since 1970: from then on the URL is refused. */
  expiresAt: number
  /** The key that the request has, or is signed with; `undefined` on the free host. */
  key: ApiKeyRecord | undefined
}

const PUBLIC: Authorization = { isPublic: true, expiresAt: Infinity, key: undefined }

/**
 * Authorizes a request: on the free host every request, whatever its key; on the pro host those with a registered key or a
 * valid signature. Keys may expire.
 *
 * @param parsed   The query that is resolved.
 * @param preview  The one with the key or signature: `parsed` itself, or the preview whose URL an oEmbed request has.
 * @throws  {PageError} `EAUTH`: 401 without key and signature, 403 for an unknown or revoked key and for a signature that is
 *          wrong, expired, cannot be verified, or does not cover the screenshot that oEmbed returns.
 */
async function authorize(
  { headers }: Request,
  {
    plan,
    parsed,
    preview,
    keys,
    now,
  }: { plan: Plan; parsed: ParsedQuery; preview: ParsedQuery; keys: KeyVerifier; now: number },
): Promise<Authorization> {
  if (plan === 'free') return PUBLIC
  const apiKey = headers.get('x-api-key') || preview.apiKey
  if (apiKey) {
    const key = await keys.findKey(apiKey)
    if (key) return { isPublic: false, expiresAt: expiryOf(key, 'apiKey', now), key }
    throw forbidden('apiKey', 'unknown', 'This API key is unknown or revoked')
  }
  if (preview.query.signature !== undefined) {
    const authorization = await authorizeSigned(preview, keys, now)
    if (parsed.query.screenshot && !preview.query.screenshot) throw uncoveredError()
    return authorization
  }
  throw new PageError('EAUTH', 'The pro host needs an API key: send it as the header x-api-key, or sign the request.', {
    data: { apiKey: 'missing' },
  })
}

/** The valid key that an image is requested with; images need none, so an invalid one is ignored. */
async function keyOfImageRequest(
  { headers }: Request,
  { plan, keys, now }: { plan: Plan; keys: KeyVerifier; now: number },
): Promise<ApiKeyRecord | undefined> {
  const apiKey = plan === 'pro' && headers.get('x-api-key')
  const key = apiKey ? await keys.findKey(apiKey) : undefined
  return key && now < (key.expiresAt ?? Infinity) ? key : undefined
}

async function authorizeSigned(parsed: ParsedQuery, keys: KeyVerifier, now: number): Promise<Authorization> {
  const { keyId, expires } = parsed.query
  if (!keyId) throw forbidden('keyId', 'missing', 'This signed request lacks the parameter keyId')
  if (!expires) throw forbidden('expires', 'missing', 'This signed request lacks the parameter expires')
  const check = await keys.checkSignature(parsed, keyId)
  if (check.result === 'unknown-key')
    throw forbidden('keyId', 'unknown', 'The key of this signed request is unknown or revoked')
  if (check.result === 'unverifiable')
    throw forbidden('keyId', 'unverifiable', 'The service cannot verify what is signed with this key')
  if (check.result !== 'valid') throw forbidden('signature', 'wrong', 'The signature does not match this request')
  const expiresAt = expires * 1_000
  if (now > expiresAt)
    throw forbidden(
      'expires',
      'passed',
      'This signed request has expired: sign it again, with expires or expiresIn of signedUrl for more than 24 hours',
    )
  const { key } = check
  return { isPublic: true, expiresAt: Math.min(expiresAt, expiryOf(key, 'keyId', now)), key }
}

/** @throws  {PageError} `EAUTH` when the key has expired. */
function expiryOf({ expiresAt = Infinity }: ApiKeyRecord, parameter: string, now: number): number {
  if (now < expiresAt) return expiresAt
  throw forbidden(parameter, 'expired', 'This API key has expired')
}

const forbidden = (parameter: string, reason: string, message: string) =>
  new PageError('EAUTH', `${message}; check it, or request a new one from the operator of the service.`, {
    status: 403,
    data: { [parameter]: reason },
  })

const uncoveredError = () =>
  new PageError(
    'EAUTH',
    'The signature of this preview does not cover a screenshot, which oEmbed returns; sign its URL with screenshot=true.',
    { status: 403, data: { signature: 'covers no screenshot' } },
  )
