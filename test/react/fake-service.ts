import type { PageData, Screenshot } from '../../src/query/index.js'

/** The response to one request: data, or the status and code of an error. */
export interface FakeResponse {
  data?: PageData
  error?: { status: number; code: string; data?: Record<string, string>; retryAfterS?: number }
  /** A body that is no valid response. */
  text?: string
  cache?: 'MISS' | 'HIT' | 'STALE'
  timestamp?: number
  /** Delays the response until this settles. */
  after?: Promise<unknown>
}

export interface FakeService {
  fetch: typeof globalThis.fetch
  /** URLs requested so far. */
  requests: URL[]
  /** Abort signals of these requests. */
  signals: AbortSignal[]
  /** Replaces the remaining responses. */
  respondWith: (...responses: FakeResponse[]) => void
}

/** A service in place of the network: sends the responses in turn, the last one from then on. */
export function fakeService(...responses: FakeResponse[]): FakeService {
  let remaining = responses
  const service: FakeService = {
    requests: [],
    signals: [],
    respondWith: (...responses) => {
      remaining = responses
    },
    async fetch(input, init) {
      const url = input instanceof Request ? input.url : input
      service.requests.push(new URL(url, 'http://page.test'))
      const { signal } = init ?? {}
      if (signal) service.signals.push(signal)
      const response = (remaining.length > 1 ? remaining.shift() : remaining[0])!
      await Promise.race([response.after, rejectionOnAbort(signal)])
      return responseOf(response)
    },
  }
  return service
}

export const TARGET = 'https://www.shoreline.example/essays/tide-tables'

export const screenshot: Screenshot = {
  url: 'https://service.test/images/one.jpg',
  width: 2560,
  height: 1600,
  type: 'jpg',
  size: 53_300,
  size_pretty: '53.3 kB',
  background_color: '#f6f1e5',
}

export const page: PageData = {
  title: 'How a tide table is made',
  description: 'Before satellites there was a brass machine.',
  logo: null,
  screenshot,
}

/** A promise that the test resolves. */
export function deferred(): { promise: Promise<void>; resolve: () => void } {
  let resolve = () => {}
  const promise = new Promise<void>((fulfil) => {
    resolve = fulfil
  })
  return { promise, resolve: () => resolve() }
}

function rejectionOnAbort(signal: AbortSignal | null | undefined): Promise<never> | undefined {
  if (!signal) return undefined
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(new DOMException('Aborted', 'AbortError')))
    if (signal.aborted) reject(new DOMException('Aborted', 'AbortError'))
  })
}

function responseOf({
  data = page,
  error,
  text,
  cache = 'HIT',
  timestamp = 1_700_000_000_000,
}: FakeResponse): Response {
  const headers = {
    'content-type': 'application/json',
    'x-cache-status': cache,
    'x-timestamp': String(timestamp),
    'x-cache-ttl': '86400000',
    age: '0',
    ...(error?.retryAfterS && { 'retry-after': String(error.retryAfterS) }),
  }
  const body = error
    ? {
        status: error.status < 500 ? 'fail' : 'error',
        code: error.code,
        message: 'From the service.',
        data: error.data,
      }
    : { status: 'success', data, statusCode: 200, headers: {}, redirects: [] }
  return new Response(text ?? JSON.stringify(body), { status: error?.status ?? 200, headers })
}
