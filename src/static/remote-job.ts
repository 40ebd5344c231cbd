import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import { parseResponse } from '../client/request.js'
import { isPageError, PageError, type PageResponse } from '../query/index.js'
import { parseJson } from './json.js'

/** The result of one page of a job; `number` is its place in the list. */
export interface JobResult {
  number: number
  /** @throws  {PageError} the error of the page. */
  page: () => PageResponse
}

interface JobOptions {
  /** URL of the pro host. */
  endpoint: string
  apiKey: string
  /** Default: the global one. */
  fetch?: typeof fetch | undefined
  signal: AbortSignal
}

/** Results that are read with one request. */
const RESULTS_PER_REQUEST = 500
const MIN_PAUSE_MS = 250
const MAX_PAUSE_MS = 2_000
/** Requests that fail in a row before the run ends. */
const MAX_FAILURES = 10
const REQUEST_TIMEOUT_MS = 35_000
const FAILURE_PAUSE_MS = 3_000
const REMOVAL_TIMEOUT_MS = 5_000
/** Errors of a service that has no jobs, or of a host that is not its pro host. */
const WITHOUT_JOBS: readonly string[] = ['EMETHOD', 'ENOTFOUND', 'EFATALCLIENT']

/**
 * Captures pages in a job of a running service, and deletes the job in the end, also when `signal` aborts: nobody waits for it then.
 *
 * @param query  The parameters of each page.
 * @returns      `undefined` if the service has no jobs; else the results, in parts, in the order in which pages ended.
 * @throws       {PageError} as the service responds; the reason of `signal`.
 */
export async function startRemoteJob(
  urls: readonly string[],
  query: Readonly<Record<string, unknown>>,
  options: JobOptions,
): Promise<AsyncGenerator<JobResult[]> | undefined> {
  const { signal } = options
  try {
    const response = await send('/jobs', options, { method: 'POST', body: JSON.stringify({ urls, query }) })
    const body = parseJson(await response.text())
    if (response.status !== 202) parseResponse(response, body)
    const { data } = body as { data: { id: string } }
    return readResults(data.id, urls.length, options)
  } catch (error) {
    signal.throwIfAborted()
    if (isPageError(error) && WITHOUT_JOBS.includes(error.code)) return undefined
    throw error
  }
}

async function* readResults(id: string, total: number, options: JobOptions): AsyncGenerator<JobResult[]> {
  const { signal } = options
  let sequence = 0
  let failures = 0
  let pauseMs = MIN_PAUSE_MS
  try {
    while (sequence < total) {
      try {
        const results = await readPart(id, sequence, options)
        failures = 0
        if (results.length > 0) {
          sequence += results.length
          pauseMs = MIN_PAUSE_MS
          yield results
          continue
        }
        await delay(pauseMs, undefined, { signal })
        pauseMs = Math.min(MAX_PAUSE_MS, pauseMs * 2)
      } catch (error) {
        signal.throwIfAborted()
        if (!isTemporary(error) || ++failures > MAX_FAILURES) throw error
        await delay(FAILURE_PAUSE_MS, undefined, { signal })
      }
    }
  } finally {
    const timeout = AbortSignal.timeout(REMOVAL_TIMEOUT_MS)
    await send(`/jobs/${id}`, { ...options, signal: timeout }, { method: 'DELETE' }).catch(() => undefined)
    signal.throwIfAborted()
  }
}

/** Whether the service was away or busy, or the connection broke. */
const isTemporary = (error: unknown) => !isPageError(error) || error.status === 0 || error.status >= 500

async function readPart(id: string, after: number, options: JobOptions): Promise<JobResult[]> {
  const response = await send(`/jobs/${id}/results?after=${after}`, options)
  if (!response.ok) parseResponse(response, parseJson(await response.text()))
  const results: JobResult[] = []
  if (!response.body) return results
  const stream = Readable.fromWeb(response.body)
  try {
    for await (const line of createInterface({ input: stream, crlfDelay: Infinity })) {
      const result = parseResult(line)
      if (!result) break
      if (results.push(result) >= RESULTS_PER_REQUEST) break
    }
  } catch (error) {
    // What was received is used, and the next request goes on after it.
    if (results.length === 0) throw error
  } finally {
    stream.destroy()
  }
  return results
}

/** @returns  `undefined` for a line that was cut off. */
function parseResult(line: string): JobResult | undefined {
  const value = parseJson(line) as (PageResponse & { number?: unknown }) | undefined
  if (typeof value?.number !== 'number') return undefined
  const { number } = value
  const isSuccess = value.status === 'success'
  return { number, page: () => parseResponse(new Response(null, { status: isSuccess ? 200 : 500 }), value) }
}

async function send(
  path: string,
  { endpoint, apiKey, fetch = globalThis.fetch, signal }: JobOptions,
  init: RequestInit = {},
): Promise<Response> {
  const either = AbortSignal.any([signal, AbortSignal.timeout(REQUEST_TIMEOUT_MS)])
  try {
    const headers = { 'x-api-key': apiKey, 'content-type': 'application/json' }
    return await fetch(endpoint.replace(/\/$/, '') + path, { ...init, headers, signal: either })
  } catch (cause) {
    signal.throwIfAborted()
    throw new PageError('ETIMEOUTCLIENT', `The service at ${endpoint} did not respond.`, { cause })
  }
}
