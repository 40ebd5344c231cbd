import { setTimeout as delay } from 'node:timers/promises'
import { Agent, request, type Dispatcher } from 'undici'
import { PageError } from '../../query/index.js'
import { waitersOf, type Waiter } from '../budget/index.js'
import { busyError } from '../busy-error.js'
import { followSignals, TransientError, withTimeout } from '../jobs/index.js'
import { hasErrorCode } from '../node-errors.js'
import type { ExtractionScope } from '../request-scope.js'
import type { Extraction, Extractor } from '../results/index.js'
import { subjectOfUrl } from '../store/index.js'
import { traceParentOfActiveSpan, withSpan } from '../tracing.js'
import {
  captureClassOf,
  CAPTURE_TYPE,
  CAPTURES_PATH,
  decodeExtraction,
  decodeFailure,
  encodeRequest,
  InvalidMessageError,
  MAX_RESPONSE_BYTES,
  type CaptureClass,
} from './messages.js'

/** Extracts pages on workers, which a load balancer or one address stands for. */
export interface RemoteExtractor extends Extractor {
  /** How many requests to workers have ended so far, by outcome. */
  counts(): Readonly<Record<CaptureOutcome, number>>
  close(): Promise<void>
}

/** `failed`: the worker says why; `lost`: the connection ended; `invalid`: the response is none of a worker. */
type CaptureOutcome = 'done' | 'failed' | 'busy' | 'lost' | 'invalid'

/** The longest that a request waits for its turn, besides its own time. */
const MAX_WAIT_MS = 30_000
const CONNECT_TIMEOUT_MS = 2_000
const INACTIVITY_TIMEOUT_MS = 10_000
/** Connections that are refused are tried again after each of these. */
const CONNECT_DELAYS_MS = [100, 300, 600]
/** How often a request is sent again that was lost before its response began. */
const MAX_RESENDS = 1
const INITIAL_MEAN_MS = 1_000
/** The share of the latest capture in the moving average, in which it counts as at most a few times the average. */
const SMOOTHING = 1 / 8
const MAX_SLOWNESS = 4

/**
 * Sends each extraction to the workers and waits for its response. The address is the operator's own, so the network guard does not
 * apply to it.
 *
 * @param options.workers  URL of the workers, without trailing slash.
 */
export function createRemoteExtractor({ workers, secret }: { workers: string; secret: string }): RemoteExtractor {
  const agent = new Agent({
    pipelining: 1,
    headersTimeout: 0,
    bodyTimeout: INACTIVITY_TIMEOUT_MS,
    connect: { timeout: CONNECT_TIMEOUT_MS },
  })
  const url = `${workers}${CAPTURES_PATH}`
  /** How long a request waits for its turn, as the latest response lets expect. */
  let waitMs = 0
  const counts: Record<CaptureOutcome, number> = { done: 0, failed: 0, busy: 0, lost: 0, invalid: 0 }
  let meanMs = INITIAL_MEAN_MS

  const recordDuration = (durationMs: number) =>
    void (meanMs += (Math.min(durationMs, meanMs * MAX_SLOWNESS) - meanMs) * SMOOTHING)

  /** Sends a request again, for a caller with more rights who joins while it probably waits for its turn. */
  async function captureInTurn(scope: ExtractionScope, signal: AbortSignal): Promise<Extraction> {
    for (;;) {
      const waiter = firstWaiterOf(scope)
      const sentAt = performance.now()
      const better = new AbortController()
      const onJoin = (joined: Waiter) => {
        if (comesBefore(joined, waiter) && performance.now() - sentAt < waitMs) better.abort()
      }
      const unfollow = scope.waiters?.follow({ onJoin, onLeave: () => undefined })
      const either = followSignals([signal, better.signal])
      try {
        return await capture(scope, waiter, either.signal)
      } catch (error) {
        if (signal.aborted || !better.signal.aborted) throw error
      } finally {
        either.release()
        unfollow?.()
      }
    }
  }

  async function capture(scope: ExtractionScope, waiter: Waiter, signal: AbortSignal): Promise<Extraction> {
    const { headers, body } = encodeRequest(scope, waiter, secret)
    const traceparent = traceParentOfActiveSpan()
    const send = () =>
      request(url, {
        method: 'POST',
        headers: { ...headers, ...(traceparent && { traceparent }) },
        body,
        signal,
        dispatcher: agent,
      })
    const response = await sendRepeatedly(send, signal)
    waitMs = waitEstimateMs(response.headers, meanMs) ?? 0
    if (response.statusCode !== 200) throw await failureOf(response, meanMs)
    if (response.headers['content-type'] !== CAPTURE_TYPE) {
      response.body.on('error', () => undefined).destroy()
      throw new InvalidMessageError('is not a worker: its response has another type')
    }
    const { extraction, durationMs } = decodeExtraction(await readBody(response))
    if (durationMs !== undefined) recordDuration(durationMs)
    // A purge of the page finds its result, whatever the worker says that it shows.
    const subjects = [...new Set([subjectOfUrl(scope.query.url), ...extraction.subjects])]
    return { ...extraction, subjects }
  }

  return {
    extract: (scope) =>
      withSpan('worker.request', async () => {
        try {
          const extraction = await withTimeout((signal) => captureInTurn(scope, signal), {
            signal: scope.signal,
            timeoutMs: scope.timeoutMs + MAX_WAIT_MS,
            timeoutError: () => new PageError('EBRWSRTIMEOUT', 'No worker captured the page in time. Try again later.'),
          })
          counts.done++
          return extraction
        } catch (error) {
          scope.signal.throwIfAborted()
          const failure = toPageError(error)
          counts[outcomeOf(error, failure)]++
          throw failure
        }
      }),
    counts: () => counts,
    close: () => agent.destroy(),
  }
}

