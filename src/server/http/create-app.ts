import { randomUUID } from 'node:crypto'
import { Hono } from 'hono'
import { isPageError, PageError } from '../../query/index.js'
import type { AppEnvironment, AppOptions, Connection, RequestFacts } from './app-environment.js'
import { assetRoutes } from './asset-routes.js'
import { textBody } from './response-body.js'
import { createPageHandler, matches } from './page-handler.js'
import { cacheHeaders, timeDependentHeaders, pairs, requestHeaders, type RequestMetadata } from './response-headers.js'
import { createClientNames } from './client-address.js'
import { createCompressor } from './compressor.js'
import { CORS } from './cors.js'
import { createDailyLimit } from './daily-limit.js'
import { errorResponse, notFound } from './error-response.js'
import { imageRoutes } from './image-routes.js'
import { machineRoutes } from './machine-routes.js'
import { createMetrics } from './metrics.js'
import { oembedPhoto, parseOembed } from './oembed.js'
import { admit, type Plan } from './plan.js'
import { sendBody } from './send-body.js'

const LOOPBACK = '127.0.0.1'

const PREFLIGHT = {
  ...CORS,
  'access-control-allow-methods': 'GET, HEAD, OPTIONS',
  'access-control-allow-headers': 'x-api-key',
  'access-control-max-age': '86400',
}

/** A request as a listener sees it, before anything is made of it. */
export interface RawRequest extends Connection {
  method: string | undefined
  /** Absolute. */
  url: string
  ifNoneMatch: string | undefined
  acceptEncoding?: string | undefined
  forwardedFor: string | undefined
}

/** An answer as a listener sends it: header names and values in turn. */
export interface RawResponse {
  status: number
  headers: string[]
  /** Bytes, or text with a character for each byte. */
  body: Uint8Array | string | undefined
}

export interface App {
  /** The routes of the service, as one function from request to answer; it never rejects. */
  fetch(request: Request, connection?: Connection): Promise<Response>
  /** What the free host gave for the very same address a moment ago, without the cost of routes and promises. */
  again(request: RawRequest): RawResponse | undefined
}

