import type { PageData, Screenshot } from '../../src/query/index.js'

/** What one request gets: data, or the status and code of an error. */
export interface FakeAnswer {
  data?: PageData
  error?: { status: number; code: string; data?: Record<string, string>; retryAfterS?: number }
  /** In the place of an answer: something that is none. */
  text?: string
  cache?: 'MISS' | 'HIT' | 'STALE'
  timestamp?: number
  /** The answer waits for it. */
  after?: Promise<unknown>
}

export interface FakeService {
  fetch: typeof globalThis.fetch
  /** Addresses asked so far. */
  requests: URL[]
  /** Signals of these requests. */
  signals: AbortSignal[]
  /** Changes what comes next. */
  answer: (...next: FakeAnswer[]) => void
}

/** A service at the edge of the network: gives the answers in turn, the last one for ever. */
export function fakeService(...answers: FakeAnswer[]): FakeService {
  let next = answers
  const service: FakeService = {
    requests: [],
    signals: [],
    answer: (...given) => {
      next = given
    },
    async fetch(input, init) {
      const url = input instanceof Request ? input.url : input
      service.requests.push(new URL(url, 'http://page.test'))
      const { signal } = init ?? {}
      if (signal) service.signals.push(signal)
      const answer = (next.length > 1 ? next.shift() : next[0])!
      await Promise.race([answer.after, abortOf(signal)])
      return responseOf(answer)
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

/** A moment that a test chooses. */
export function arrival(): { promise: Promise<void>; arrive: () => void } {
  const moment = new EventTarget()
  const promise = new Promise<void>((resolve) => moment.addEventListener('arrive', () => resolve()))
  return { promise, arrive: () => void moment.dispatchEvent(new Event('arrive')) }
}

function abortOf(signal: AbortSignal | null | undefined): Promise<never> | undefined {
  if (!signal) return undefined
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(new DOMException('Aborted', 'AbortError')))
    if (signal.aborted) reject(new DOMException('Aborted', 'AbortError'))
  })
}

function responseOf({ data = page, error, text, cache = 'HIT', timestamp = 1_700_000_000_000 }: FakeAnswer): Response {
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
        message: 'Said by the service.',
        data: error.data,
      }
    : { status: 'success', data, statusCode: 200, headers: {}, redirects: [] }
  return new Response(text ?? JSON.stringify(body), { status: error?.status ?? 200, headers })
}
