import type { PageData, Screenshot } from '../src/query/index.js'

/** The response to one request: a page, an error, or none yet. */
export interface FixtureResponse {
  page?: PageData
  cache?: 'HIT' | 'MISS' | 'STALE'
  /** Age of the result in milliseconds. Default 0. */
  ageMs?: number
  error?: { httpStatus: number; code: string; message: string; data?: Record<string, string> }
  /** When the service may be requested again, seconds. */
  retryAfter?: number
  isPending?: boolean
  /** How long the network takes, milliseconds. Default 0. */
  delayMs?: number
  /** There is no network. */
  isOffline?: boolean
}

/** A `fetch` that sends these responses in turn, the last one from then on. Only the network is replaced. */
export function fixtureFetch(responses: readonly FixtureResponse[]): typeof fetch {
  let count = 0
  return async (_, init) => {
    const response = responses[Math.min(count++, responses.length - 1)]
    if (!response || response.isPending) return await pendingUntilAbort(init?.signal)
    if (response.delayMs) await new Promise((resolve) => setTimeout(resolve, response.delayMs))
    if (response.isOffline) throw new TypeError('Failed to fetch')
    return responseOf(response)
  }
}

/** The screenshot of a fixture file. */
export function fixtureScreenshot(
  url: string,
  details: Pick<Screenshot, 'width' | 'height' | 'type' | 'size' | 'size_pretty'>,
) {
  return { ...details, url, background_color: '#eef4f1' } satisfies Screenshot
}

function pendingUntilAbort(signal: AbortSignal | null | undefined): Promise<never> {
  return new Promise((_, reject) => {
    signal?.addEventListener('abort', () => reject(new DOMException('The card was unmounted.', 'AbortError')))
  })
}

function responseOf({ page, cache = 'HIT', ageMs = 0, error, retryAfter }: FixtureResponse): Response {
  if (error) {
    const { httpStatus, ...failure } = error
    const headers = new Headers(retryAfter === undefined ? [] : [['retry-after', String(retryAfter)]])
    return Response.json({ status: 'fail', ...failure }, { status: httpStatus, headers })
  }
  const body = { status: 'success', data: page, statusCode: 200, headers: {}, redirects: [] }
  return Response.json(body, {
    headers: {
      'x-cache-status': cache,
      'x-timestamp': String(Date.now() - ageMs),
      'x-cache-ttl': '86400000',
      age: String(Math.round(ageMs / 1_000)),
    },
  })
}
