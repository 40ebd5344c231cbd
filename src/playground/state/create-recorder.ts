/** One request and what came of it. */
export type Exchange = { url: string; startedAt: number; durationMs: number } & (
  | { kind: 'answer'; status: number; headers: Headers; text: string; byteLength: number }
  | { kind: 'lost'; reason: string }
)

export interface Recording {
  /** Address of the request that is under way. */
  pendingUrl?: string | undefined
  /** The last that ended; an aborted one never counts. */
  exchange?: Exchange | undefined
}

/** A `fetch` that remembers the last exchange, for `useSyncExternalStore`. */
export interface Recorder {
  fetch: typeof globalThis.fetch
  subscribe: (listener: () => void) => () => void
  recording: () => Recording
}

/**
 * Records what passes through a `fetch`, so that what a card asks can be looked at without asking again. The browser's own
 * cache is left out: its answers would tell of an earlier exchange.
 */
export function createRecorder(
  fetch: typeof globalThis.fetch = (...request) => globalThis.fetch(...request),
): Recorder {
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
      const soFar = () => ({ url, startedAt, durationMs: performance.now() - start })
      record({ pendingUrl: url, exchange: recording.exchange })
      try {
        const response = await fetch(input, { ...init, cache: 'no-store' })
        const { status, headers } = response
        const bytes = await response.clone().arrayBuffer()
        const text = new TextDecoder().decode(bytes)
        record({ exchange: { kind: 'answer', ...soFar(), status, headers, text, byteLength: bytes.byteLength } })
        return response
      } catch (error) {
        if (!isCalledOff(init?.signal)) record({ exchange: { kind: 'lost', ...soFar(), reason: reasonOf(error) } })
        else if (recording.pendingUrl === url) record({ exchange: recording.exchange })
        throw error
      }
    },
  }
}

/** A deadline is an answer too; whoever changed their mind wants none. */
function isCalledOff(signal: AbortSignal | null | undefined): boolean {
  return Boolean(signal?.aborted) && !isTimeout(signal?.reason)
}

const isTimeout = (error: unknown) => error instanceof DOMException && error.name === 'TimeoutError'
const reasonOf = (error: unknown) =>
  isTimeout(error) ? 'The service did not answer in time.' : 'No connection to the service.'
