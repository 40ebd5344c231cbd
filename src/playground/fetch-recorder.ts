import { readBody, readHeaders, type ResponseBody, type ResponseInfo } from './read-response.js'

/** A response with its parsed headers and body. */
export interface ReceivedResponse {
  exchange: Extract<Exchange, { kind: 'response' }>
  info: ResponseInfo
  body: ResponseBody
}

export function receivedResponse(exchange: ReceivedResponse['exchange']): ReceivedResponse {
  const { headers, startedAt, durationMs, text } = exchange
  return { exchange, info: readHeaders(headers, startedAt + durationMs), body: readBody(text) }
}

/** One request and its outcome. */
export type Exchange = { url: string; startedAt: number; durationMs: number } & (
  | { kind: 'response'; status: number; headers: Headers; text: string; byteLength: number }
  | { kind: 'failure'; reason: string }
)

export interface Recording {
  /** URL of the request in progress. */
  pendingUrl?: string | undefined
  /** The last completed one; aborted requests are not recorded. */
  exchange?: Exchange | undefined
}

/** A `fetch` that records its last exchange, for `useSyncExternalStore`. */
interface FetchRecorder {
  fetch: typeof globalThis.fetch
  subscribe: (listener: () => void) => () => void
  recording: () => Recording
}

/**
 * Records the requests of the preview, so that they can be displayed without sending them again. Bypasses the HTTP cache of the
 * browser, whose responses would show the headers of an earlier request.
 */
export function createFetchRecorder(
  fetch: typeof globalThis.fetch = (...request) => globalThis.fetch(...request),
): FetchRecorder {
  const listeners = new Set<() => void>()
  let recording: Recording = {}
  const record = (next: Recording) => {
    recording = next
    for (const listener of listeners) listener()
  }

  return {
    recording: () => recording,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    async fetch(input, init) {
      const url = input instanceof Request ? input.url : String(input)
      const startedAt = Date.now()
      const start = performance.now()
      const timing = () => ({ url, startedAt, durationMs: performance.now() - start })
      const pending: Recording = { pendingUrl: url, exchange: recording.exchange }
      record(pending)
      // A newer request may have begun: its outcome is the one to show.
      const complete = (exchange: Exchange | undefined) => {
        if (recording === pending) record({ exchange })
      }
      try {
        const response = await fetch(input, { ...init, cache: 'no-store' })
        const { status, headers } = response
        const bytes = await response.clone().arrayBuffer()
        const text = new TextDecoder().decode(bytes)
        complete({ kind: 'response', ...timing(), status, headers, text, byteLength: bytes.byteLength })
        return response
      } catch (error) {
        complete(
          isCancelled(init?.signal) ? recording.exchange : { kind: 'failure', ...timing(), reason: reasonOf(error) },
        )
        throw error
      }
    },
  }
}

/** A timeout aborts the signal too, but is a result worth showing. */
function isCancelled(signal: AbortSignal | null | undefined): boolean {
  return Boolean(signal?.aborted) && !isTimeout(signal?.reason)
}

const isTimeout = (error: unknown) => error instanceof DOMException && error.name === 'TimeoutError'
const reasonOf = (error: unknown) =>
  isTimeout(error) ? 'The service did not respond in time.' : 'No connection to the service.'
