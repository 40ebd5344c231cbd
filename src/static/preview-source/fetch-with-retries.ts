import { setTimeout as delay } from 'node:timers/promises'
import { isPageError } from '../../query/index.js'
import { readError } from './read-error.js'
import type { SendRequest } from './transport.js'

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
