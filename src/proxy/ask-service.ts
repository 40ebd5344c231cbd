import { PageError } from '../query/index.js'
import { askedHeaders } from './passed-headers.js'

export interface AskOptions {
  apiKey: string | undefined
  /** Milliseconds, until the last byte. */
  timeout: number
  fetch: typeof fetch | undefined
}

/** A request to the service in the place of the caller's. */
export interface Asking {
  /** Follows no redirect: the key is for the service alone. */
  response: Response
  /** The whole body. */
  text(): Promise<string>
}

/**
 * Asks the service what a caller asked, with the proxy's own key; given up when the caller goes, or the time is over.
 *
 * @throws  {PageError} `ETIMEOUT`, `EUNREACHABLE`, `EABORTED`; so does `text`.
 */
export async function askService(
  address: string,
  { method, headers: asked, signal }: Request,
  { apiKey, timeout, fetch = globalThis.fetch }: AskOptions,
): Promise<Asking> {
  const deadline = AbortSignal.timeout(timeout)
  const headers = askedHeaders(asked)
  if (apiKey) headers.set('x-api-key', apiKey)
  const inTime = async <Result>(work: Promise<Result>) => {
    try {
      return await work
    } catch (cause) {
      if (signal.aborted) throw gone(cause)
      throw deadline.aborted ? tooSlow(timeout, cause) : unreachable('did not answer', cause)
    }
  }
  const either = AbortSignal.any([signal, deadline])
  const response = await inTime(fetch(address, { method, headers, redirect: 'manual', signal: either }))
  return { response, text: () => inTime(response.text()) }
}

/** An answer that nobody reads, with the status that logs have for it. */
const gone = (cause: unknown) => new PageError('EABORTED', 'The caller is gone.', { status: 499, cause })

const tooSlow = (timeoutMs: number, cause: unknown) =>
  new PageError('ETIMEOUT', `The preview service did not answer within ${timeoutMs} ms; ask again later.`, { cause })

/** @param what  Reads on from "The preview service". */
export const unreachable = (what: string, cause?: unknown): PageError =>
  new PageError('EUNREACHABLE', `The preview service ${what}: is it running, and is its address right?`, { cause })
