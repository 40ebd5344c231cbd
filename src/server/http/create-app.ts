import { serveStatic } from '@hono/node-server/serve-static'
import { randomUUID } from 'node:crypto'
import { Hono, type Context } from 'hono'
import { isPageError, PageError } from '../../query/index.js'
import type { AnswerContext } from '../give-answer.js'
import type { Log } from '../log.js'
import { createPageAnswerer } from './answer-page.js'
import { requestHeaders } from './answer-headers.js'
import { clientAddress } from './client-address.js'
import { CORS } from './cors.js'
import { createDailyLimit } from './daily-limit.js'
import { errorAnswer } from './error-answer.js'
import { bytesHeaders, isImageName } from './image-answer.js'
import type { Plan } from './plan.js'

/** What whoever listens knows of a connection. */
export interface Connection {
  /** Address of the other end. Default `127.0.0.1`. */
  clientAddress?: string
  /** Which host was asked. Default: by `proHost` and `proPublicUrl`, else free. */
  plan?: Plan
}

export interface AppOptions {
  context: AnswerContext
  log: Log
  freeDailyLimit: number
  trustProxy: number
  publicUrl?: string | undefined
  proPublicUrl?: string | undefined
  proHost?: string | undefined
  /** Folder of the built script tag and playground. */
  assetsDir: string
  version: string
  /** Pages that the playground offers to try. */
  examples: readonly { label: string; url: string; lang?: string }[]
}

type Env = {
  Bindings: Connection
  Variables: { requestId: string; startedAt: number; plan: Plan; base: string; client: string }
}

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
  const app = new Hono<Env>()

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
    const { plan, base, client } = c.var
    if (c.req.query('url') === undefined && c.req.header('accept')?.includes('text/html'))
      return c.redirect('/playground/')
    const charge = async () => (plan === 'free' ? daily.charge(client) : undefined)
    return pages.answer(c.req.raw, { plan, base, charge, facts: () => factsOf(c.var) })
  })

  app.get('/images/:name', async (c) => {
    const name = c.req.param('name')
    const bytes = isImageName(name) ? await context.store.readImage(name) : undefined
    if (!isImageName(name) || !bytes) throw notFound(c.req.path)
    const facts = bytesHeaders(name)
    const headers = { ...CORS, ...facts, 'cache-control': 'public, max-age=31536000, immutable' }
    if (c.req.header('if-none-match')?.includes(facts.etag)) return new Response(null, { status: 304, headers })
    return new Response(bytes as Uint8Array<ArrayBuffer>, {
      headers: { ...headers, 'content-length': String(bytes.byteLength) },
    })
  })

  app.get('/healthz', () => Response.json({ status: 'ok' }, { headers: { ...CORS, 'cache-control': 'no-store' } }))

  const script = serveStatic<Env>({
    root: options.assetsDir,
    path: 'page-preview.js',
    onFound: allowEverywhere('public, max-age=300'),
  })
  app.get('/page-preview.js', script)
  app.get(
    `/v${options.version}/page-preview.js`,
    serveStatic<Env>({
      root: options.assetsDir,
      path: 'page-preview.js',
      onFound: allowEverywhere('public, max-age=31536000, immutable'),
    }),
  )
  app.get('/playground/examples.json', () =>
    Response.json(options.examples, { headers: { ...CORS, 'cache-control': 'no-store' } }),
  )
  app.get('/playground', (c) => c.redirect('/playground/'))
  app.get(
    '/playground/*',
    serveStatic<Env>({ root: options.assetsDir, onFound: allowEverywhere('public, max-age=60') }),
  )

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

  async function factsOf({ requestId, startedAt, plan, client }: Env['Variables']): Promise<Record<string, string>> {
    const limit = plan === 'free' ? await daily.state(client) : undefined
    return { ...CORS, ...requestHeaders({ requestId, startedAt, plan, limit, now: context.clock() }) }
  }

  return async (request, connection = {}) => {
    const answer = await app.fetch(request, connection)
    log.debug({ method: request.method, status: answer.status }, 'answered')
    return answer
  }
}

function planOf(url: URL, { proHost, proPublicUrl }: AppOptions): Plan {
  const isPro =
    (proHost && (url.host === proHost || url.hostname === proHost)) ||
    (proPublicUrl && url.origin === new URL(proPublicUrl).origin)
  return isPro ? 'pro' : 'free'
}

const allowEverywhere = (cacheControl: string) => (_: string, c: Context<Env>) => {
  for (const [name, value] of Object.entries({
    ...CORS,
    'cross-origin-resource-policy': 'cross-origin',
    'x-content-type-options': 'nosniff',
    'cache-control': cacheControl,
  }))
    c.header(name, value)
}

const notFound = (path: string) =>
  new PageError('ENOTFOUND', `The service has nothing at ${path}; previews are at /?url=….`)

const describe = (error: unknown) => (error instanceof Error ? (error.stack ?? error.message) : String(error))
