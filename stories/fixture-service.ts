import type { PageData, Screenshot } from '../src/query/index.js'

/** What one request gets: an answer, an error, or nothing yet. */
export interface FixtureAnswer {
  page?: PageData
  cache?: 'HIT' | 'MISS' | 'STALE'
  /** When it was made; default now. */
  madeMsAgo?: number
  error?: { httpStatus: number; code: string; message: string; data?: Record<string, string> }
  isPending?: boolean
}

/**
 * A service that lives in the page: gives the answers in turn, the last one for ever. The wire is the only thing that is
 * not real.
 */
export function fixtureFetch(answers: readonly FixtureAnswer[]): typeof fetch {
  let count = 0
  return async (_, init) => {
    const answer = answers[Math.min(count++, answers.length - 1)]
    if (!answer || answer.isPending) return await neverUntil(init?.signal)
    return respond(answer)
  }
}

/** The screenshot of a fixture file. */
export function picture(url: string, facts: Pick<Screenshot, 'width' | 'height' | 'type' | 'size' | 'size_pretty'>) {
  return { ...facts, url, background_color: '#eef4f1' } satisfies Screenshot
}

function neverUntil(signal: AbortSignal | null | undefined): Promise<never> {
  return new Promise((_, reject) => {
    signal?.addEventListener('abort', () => reject(new DOMException('The card went away.', 'AbortError')))
  })
}

function respond({ page, cache = 'HIT', madeMsAgo = 0, error }: FixtureAnswer): Response {
  if (error) {
    const { httpStatus, ...said } = error
    return Response.json({ status: 'fail', ...said }, { status: httpStatus })
  }
  const body = { status: 'success', data: page, statusCode: 200, headers: {}, redirects: [] }
  return Response.json(body, {
    headers: {
      'x-cache-status': cache,
      'x-timestamp': String(Date.now() - madeMsAgo),
      'x-cache-ttl': '86400000',
      age: String(Math.round(madeMsAgo / 1_000)),
    },
  })
}
