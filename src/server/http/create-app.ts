import { randomUUID } from 'node:crypto'
import { Hono } from 'hono'
import { isPageError, PageError } from '../../query/index.js'
import type { AppEnvironment, AppOptions, Connection, RequestFacts } from './app-environment.js'
import { assetRoutes } from './asset-routes.js'
import { createPageAnswerer } from './answer-page.js'
import { keptHeaders, requestHeaders, type TellingFacts } from './answer-headers.js'
import { createClientNames } from './client-address.js'
import { CORS } from './cors.js'
import { createDailyLimit } from './daily-limit.js'
import { errorAnswer, notFound } from './error-answer.js'
import { imageRoutes } from './image-routes.js'
import { machineRoutes } from './machine-routes.js'
import { createMetrics } from './metrics.js'
import { oembedPhoto, readOembed } from './oembed.js'
import type { Plan } from './plan.js'

const LOOPBACK = '127.0.0.1'

const PREFLIGHT = {
  ...CORS,
  'access-control-allow-methods': 'GET, HEAD, OPTIONS',
  'access-control-allow-headers': 'x-api-key',
  'access-control-max-age': '86400',
}

/** The routes of the service, as one function from request to answer; it never rejects. */
export function createApp(options: AppOptions): (request: Request, connection?: Connection) => Promise<Response> {
  const { context, log } = options
  const pages = createPageAnswerer(context)
  const daily = createDailyLimit(context.store, { limit: options.freeDailyLimit, clock: context.clock })
  const metrics = createMetrics(() => context.browser.captures())
  const app = new Hono<AppEnvironment>()
  const clientOf = createClientNames(options.trustProxy)
  const charge = async ({ plan, client }: RequestFacts) => (plan === 'free' ? daily.charge(client) : undefined)

  app.use(async (c, next) => {
    const facts = factsOf(c.req.raw, c.env)
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
      charge: () => charge(c.var),
      facts: () => tellingFacts(c.var),
    })
    c.set('cache', status)
    return response
  })

  imageRoutes(app, options)
  machineRoutes(app, options, metrics)
  assetRoutes(app, options)
  app.get('/oembed', async (c) => {
    const { base } = c.var
    const asked = readOembed(new URL(c.req.url).searchParams, base)
    const given = await pages.give(asked.query, { signal: c.req.raw.signal, charge: () => charge(c.var) })
    const headers = { ...keptHeaders(given, Object.keys(asked.query.headers ?? {})), ...(await headersOf(c.var)) }
    return Response.json(oembedPhoto(asked, given, base), { headers })
  })

  app.all('*', (c) => {
    if (c.req.method !== 'GET') throw new PageError('EMETHOD', 'Only GET, HEAD and OPTIONS are understood here.')
    throw notFound(c.req.path)
  })

  app.onError(async (error, c) => {
    const { requestId, base } = c.var
    if (!isPageError(error)) log.error({ requestId, path: c.req.path, error: describe(error) }, 'unforeseen failure')
    const answer = errorAnswer(error, { requestId, base })
    for (const [name, value] of Object.entries(await headersOf(c.var))) answer.headers.set(name, value)
    if (answer.status === 405) answer.headers.set('allow', 'GET, HEAD, OPTIONS')
    return answer
  })

  function factsOf(request: Request, connection: Connection): RequestFacts {
    const plan = connection.plan ?? planOf(request.url, options)
    const publicUrl = plan === 'pro' ? options.proPublicUrl : options.publicUrl
    return {
      requestId: randomUUID(),
      startedAt: performance.now(),
      plan,
      base: publicUrl ?? originOf(request.url),
      client: clientOf(connection.clientAddress ?? LOOPBACK, request.headers.get('x-forwarded-for')),
      cache: 'none',
    }
  }

  async function tellingFacts({ requestId, startedAt, plan, client }: RequestFacts): Promise<TellingFacts> {
    return { requestId, startedAt, plan, limit: plan === 'free' ? await daily.state(client) : undefined }
  }

  async function headersOf(facts: RequestFacts): Promise<Record<string, string>> {
    return requestHeaders(await tellingFacts(facts), context.clock())
  }

  /** What was given a moment ago needs no routes. */
  async function answerAgain(request: Request, connection: Connection): Promise<Response | undefined> {
    const ready = request.method === 'GET' ? pages.ready(request) : undefined
    if (!ready || connection.plan === 'pro') return undefined
    const facts = factsOf(request, connection)
    if (facts.plan === 'pro') return undefined
    const { response, status } = pages.send(request, ready, await tellingFacts(facts))
    metrics.answered({ status: response.status, cache: status, startedAt: facts.startedAt })
    return response
  }

  return async (request, connection = {}) => (await answerAgain(request, connection)) ?? app.fetch(request, connection)
}

function planOf(url: string, { proHost, proPublicUrl }: AppOptions): Plan {
  if (!proHost && !proPublicUrl) return 'free'
  const { host, hostname, origin } = new URL(url)
  const isPro = host === proHost || hostname === proHost || (proPublicUrl && origin === new URL(proPublicUrl).origin)
  return isPro ? 'pro' : 'free'
}

/** `new URL(url).origin`, without the cost: the address of a request is always absolute. */
const originOf = (url: string) => url.slice(0, url.indexOf('/', url.indexOf('//') + 2))

const describe = (error: unknown) => (error instanceof Error ? (error.stack ?? error.message) : String(error))
