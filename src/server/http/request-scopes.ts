import type { Context, Hono } from 'hono'
import { randomUUID } from 'node:crypto'
import { ALLOW_HOSTS_HEADER, checkHosts, parseHostList, type HostList } from '../../query/help/index.js'
import { PageError, type PageQuery, type ParsedQuery } from '../../query/index.js'
import { BACKGROUND, createClientIdentifier, type DailyLimit } from '../budget/index.js'
import { withTimeout } from '../jobs/index.js'
import { createKeyLimits, type KeyVerifier } from '../keys/index.js'
import { scopeOfQuery, type Caller, type Plan, type RequestScope } from '../request-scope.js'
import type { ResultParts } from '../results/index.js'
import type { ServiceSettings } from '../service-options.js'
import type { ApiKeyLimits, ApiKeyRecord } from '../store/index.js'
import { parseTraceParent, type TraceParent } from '../tracing.js'

/** What a listener knows about the connection of a request. */
export interface Connection {
  /** IP address of the peer of the socket, which may be a reverse proxy. Default: `127.0.0.1`. */
  peerAddress?: string
  /** Default: decided by `proHost` and `proPublicUrl`, else free. */
  plan?: Plan
}

/** A request as a listener receives it, before a `Request` is created from it. */
export interface RawRequest extends RequestSource {
  method: string | undefined
  ifNoneMatch: string | undefined
  acceptEncoding?: string | undefined
  /** The hosts that the request is restricted to, unparsed. */
  allowedHosts?: string | undefined
}

/** A response that a listener can write without changes. */
export interface RawResponse {
  status: number
  /** Names and values alternate. */
  headers: string[]
  /** Bytes, or text with one character per byte (latin1). */
  body: Uint8Array | string | undefined
}

/** What is known of a request before its query is parsed: the client, the host and the identifiers. */
export interface ReceivedRequest {
  /** The caller's own, if it has sent a valid one. */
  requestId: string
  /** The `traceparent` of the caller, if it has sent a valid one. */
  traceParent: TraceParent | undefined
  /** Reading of `performance.now()`. */
  startedAt: number
  plan: Plan
  /** URL of the service for this request, without trailing slash. */
  base: string
  /** The network of the client, also of a request with an API key; see `identifyClient`. */
  network: string
}

/** What of a request and its connection is read for `ReceivedRequest`. */
export interface RequestSource extends Connection {
  /** Absolute. */
  url: string
  forwardedFor?: string | undefined
  requestId?: string | undefined
  traceparent?: string | undefined
}

/** Types of Hono's `c.env` and `c.var`: https://hono.dev/docs/api/context */
export interface RouterEnv {
  Bindings: Connection
  Variables: {
    request: ReceivedRequest
    /** Cache status of the response for the metrics; `none` if it has none. */
    cacheStatus: string
    /** What failed the request, if anything. */
    failure?: unknown
  }
}

export type Router = Hono<RouterEnv>

/** Visible ASCII, so that it is safe in a header and a line of the log. Hono's `request-id` accepts neither all of it nor a raw request. */
const VALID_ID = /^[\x21-\x7e]{1,128}$/

/** Identifies a request: by whom it was sent, and to which host of the service. */
export type Receive = (source: RequestSource) => ReceivedRequest

export function createReceiver(options: ServiceSettings): Receive {
  const identify = createClientIdentifier(options.trustProxy)
  return ({ url, forwardedFor, requestId, traceparent, peerAddress, plan = planOf(url, options) }) => {
    const publicUrl = plan === 'pro' ? options.proPublicUrl : options.publicUrl
    return {
      requestId: requestIdOf(requestId),
      traceParent: parseTraceParent(traceparent),
      startedAt: performance.now(),
      plan,
      base: publicUrl ?? originOf(url),
      network: identify(peerAddress, forwardedFor ?? null),
    }
  }
}

/** The request ID that a reverse proxy has set, or a new one if that is missing or invalid. */
export const requestIdOf = (header: string | null | undefined): string =>
  header && VALID_ID.test(header) ? header : randomUUID()

/** Decides by the `Host` of an absolute URL; without options every request is free. */
function planOf(url: string, { proHost, proPublicUrl }: ServiceSettings): Plan {
  if (!proHost && !proPublicUrl) return 'free'
  const { host, hostname } = new URL(url)
  const proName = proHost?.toLowerCase()
  // The scheme is ignored, because TLS may be terminated by a reverse proxy.
  const isPro = host === proName || hostname === proName || (proPublicUrl && host === new URL(proPublicUrl).host)
  return isPro ? 'pro' : 'free'
}

/** The path of the playground, for a redirect: a reverse proxy may serve the service below a path. */
export const playgroundPath = ({ base }: ReceivedRequest): string => `${base.replace(/^\w+:\/\/[^/]+/, '')}/playground/`

/** `new URL(url).origin` for an absolute URL, but without the cost of parsing it, which cached responses would notice. */
const originOf = (url: string) => url.slice(0, url.indexOf('/', url.indexOf('//') + 2))