export function createApp(options: AppOptions): App {
  const { context, log } = options
  const pages = createPageHandler(context)
  const daily = createDailyLimit(context.store, { limit: options.freeDailyLimit, clock: context.clock })
  const metrics = createMetrics()
  const app = new Hono<AppEnvironment>()
  const compress = createCompressor()
  const clientOf = createClientNames(options.trustProxy)
  const consumeQuota = async ({ plan, client }: RequestFacts) =>
    plan === 'free' ? daily.consumeQuota(client) : undefined

  app.use(async (c, next) => {
    const facts = factsOf(c.req.url, c.req.header('x-forwarded-for'), c.env)
    for (const name of Object.keys(facts) as (keyof RequestFacts)[]) c.set(name, facts[name])
    await next()
    metrics.answered({ status: c.res.status, cache: c.var.cache, startedAt: facts.startedAt })
  })

  app.options('*', () => new Response(null, { status: 204, headers: PREFLIGHT }))

  app.get('/', async (c) => {
    if (c.req.query('url') === undefined && c.req.header('accept')?.includes('text/html'))
      return c.redirect('/playground/')
    const { response, status } = await pages.answer(c.req.raw, {
      ...c.var,
      consumeQuota: () => consumeQuota(c.var),
      facts: () => requestMetadata(c.var),
    })
    c.set('cache', status)
    return response
  })

  imageRoutes(app, options)
  machineRoutes(app, options, metrics)
  assetRoutes(app, options)
  app.get('/oembed', async (c) => {
    const { base, plan } = c.var
    const { store, clock } = context
    const asked = parseOembed(new URL(c.req.url).searchParams, base)
    const admission = await admit(c.req.raw, { plan, query: asked.preview, store, now: clock() })
    const given = await pages.give(asked.query, { signal: c.req.raw.signal, consumeQuota: () => consumeQuota(c.var) })
    c.set('cache', given.status)
    const facts = cacheHeaders(given, Object.keys(asked.query.headers ?? {}), { ...admission, now: clock() })
    const moment = Object.fromEntries(pairs(timeDependentHeaders(given, await requestMetadata(c.var), clock())))
    const body = textBody(JSON.stringify(oembedPhoto(asked, given, { base, plan })), 'application/json; charset=utf-8')
    return sendBody(c.req.raw, body, { compress, headers: { ...facts, ...moment } })
  })

  app.all('*', (c) => {
    if (!['GET', 'HEAD'].includes(c.req.method))
      throw new PageError('EMETHOD', 'Only GET, HEAD and OPTIONS are understood here.')
    throw notFound(c.req.path)
  })

  app.onError(async (error, c) => {
    const { requestId, base } = c.var
    if (!isPageError(error) || error.code === 'EFATAL')
      log.error({ requestId, path: c.req.path, error: describe(error) }, 'unforeseen failure')
    const answer = errorResponse(error, { requestId, base })
    for (const [name, value] of Object.entries(await headersOf(c.var))) answer.headers.set(name, value)
    if (answer.status === 405) answer.headers.set('allow', 'GET, HEAD, OPTIONS')
    return answer
  })

  function factsOf(url: string, forwardedFor: string | null | undefined, connection: Connection): RequestFacts {
    const plan = connection.plan ?? planOf(url, options)
    const publicUrl = plan === 'pro' ? options.proPublicUrl : options.publicUrl
    return {
      requestId: randomUUID(),
      startedAt: performance.now(),
      plan,
      base: publicUrl ?? originOf(url),
      client: clientOf(connection.clientAddress ?? LOOPBACK, forwardedFor ?? null),
      cache: 'none',
    }
  }

  async function requestMetadata({ requestId, startedAt, plan, client }: RequestFacts): Promise<RequestMetadata> {
    return { requestId, startedAt, plan, limit: plan === 'free' ? await daily.state(client) : undefined }
  }

  async function headersOf(facts: RequestFacts): Promise<Record<string, string>> {
    return { ...CORS, ...Object.fromEntries(pairs(requestHeaders(await requestMetadata(facts)))) }
  }

  return {
    fetch: async (request, connection = {}) => app.fetch(request, connection),
    again({ method, url, ifNoneMatch, acceptEncoding, forwardedFor, ...connection }) {
      const ready = method === 'GET' ? pages.lately(url, acceptEncoding) : undefined
      const facts = ready && factsOf(url, forwardedFor, connection)
      const limit = facts?.plan === 'free' && daily.lately(facts.client)
      if (!ready || !facts || !limit) return undefined
      const isKnown = matches(ifNoneMatch, ready.etag)
      const status = isKnown ? 304 : 200
      const { requestId, startedAt, plan } = facts
      const moment = timeDependentHeaders(ready.given, { requestId, startedAt, plan, limit }, context.clock())
      const headers = moment.concat(isKnown ? ready.headers : ready.headersWithLength)
      metrics.answered({ status, cache: ready.given.status, startedAt: facts.startedAt })
      return { status, headers, body: isKnown ? undefined : ready.body }
    },
  }
}

function planOf(url: string, { proHost, proPublicUrl }: AppOptions): Plan {
  if (!proHost && !proPublicUrl) return 'free'
  const { host, hostname } = new URL(url)
  const name = proHost?.toLowerCase()
  // Without the scheme: TLS may end before the service.
  const isPro = host === name || hostname === name || (proPublicUrl && host === new URL(proPublicUrl).host)
  return isPro ? 'pro' : 'free'
}

/** `new URL(url).origin`, without the cost: the address of a request is always absolute. */
const originOf = (url: string) => url.slice(0, url.indexOf('/', url.indexOf('//') + 2))

const describe = (error: unknown): string =>
  error instanceof Error
    ? `${error.stack ?? error.message}${error.cause === undefined ? '' : `\nCaused by ${describe(error.cause)}`}`
    : String(error)
