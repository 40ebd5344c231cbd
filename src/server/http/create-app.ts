import { randomUUID } from 'node:crypto'
import { Hono } from 'hono'
import { isPageError, PageError } from '../../query/index.js'
import type { AppEnvironment, AppOptions, Connection, RequestFacts } from './app-environment.js'
import { assetRoutes } from './asset-routes.js'
import { createPageAnswerer } from './answer-page.js'
import { keptHeaders, requestHeaders } from './answer-headers.js'
import { clientAddress } from './client-address.js'
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
  const charge = async ({ plan, client }: RequestFacts) => (plan === 'free' ? daily.charge(client) : undefined)

  app.use((c, next) => {
    const url = new URL(c.req.url)
    const plan = c.env.plan ?? planOf(url, options)
    c.set('requestId', randomUUID())
    c.set('startedAt', performance.now())
    c.set('plan', plan)
    c.set('base', (plan === 'pro' ? options.proPublicUrl : options.publicUrl) ?? url.origin)
    c.set(
      'client',
      clientAddress(c.env.clientAddress ?? LOOPBACK, c.req.header('x-forwarded-for') ?? null, options.trustProxy),
    )
    return next()
  })

  app.options('*', () => new Response(null, { status: 204, headers: PREFLIGHT }))

  app.get('/', async (c) => {
    if (c.req.query('url') === undefined && c.req.header('accept')?.includes('text/html'))
      return c.redirect('/playground/')
    const { plan, base } = c.var
    return pages.answer(c.req.raw, { plan, base, charge: () => charge(c.var), facts: () => factsOf(c.var) })
  })

  imageRoutes(app, options)
  machineRoutes(app, options, metrics)
  assetRoutes(app, options)
  app.get('/oembed', async (c) => {
    const { base } = c.var
    const asked = readOembed(new URL(c.req.url).searchParams, base)
    const given = await pages.give(asked.query, { signal: c.req.raw.signal, charge: () => charge(c.var) })
    const headers = { ...keptHeaders(given, Object.keys(asked.query.headers ?? {})), ...(await factsOf(c.var)) }
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
    for (const [name, value] of Object.entries(await factsOf(c.var))) answer.headers.set(name, value)
    if (answer.status === 405) answer.headers.set('allow', 'GET, HEAD, OPTIONS')
    return answer
  })

  async function factsOf({ requestId, startedAt, plan, client }: RequestFacts): Promise<Record<string, string>> {
    const limit = plan === 'free' ? await daily.state(client) : undefined
    return { ...CORS, ...requestHeaders({ requestId, startedAt, plan, limit, now: context.clock() }) }
  }

  return async (request, connection = {}) => {
    const startedAt = performance.now()
    const answer = await app.fetch(request, connection)
    metrics.answered(answer, (performance.now() - startedAt) / 1_000)
    return answer
  }
}

function planOf(url: URL, { proHost, proPublicUrl }: AppOptions): Plan {
  const isPro =
    (proHost && (url.host === proHost || url.hostname === proHost)) ||
    (proPublicUrl && url.origin === new URL(proPublicUrl).origin)
  return isPro ? 'pro' : 'free'
}

const describe = (error: unknown) => (error instanceof Error ? (error.stack ?? error.message) : String(error))
