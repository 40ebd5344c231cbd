import type { Context } from 'hono'
import { NDJSON_TYPE, readRequestBody } from '../../query/help/index.js'
import { parseQuery, PageError } from '../../query/index.js'
import { MAX_BODY_BYTES, queryOfPage, type JobProgress } from '../batches/index.js'
import { dataOf, resolveResult, toPageResponse } from '../results/index.js'
import type { AppParts } from './app-parts.js'
import { runWithTimeout, type Router, type RouterEnv } from './request-scopes.js'
import { notCached } from './response-headers.js'
import { notFoundError } from './response.js'

/** `POST /jobs`, and `GET` and `DELETE /jobs/ID` with `GET /jobs/ID/results`, for the API key that the job belongs to. */
export function jobRoutes(router: Router, parts: AppParts): void {
  const { batches, scopes } = parts

  router.post('/jobs', async (c) => {
    const { id: keyId } = await scopes.openForKey(c)
    const { base } = c.var.request
    const body = await readRequestBody(c.req.raw, MAX_BODY_BYTES)
    const { job, warnings } = await batches.create(body, { keyId, base, signal: c.req.raw.signal })
    return sendJob(job, { status: 202, warnings })
  })

  router.get('/jobs/:id', async (c) => {
    const job = await readJob(c)
    return c.req.header('accept')?.includes(NDJSON_TYPE) ? sendResults(c, job) : sendJob(job)
  })

  router.get('/jobs/:id/results', async (c) => sendResults(c, await readJob(c)))

  router.delete('/jobs/:id', async (c) => {
    const { id: keyId } = await scopes.openForKey(c)
    if (!(await batches.remove(c.req.param('id'), keyId))) throw notFoundError(c.req.path)
    return new Response(null, { status: 204, headers: notCached })
  })

  batches.start(async (job, url, signal) => {
    const parsed = parseQuery(queryOfPage(job.parameters, url))
    const scope = await scopes.openInBackground(job.keyId, parsed, job.base, signal)
    const result = await runWithTimeout(scope, (limited) => resolveResult(limited, parts))
    return toPageResponse(result, dataOf(result.entry.body, scope), scope.query)
  })

  async function readJob(c: Context<RouterEnv, '/jobs/:id'>): Promise<JobProgress> {
    const { id: keyId } = await scopes.openForKey(c)
    const job = await batches.read(c.req.param('id'), keyId)
    if (!job) throw notFoundError(c.req.path)
    return job
  }

  function sendResults(c: Context<RouterEnv>, { id }: JobProgress): Response {
    const after = afterOf(c.req.query('after') ?? '0')
    const body = ReadableStream.from(encoded(batches.readResults(id, after)))
    return new Response(body as ReadableStream, { headers: { ...notCached, 'content-type': NDJSON_TYPE } })
  }
}

function sendJob(data: JobProgress, { status = 200, warnings = [] as string[] } = {}): Response {
  const body = { status: 'success', data, ...(warnings.length > 0 && { warnings }) }
  return Response.json(body, { status, headers: { ...notCached, ...(status === 202 && { location: data.url }) } })
}

function afterOf(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text)
  const reason = 'must be the sequence of the last result that you have, or 0'
  throw new PageError('EINVALQUERY', `after ${reason}.`, { data: { after: reason } })
}

async function* encoded(texts: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder()
  for await (const text of texts) yield encoder.encode(text)
}
