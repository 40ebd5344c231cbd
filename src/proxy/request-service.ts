import { ALLOW_HOSTS_HEADER } from '../query/help/index.js'
import { PageError } from '../query/index.js'
import type { AccessRules } from './access-rules.js'
import { forwardedRequestHeaders } from './forwarded-headers.js'

export interface ServiceRequestOptions {
  apiKey: string | undefined
  /** Milliseconds, until the last byte. */
  timeout: number
  fetch: typeof fetch | undefined
  rules: Pick<AccessRules, 'allowedHosts'>
}

export interface ServiceResponse {
  /** Redirects are not followed: the key is for the service alone. */
  response: Response
  /** The whole body. */
  text(): Promise<string>
}

/**
 * Sends a caller's request to the service with the proxy's own key; aborted when the caller disconnects or the time limit
 * passes.
 *
 * @throws  {PageError} `ETIMEOUT`, `EUNREACHABLE`, `EABORTED`; so does `text`.
 */
export async function requestService(
  url: string,
  { method, headers: callerHeaders, signal }: Request,
  { apiKey, timeout, fetch = globalThis.fetch, rules }: ServiceRequestOptions,
): Promise<ServiceResponse> {
  const deadline = timeLimit(timeout)
  const headers = forwardedRequestHeaders(callerHeaders)
  if (apiKey) headers.set('x-api-key', apiKey)
  if (rules.allowedHosts) headers.set(ALLOW_HOSTS_HEADER, rules.allowedHosts.text)
  const withTypedErrors = async <Result>(work: Promise<Result>) => {
    try {
      return await work
    } catch (cause) {
      if (signal.aborted) throw disconnectedError(cause)
      throw deadline.aborted ? timeoutError(timeout, cause) : serviceError('did not respond', cause)
    }
  }
  const request = { method, headers, redirect: 'manual', signal: AbortSignal.any([signal, deadline]) } as const
  const response = await withTypedErrors(fetch(url, request))
  return { response, text: () => withTypedErrors(response.text()) }
}

/**
 * `AbortSignal.timeout`, but as long as a body is streamed: before Node 22.15 the garbage collector may remove such a signal while only
 * `AbortSignal.any` refers to it, and it never aborts.
 */
function timeLimit(ms: number): AbortSignal {
  const limit = new AbortController()
  const timer: unknown = setTimeout(() => limit.abort(), ms)
  // Node would not exit before; other runtimes have numbers for timers.
  if (typeof timer === 'object' && timer && 'unref' in timer && typeof timer.unref === 'function') timer.unref()
  return limit.signal
}

/** The client has gone, so this response is never read; 499 is the status that access logs use for it. */
const disconnectedError = (cause: unknown) =>
  new PageError('EABORTED', 'The caller closed the connection.', { status: 499, cause })

const timeoutError = (timeoutMs: number, cause: unknown) =>
  new PageError(
    'ETIMEOUT',
    `The preview service did not respond within ${timeoutMs / 1_000} seconds. Try again later.`,
    { cause },
  )

/** @param problem  Completes the sentence "The preview service …". */
export const serviceError = (problem: string, cause?: unknown): PageError =>
  new PageError(
    'EUNREACHABLE',
    `The preview service ${problem}: check that it is running and that its URL is correct.`,
    { cause },
  )
