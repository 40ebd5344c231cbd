import { parseSearch, type HostList, type ParsedSearch } from '../../query/help/index.js'
import { PageError, type PageQuery, type ParsedQuery } from '../../query/index.js'
import type { KeyLimits, KeyVerifier } from '../keys/index.js'
import { createMediaCache, type ImageVariants } from '../media/index.js'
import type { ApiKeyRecord } from '../store/index.js'
import { resolveResult, type CacheStatus, type ResolvedResult, type ResultContext } from '../results/index.js'
import { allowedHosts } from './allowed-hosts.js'
import { authorize } from './authorize.js'
import { readCardStyles } from './card-styles.js'
import { createCompressor } from './compressor.js'
import type { EmbedBody, EmbedContext } from './embed-body.js'
import { pageBody } from './page-body.js'
import { negotiateEncoding } from './negotiate-encoding.js'
import type { Plan } from './plan.js'
import { createResponseCache, type PreparedResponse } from './response-cache.js'
import { headersFromList, perRequestHeaders, resultHeaders, type RequestMetadata } from './response-headers.js'
import { sendBody } from './send-body.js'
import { withKeyLimits, type ConsumeQuota } from './with-key-limits.js'
import { withQueryTimeout } from './with-query-timeout.js'

export interface PageRequestOptions {
  plan: Plan
  /** URL of the service, without trailing slash. */
  base: string
  /** The network address of the caller; a key takes its place. */
  client: string
  consumeQuota: ConsumeQuota
  /** Called after the result was resolved, so that its quota includes this request. */
  readMetadata: () => Promise<RequestMetadata>
}

export interface ResolveRequest extends Pick<PageRequestOptions, 'plan' | 'client' | 'consumeQuota'> {
  signal: AbortSignal
  allowHosts: HostList | undefined
  /** The API key of the request. */
  key: ApiKeyRecord | undefined
}

export interface PageHandler {
  /**
   * Handles one `GET /?url=…`.
   *
   * @throws  {PageError} any code that the service sends.
   */
  handle(request: Request, options: PageRequestOptions): Promise<{ response: Response; cacheStatus: CacheStatus }>
  /** Resolves the result of a query for other routes; throws as `handle` does. */
  resolve(parsed: ParsedQuery, options: ResolveRequest): Promise<ResolvedResult>
  /** The response of the free host to the same URL within the last second, while it is fresh. */
  cachedResponse(url: string, acceptEncoding?: string): PreparedResponse | undefined
}

interface PageHandlerOptions {
  context: ResultContext
  keys: KeyVerifier
  keyLimits: KeyLimits
  variants: ImageVariants
  /** Folder of the built stylesheet. */
  assetsDir: string
}

const ATTEMPTS = 2
/** The privileges of requests with a key. */
const privilegesOf = (plan: Plan) => ({ mayReplaceBetter: plan === 'pro', hasPriority: plan === 'pro' })
const withoutQuota = async () => async () => {}

export function createPageHandler(handlerOptions: PageHandlerOptions): PageHandler {
  const { keys, keyLimits, variants, assetsDir, ...options } = handlerOptions
  const { store, clock } = options.context
  const compress = createCompressor()
  const responseCache = createResponseCache(clock)
  const context = {
    ...options.context,
    onReplaced: (key: string, createdAt: number) => responseCache.replace(key, createdAt),
  }
  store.onPurge(() => responseCache.clear())
  const embedContext = { store, variants, media: createMediaCache(context), readCardStyles: readCardStyles(assetsDir) }

  return {
    async handle(request, { readMetadata, ...options }) {
      const { plan } = options
      const lastPurge = store.lastPurge()
      const search = parseSearch(new URL(request.url).searchParams)
      const { parsed } = search
      const { query } = parsed
      const authorization = await authorize(request, { plan, parsed, keys, now: clock() })
      const { key } = authorization
      const client = key?.id ?? options.client
      const allowHosts = allowedHosts(request.headers, query, key)
      const bodyContext = { ...embedContext, ...options, accept: request.headers.get('accept'), client, allowHosts }
      const { result, body: plainBody } = await withKeyLimits(keyLimits, { ...options, key }, (consumeQuota) =>
        withQueryTimeout(query, request.signal, (signal) =>
          resolveWithBody(search, { ...bodyContext, consumeQuota, signal }, context),
        ),
      )
      const headers = resultHeaders(result, Object.keys(query.headers ?? {}), { ...authorization, now: clock() })
      const encoding = negotiateEncoding(request.headers.get('accept-encoding'))
      const { signal } = request
      const body = 'bytes' in plainBody ? await compress(plainBody, { encoding, client, signal }) : plainBody
      // The response cache identifies requests by their URL and content coding only.
      const isShareable = !allowHosts && store.lastPurge() === lastPurge
      if (isShareable && 'bytes' in body && isCacheable(result, plainBody, { plan, query }))
        responseCache.set(request.url, encoding, { ...result, cacheStatus: 'HIT' }, { body, headers })
      const ownHeaders = headersFromList(perRequestHeaders(result, await readMetadata(), clock()))
      const response = sendBody(request, body, { ...headers, ...ownHeaders })
      return { response, cacheStatus: result.cacheStatus }
    },
    resolve: (parsed, { signal, plan, key, ...options }) =>
      withKeyLimits(keyLimits, { ...options, key }, (consumeQuota) =>
        withQueryTimeout(parsed.query, signal, (combined) =>
          resolveResult(parsed, context, { ...options, ...privilegesOf(plan), consumeQuota, signal: combined }),
        ),
      ),
    cachedResponse: (url, acceptEncoding) => responseCache.get(url, acceptEncoding),
  }
}

/** Resolves a result and its body; when the file of a cached result is lost, the page is extracted again. */
async function resolveWithBody(
  { parsed, warnings }: ParsedSearch,
  context: EmbedContext & { allowHosts: HostList | undefined },
  resultContext: ResultContext,
): Promise<{ result: ResolvedResult; body: EmbedBody }> {
  const { client, signal, consumeQuota, plan, allowHosts } = context
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const resolved = await resolveResult(parsed, resultContext, {
      client,
      signal,
      consumeQuota,
      ...privilegesOf(plan),
      allowHosts,
    })
    const result = { ...resolved, warnings: [...warnings, ...resolved.warnings] }
    const wasCached = result.cacheStatus === 'HIT' || result.cacheStatus === 'STALE'
    // An extraction has consumed quota for this request already.
    const bodyContext = wasCached ? context : { ...context, consumeQuota: withoutQuota }
    const body = await pageBody(result, parsed, bodyContext)
    if (body) return { result: { ...result, cacheStatus: body.cacheStatus ?? result.cacheStatus }, body }
  }
  throw new PageError('EFATAL', 'The stored screenshot is lost; request it again with force=true.')
}

/** Pro responses need authorization each time, and stale ones a revalidation; ranges and negotiated types are not cached. */
const isCacheable = (
  { cacheStatus }: ResolvedResult,
  { headers }: EmbedBody,
  { plan, query }: { plan: Plan; query: PageQuery },
) => plan === 'free' && !query.force && cacheStatus !== 'STALE' && !headers['accept-ranges'] && !headers.vary
