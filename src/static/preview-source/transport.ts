import { setTimeout as delay } from 'node:timers/promises'
import { isPageError, PageError } from '../../query/index.js'
import type { Service, ServiceOptions } from '../../server/index.js'
import { MAX_IMAGE_BYTES, readError, readResponseBody } from './read-response.js'

/** Sends one GET request; rejects with a `PageError` when there is no response. */
type SendRequest = (url: string, signal: AbortSignal) => Promise<Response>

/** Reaches a service. */
export interface Transport {
  send: SendRequest
  /** Ends what it needs. */
  close(): Promise<void>
}

/** Options of the service in this process. */
export type LocalTransportOptions = Pick<
  ServiceOptions,
  'allowTargets' | 'allowUnsandboxed' | 'browser' | 'browserUser' | 'concurrency' | 'log'
>

/** The user of this process has no daily limit. */
const NO_LIMIT = Number.MAX_SAFE_INTEGER
/** Callers limit themselves, and their requests share one queue. */
const QUEUE = 1_000

/** Sends requests to a service in this process, with a temporary data folder; it starts with the first request. */
export function createLocalTransport(options: LocalTransportOptions): Transport {
  let starting: Promise<Service> | undefined
  return {
    async send(url, signal) {
      starting ??= startService(options).catch((error: unknown) => {
        // The next request tries again.
        starting = undefined
        throw error
      })
      const service = await starting
      return service.fetch(new Request(url, { signal }))
    },
    async close() {
      const service = await starting?.catch(() => undefined)
      await service?.close()
    },
  }
}

/** @throws  Error with the reason when the service cannot start. */
async function startService(options: LocalTransportOptions): Promise<Service> {
  // Loaded when it is needed, because a run that has everything in its cache is then several times as fast.
  const { createService } = await import('../../server/index.js')
  const service = createService({ ...options, queue: QUEUE, freeDailyLimit: NO_LIMIT })
  try {
    await service.ready()
  } catch (error) {
    await service.close()
    throw error
  }
  return service
}

/** Slightly more than the service's own limit. */
const TIMEOUT_MS = 35_000

interface RemoteService {
  apiKey?: string | undefined
  fetch?: typeof fetch | undefined
}

/** Sends requests to a running service. */
export function createRemoteTransport({ apiKey, fetch = globalThis.fetch }: RemoteService): Transport {
  return {
    async send(url, signal) {
      const deadline = new AbortController()
      const timer = setTimeout(() => deadline.abort(), TIMEOUT_MS)
      try {
        const response = await fetch(url, {
          headers: { accept: 'application/json, image/*', ...(apiKey && { 'x-api-key': apiKey }) },
          signal: AbortSignal.any([signal, deadline.signal]),
          // A redirect would take the key, which is for this origin alone, to another one.
          redirect: apiKey ? 'error' : 'follow',
        })
        // Read here, so that the deadline applies to the body too.
        return new Response(new Uint8Array(await readResponseBody(response, MAX_IMAGE_BYTES)), response)
      } catch (cause) {
        if (isPageError(cause)) throw cause
        throw deadline.signal.aborted ? timeoutError(cause) : unreachableError(url, cause)
      } finally {
        clearTimeout(timer)
      }
    },
    close: async () => {},
  }
}

const timeoutError = (cause: unknown) =>
  new PageError('ETIMEOUTCLIENT', `The service did not respond within ${TIMEOUT_MS / 1_000} seconds.`, { cause })

const unreachableError = (url: string, cause: unknown) =>
  new PageError(
    'EFATALCLIENT',
    `No response from ${url.split('?', 1)[0]}: check that the service is running and that this URL is correct.`,
    { cause },
  )

const MAX_RETRIES = 4
const MAX_RETRY_AFTER_MS = 60_000
const FIRST_DELAY_MS = 300

/**
 * Sends a request; repeats it when the service states when to retry, and when there was no response.
 *
 * @throws  {PageError} of the last response; the reason of `signal` when that aborts.
 */
export async function fetchWithRetries(url: string, send: SendRequest, signal: AbortSignal): Promise<Response> {
  for (let retry = 0; ; retry++) {
    signal.throwIfAborted()
    const result = await attempt(url, send, signal)
    if (result instanceof Response) return result
    const delayMs = retry < MAX_RETRIES ? retryDelayMs(result, retry) : undefined
    if (delayMs === undefined) throw result
    await delay(delayMs, undefined, { signal }).catch(() => signal.throwIfAborted())
  }
}

async function attempt(url: string, send: SendRequest, signal: AbortSignal): Promise<Response | Error> {
  try {
    const response = await send(url, signal)
    return response.ok ? response : await readError(response)
  } catch (error) {
    signal.throwIfAborted()
    return error instanceof Error ? error : new Error(String(error))
  }
}

/** @returns  `undefined` when a retry would not help, or only after a longer time than a run should wait. */
function retryDelayMs(error: Error, retry: number): number | undefined {
  if (!isPageError(error)) return undefined
  const { code, status, retryAfterMs } = error
  // The service is not there, or restarts behind its reverse proxy.
  if (code === 'EFATALCLIENT' && (status === 0 || status === 502 || status === 503))
    return retryAfterMs === undefined || retryAfterMs <= MAX_RETRY_AFTER_MS
      ? (retryAfterMs ?? FIRST_DELAY_MS * 2 ** retry)
      : undefined
  if (status !== 429 && status !== 503) return undefined
  return retryAfterMs !== undefined && retryAfterMs <= MAX_RETRY_AFTER_MS ? retryAfterMs : undefined
}
