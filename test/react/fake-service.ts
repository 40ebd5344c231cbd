import { PageError, type ErrorCode, type PageData, type Screenshot } from '../../src/query/index.js'
import { createFakeService, type FakeResponse as Settled } from '../../src/testing/index.js'

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
  const pages = createFakeService({ '*': responses.map(toResponse) })
  return {
    fetch: pages,
    get requests() {
      return pages.requests.map(({ url }) => url)
    },
    get signals() {
      return pages.requests.flatMap(({ signal }) => signal ?? [])
    },
    respondWith: (...responses) => pages.set('*', responses.map(toResponse)),
  }
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

function toResponse({ after, ...response }: FakeResponse): Settled {
  return after ? after.then(() => settledResponse(response)) : settledResponse(response)
}

function settledResponse({ data = page, error, text, cache = 'HIT', timestamp = 1_700_000_000_000 }: FakeResponse) {
  if (text) return new Response(text)
  if (!error) return { ...data, cache: { status: cache, timestamp, ageMs: 0 } }
  const { code, retryAfterS, ...details } = error
  const retryAfterMs = retryAfterS && retryAfterS * 1_000
  return new PageError(code as ErrorCode, 'From the service.', { ...details, retryAfterMs })
}
