import { isPageError, PageError } from '../../query/index.js'
import { readResponseBody } from './read-response-body.js'
import type { Transport } from './transport.js'

interface RemoteTransportOptions {
  apiKey?: string | undefined
  fetch?: typeof fetch | undefined
}

/** Larger than every image that a service delivers. */
const MAX_BYTES = 40_000_000
/** Slightly more than the service's own limit. */
const TIMEOUT_MS = 35_000

/** Sends requests to a running service. */
export function createRemoteTransport({ apiKey, fetch = globalThis.fetch }: RemoteTransportOptions): Transport {
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
        return new Response(new Uint8Array(await readResponseBody(response, MAX_BYTES)), response)
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