/** The edge of the service: from a request to its scope, and the limits within which its work runs. */
export interface RequestScopes {
  /**
   * Authenticates a request for a page.
   *
   * @param parsed   The query that is resolved.
   * @param preview  The query whose key or signature authorises the request. Default: `parsed`.
   * @throws  {PageError} `EAUTH` as `authorize` says, and for `history` on the free host; `EINVALQUERY` for an invalid list of hosts, `EFORBIDDENURL` for a URL outside of it.
   */
  open(c: Context<RouterEnv>, parsed: ParsedQuery, preview?: ParsedQuery): Promise<RequestScope>
  /**
   * Authenticates a request that is not for a page.
   *
   * @throws  {PageError} `EAUTH` on the free host, and without a valid key in the header `x-api-key`.
   */
  openForKey(c: Context<RouterEnv>): Promise<ApiKeyRecord>
  /**
   * The scope of a page that is captured for an API key while no request waits for it: in the background, within the daily limit of the
   * key, but not its concurrency, which is for its requests.
   *
   * @param base  URL of the pro host, without trailing slash.
   * @throws  {PageError} `EAUTH` once the key is revoked or has expired; `EFORBIDDENURL` for a URL outside of its hosts.
   */
  openInBackground(keyId: string, parsed: ParsedQuery, base: string, signal: AbortSignal): Promise<RequestScope>
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
  { store, clock, ownerOf }: ResultParts,
  keys: KeyVerifier,
  dailyLimit: DailyLimit,
  { freeHistory }: ServiceSettings,
): RequestScopes {
  const keyLimits = createKeyLimits({ apiKeys: store.apiKeys, clock })

  /** Without a key, the daily limit of the network applies. */
  function callerOf({ var: { request }, req }: Context<RouterEnv>, apiKey: ApiKeyRecord | undefined): Caller {
    const client = apiKey?.id ?? request.network
    return {
      client,
      apiKey,
      owner: ownerOf(client),
      signal: req.raw.signal,
      consumeQuota: (work) => dailyLimit.consume(request.network, work),
    }
  }

  function scopeOf(
    c: Context<RouterEnv>,
    parsed: ParsedQuery,
    { apiKey, isPublic, expiresAt }: Authorization,
  ): RequestScope {
    const { plan, base } = c.var.request
    const { headers } = c.req.raw
    return {
      ...callerOf(c, apiKey),
      ...scopeOfQuery(parsed),
      allowedHosts: allowedHosts(headers, parsed.query, apiKey),
      plan,
      base,
      accept: headers.get('accept'),
      isPublic,
      expiresAt,
      hasPriority: plan === 'pro',
      mayReplaceBetter: plan === 'pro',
    }
  }

  async function runWithKey<Scope extends Caller, Result>(scope: Scope, work: (scope: Scope) => Promise<Result>) {
    if (!scope.apiKey) return work(scope)
    const use = keyLimits.use(scope.apiKey)
    try {
      return await work({ ...scope, consumeQuota: (kind) => use.consume(kind) })
    } finally {
      use.end()
    }
  }

  return {
    async open(c, parsed, preview = parsed) {
      const { plan } = c.var.request
      if (plan === 'free' && !freeHistory && parsed.query.history !== undefined)
        throw new PageError('EAUTH', 'The history of pages is on the pro host, and needs an API key.', {
          data: { history: 'needs an API key' },
        })
      const authorization =
        plan === 'free' ? PUBLIC : await authorize(c.req.raw.headers, parsed, preview, keys, clock())
      return scopeOf(c, parsed.withoutApiKey(), authorization)
    },
    async openForKey(c) {
      if (c.var.request.plan === 'free')
        throw new PageError('EAUTH', 'Jobs are on the pro host, and need an API key.', { data: { apiKey: 'missing' } })
      const apiKey = c.req.header('x-api-key')
      if (!apiKey) throw missingKeyError('The pro host needs an API key: send it as the header x-api-key.')
      return findValidKey(apiKey, keys, clock())
    },
    async openInBackground(keyId, parsed, base, signal) {
      const apiKey = await store.apiKeys.readKey(keyId)
      if (!apiKey || apiKey.revokedAt !== undefined)
        throw forbidden('apiKey', 'revoked', `The API key of this job was revoked: ${REQUEST_KEY}`)
      const expiresAt = expiryOf(apiKey, 'apiKey', clock())
      return {
        ...scopeOfQuery(parsed),
        client: BACKGROUND,
        apiKey,
        owner: ownerOf(apiKey.id),
        signal,
        consumeQuota: () => keyLimits.use(apiKey).consume('revalidation'),
        allowedHosts: allowedHosts(new Headers(), parsed.query, apiKey),
        plan: 'pro',
        base,
        accept: null,
        isPublic: false,
        expiresAt,
        hasPriority: false,
        mayReplaceBetter: true,
      }
    },
    async openForImage(c) {
      const { plan } = c.var.request
      return callerOf(c, plan === 'pro' ? await keyOfImageRequest(c.req.raw.headers, keys, clock()) : undefined)
    },
    runWithKey,
    run: (scope, work) => runWithKey(scope, (limitedScope) => runWithTimeout(limitedScope, work)),
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
  new PageError(
    'ETIMEOUT',
    `The page was not ready within ${timeoutMs} ms. Try again later, or with a longer timeout.`,
    {
      data: { timeout: 'exceeded' },
    },
  )

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
type Authorization = Pick<RequestScope, 'isPublic' | 'expiresAt' | 'apiKey'>

/** On the free host every request is authorised, whatever its key. */
const PUBLIC: Authorization = { isPublic: true, expiresAt: Infinity, apiKey: undefined }

/**
 * Authorises a request to the pro host, which needs a registered key or a valid signature. Keys may expire.
 *
 * @param parsed   The query that is resolved.
 * @param preview  The query with the key or signature: `parsed` itself, or the preview whose URL an oEmbed request has.
 * @throws  {PageError} `EAUTH`: 401 without key and signature, 403 for an unknown or revoked key and for a signature that is
 *          wrong, expired, cannot be verified, or does not cover the screenshot that oEmbed returns.
 */
async function authorize(
  headers: Headers,
  parsed: ParsedQuery,
  preview: ParsedQuery,
  keys: KeyVerifier,
  now: number,
): Promise<Authorization> {
  const apiKey = headers.get('x-api-key') || preview.apiKey
  if (apiKey) {
    const key = await findValidKey(apiKey, keys, now)
    return { isPublic: false, expiresAt: key.expiresAt ?? Infinity, apiKey: key }
  }
  if (preview.query.signature !== undefined) {
    const authorization = await authorizeSigned(preview, keys, now)
    if (parsed.query.screenshot && !preview.query.screenshot) throw uncoveredError()
    return authorization
  }
  throw missingKeyError('The pro host needs an API key: send it as the header x-api-key, or sign the request.')
}

const missingKeyError = (message: string) => new PageError('EAUTH', message, { data: { apiKey: 'missing' } })

async function findValidKey(apiKey: string, keys: KeyVerifier, now: number): Promise<ApiKeyRecord> {
  const key = await keys.findKey(apiKey)
  if (!key) throw forbidden('apiKey', 'unknown', `This API key is unknown or revoked. Check it, or ${REQUEST_KEY}`)
  expiryOf(key, 'apiKey', now)
  return key
}

/** The valid key that an image of the pro host is requested with; images need none, so an invalid one is ignored. */
async function keyOfImageRequest(headers: Headers, keys: KeyVerifier, now: number): Promise<ApiKeyRecord | undefined> {
  const apiKey = headers.get('x-api-key')
  const key = apiKey ? await keys.findKey(apiKey) : undefined
  return key && now < (key.expiresAt ?? Infinity) ? key : undefined
}

async function authorizeSigned(preview: ParsedQuery, keys: KeyVerifier, now: number): Promise<Authorization> {
  const { keyId, expires } = preview.query
  if (!keyId) throw forbidden('keyId', 'missing', `This signed request lacks the parameter keyId. ${SIGN_AGAIN}`)
  if (!expires) throw forbidden('expires', 'missing', `This signed request lacks the parameter expires. ${SIGN_AGAIN}`)
  const check = await keys.checkSignature(preview, keyId)
  if (check.result === 'unknown-key')
    throw forbidden(
      'keyId',
      'unknown',
      `The key of this signed request is unknown or revoked. Check it, or ${REQUEST_KEY}`,
    )
  if (check.result === 'unverifiable')
    throw forbidden(
      'keyId',
      'unverifiable',
      'The service cannot verify signatures of this key. Ask its operator to check the signing secret.',
    )
  if (check.result !== 'valid')
    throw forbidden('signature', 'wrong', `The signature does not match this request. ${SIGN_AGAIN}`)
  const expiresAt = expires * 1_000
  if (now > expiresAt)
    throw forbidden(
      'expires',
      'passed',
      'This signed request has expired. Sign it again; pass expires or expiresIn to signedUrl if it must be valid for longer than 24 hours.',
    )
  const { key } = check
  return { isPublic: true, expiresAt: Math.min(expiresAt, expiryOf(key, 'keyId', now)), apiKey: key }
}

/** @throws  {PageError} `EAUTH` when the key has expired. */
function expiryOf({ expiresAt = Infinity }: ApiKeyRecord, parameter: string, now: number): number {
  if (now < expiresAt) return expiresAt
  throw forbidden(parameter, 'expired', `This API key has expired: ${REQUEST_KEY}`)
}

const REQUEST_KEY = 'request a new key from the operator of the service.'
const SIGN_AGAIN = 'Sign it again with signedUrl.'

const forbidden = (parameter: string, reason: string, message: string) =>
  new PageError('EAUTH', message, {
    status: 403,
    data: { [parameter]: reason },
  })

const uncoveredError = () =>
  new PageError(
    'EAUTH',
    'The signature of this preview does not cover a screenshot, which oEmbed returns; sign its URL with screenshot=true.',
    { status: 403, data: { signature: 'covers no screenshot' } },
  )
