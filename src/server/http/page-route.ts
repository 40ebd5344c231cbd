import type { Context } from 'hono'
import { parseSearch } from '../../query/help/index.js'
import { PageError } from '../../query/index.js'
import type { RequestScope } from '../request-scope.js'
import { resolveResult, type ResolvedResult } from '../results/index.js'
import type { AppParts } from './app-parts.js'
import { negotiateEncoding } from './content-coding.js'
import { createPageBodies, type CreatePageBody, type PageBody } from './page-body.js'
import { sendBody } from './response.js'
import { headersFromList, perRequestHeaders, readQuota, resultHeaders } from './response-headers.js'
import type { Router, RouterEnv } from './received-request.js'

/** What a request is answered with. */
interface Preview {
  result: ResolvedResult
  body: PageBody
}

const ATTEMPTS = 2
const withoutQuota = async () => async () => {}

/** `GET /?url=…`: a preview; without `url`, browsers are redirected to the playground. */
export function pageRoute(router: Router, app: AppParts): void {
  const createBody = createPageBodies(app)

  /** @throws  {PageError} any code that the service sends. */
  async function respond(c: Context<RouterEnv>): Promise<Response> {
    const lastPurge = app.parts.store.lastPurge()
    const { parsed, warnings } = parseSearch(new URL(c.req.url).searchParams)
    const scope = await app.scopes.open(c, parsed)
    const preview = await app.scopes.run(scope, (limited) => resolvePreview(limited, warnings, app, createBody))
    return toResponse(c, scope, preview, app, lastPurge)
  }

  router.get('/', async (c) => {
    const isFromBrowser = c.req.header('accept')?.includes('text/html')
    if (isFromBrowser && !new URL(c.req.url).searchParams.has('url')) return c.redirect('/playground/')
    return respond(c)
  })
}

/**
 * Resolves a result and its body; when the file of a cached result is lost, the page is extracted again.
 *
 * @param warnings  About the request itself.
 */
async function resolvePreview(
  scope: RequestScope,
  warnings: readonly string[],
  { parts }: AppParts,
  createBody: CreatePageBody,
): Promise<Preview> {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const resolved = await resolveResult(scope, parts)
    const result = { ...resolved, warnings: [...warnings, ...resolved.warnings] }
    const wasCached = result.cacheStatus === 'HIT' || result.cacheStatus === 'STALE'
    // An extraction has consumed quota for this request already.
    const body = await createBody(result, wasCached ? scope : { ...scope, consumeQuota: withoutQuota })
    if (body) return { result: { ...result, cacheStatus: body.cacheStatus ?? result.cacheStatus }, body }
  }
  throw new PageError('EFATAL', 'The stored screenshot is lost; request it again with force=true.')
}

/** @param lastPurge  Number of the last purge when the request came. */
async function toResponse(
  c: Context<RouterEnv>,
  scope: RequestScope,
  { result, body: plainBody }: Preview,
  { parts: { store, clock }, dailyLimit, compress, responseCache }: AppParts,
  lastPurge: number | undefined,
): Promise<Response> {
  const headers = resultHeaders(result, scope, clock())
  const encoding = negotiateEncoding(c.req.header('accept-encoding'))
  const { client, signal } = scope
  const body = 'bytes' in plainBody ? await compress(plainBody, { encoding, client, signal }) : plainBody
  const isCacheable = store.lastPurge() === lastPurge && isShareable(result, plainBody, scope)
  if (isCacheable && 'bytes' in body)
    responseCache.set(c.req.url, encoding, { ...result, cacheStatus: 'HIT' }, { body, headers })
  const { request } = c.var
  const ownHeaders = perRequestHeaders(result, request, await readQuota(request, dailyLimit), clock())
  const response = sendBody(c.req.raw, body, { ...headers, ...headersFromList(ownHeaders) })
  c.set('cacheStatus', result.cacheStatus)
  return response
}

/**
 * Whether the response may be served to others from memory, which identifies requests by their URL and content coding only. Pro
 * responses need authorization each time, and stale ones a revalidation; ranges and negotiated types are not cached.
 */
const isShareable = (
  { cacheStatus }: ResolvedResult,
  { headers }: PageBody,
  { plan, query, allowedHosts }: RequestScope,
) =>
  plan === 'free' &&
  !allowedHosts &&
  !query.force &&
  cacheStatus !== 'STALE' &&
  !headers['accept-ranges'] &&
  !headers.vary