/** The caller whose turn comes first of all that wait for the work. */
function firstWaiterOf({ client, hasPriority, waiters }: ExtractionScope): Waiter {
  return [{ client, hasPriority }, ...waitersOf(waiters)].reduce((first, waiter) =>
    comesBefore(waiter, first) ? waiter : first,
  )
}

const CLASSES: readonly CaptureClass[] = ['pro', 'free', 'background']

const comesBefore = (one: Waiter, other: Waiter) =>
  CLASSES.indexOf(captureClassOf(one)) < CLASSES.indexOf(captureClassOf(other))

/** Errors of connecting: the request was not sent. */
const UNSENT_CODES = 'ECONNREFUSED EHOSTUNREACH ENETUNREACH ENOTFOUND EAI_AGAIN UND_ERR_CONNECT_TIMEOUT'.split(' ')

const isUnsent = (error: unknown) => hasErrorCode(error, ...UNSENT_CODES) || hasUnsentPart(error)

/** Node tries all addresses of a name, and reports one error for each. */
const hasUnsentPart = (error: unknown): boolean =>
  error instanceof AggregateError && error.errors.every((each) => hasErrorCode(each, ...UNSENT_CODES))

/** A request that was sent is repeated once at most, because its page may be what ends workers. */
async function sendRepeatedly(
  send: () => Promise<Dispatcher.ResponseData>,
  signal: AbortSignal,
): Promise<Dispatcher.ResponseData> {
  let resends = 0
  for (let attempt = 0; ; attempt++) {
    try {
      return await send()
    } catch (error) {
      signal.throwIfAborted()
      const delayMs = CONNECT_DELAYS_MS[attempt]
      if (delayMs === undefined || (!isUnsent(error) && ++resends > MAX_RESENDS)) throw error
      await delay(delayMs, undefined, { signal })
    }
  }
}

async function readBody({ body }: Dispatcher.ResponseData): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of body as AsyncIterable<Uint8Array>) {
    bytes += chunk.byteLength
    // Leaving the loop closes the connection.
    if (bytes > MAX_RESPONSE_BYTES) throw new InvalidMessageError('has sent a response that is too large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** The error of a worker, or what the response of a balancer means. */
async function failureOf(response: Dispatcher.ResponseData, meanMs: number): Promise<unknown> {
  const { statusCode, headers } = response
  const bytes = await readBody(response)
  try {
    return decodeFailure(bytes)
  } catch (error) {
    if (statusCode === 503) return queueFullError(headers, meanMs)
    if (statusCode === 502 || statusCode === 504) return new LostWorkerError(`The balancer responds with ${statusCode}`)
    if (statusCode === 401) return new InvalidMessageError('refuses the secret; give both sides the same one')
    return new InvalidMessageError(`responds with status ${statusCode}`, { cause: error })
  }
}

/** Until the queue is empty whose state a balancer or a worker sends in `x-queue` and `x-slots`; `undefined` without them. */
function waitEstimateMs(headers: Dispatcher.ResponseData['headers'], meanMs: number): number | undefined {
  const estimateMs = (numberIn(headers['x-queue']) * meanMs) / Math.max(1, numberIn(headers['x-slots']))
  return Number.isFinite(estimateMs) ? estimateMs : undefined
}

const numberIn = (header: string | string[] | undefined) => Number(header ?? NaN)

function queueFullError(headers: Dispatcher.ResponseData['headers'], meanMs: number): PageError {
  const seconds = numberIn(headers['retry-after'])
  const retryAfterMs = waitEstimateMs(headers, meanMs) ?? (Number.isFinite(seconds) ? seconds * 1_000 : 2_000)
  return busyError('Too many pages are waiting for the workers', {
    retryAfterMs: Math.min(Math.max(retryAfterMs, 1_000), 60_000),
  })
}

class LostWorkerError extends Error {
  override readonly name = 'LostWorkerError'
}

function toPageError(error: unknown): PageError {
  if (error instanceof PageError) return error
  if (error instanceof InvalidMessageError)
    return new PageError('EFATAL', 'A worker of the service did not respond as expected.', {
      cause: new Error(`The worker ${error.message}.`, { cause: error }),
    })
  if (isUnsent(error)) return busyError('The workers of the service cannot be reached', { cause: error })
  // Neither refunded nor repeated for each request that waits, because the page may be what ends workers; and not cached as its failure.
  const cause = new TransientError('The connection to the worker ended.', { cause: error })
  return new PageError('EUNREACHABLE', 'The worker was lost while it opened the page. Try again later.', { cause })
}

function outcomeOf(error: unknown, { code }: PageError): CaptureOutcome {
  if (error instanceof InvalidMessageError) return 'invalid'
  if (code === 'EBUSY') return 'busy'
  return error instanceof PageError ? 'failed' : 'lost'
}
