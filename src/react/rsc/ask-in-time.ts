import { createClient } from '../../client/index.js'
import { isPageError, PageError, type PageQuery } from '../../query/index.js'
import { keepAnswer } from '../data/track-revalidation.js'
import type { PreviewResult, ServiceOptions } from '../data/index.js'

interface AskOptions extends ServiceOptions {
  /** Milliseconds, default 2,000. */
  timeLimit?: number | undefined
  onError?: ((error: PageError) => void) | undefined
}

/** What a server was told, to be sent to browsers. */
export interface Told {
  answer: PreviewResult
  /** When it came, milliseconds since 1970. */
  at: number
}

/** Asks once, and not for longer than the page can wait. A failure is told, never thrown. */
export async function askInTime(
  query: PageQuery,
  { timeLimit = 2_000, onError, ...options }: AskOptions,
): Promise<Told | undefined> {
  const deadline = AbortSignal.timeout(timeLimit)
  // Beside the signal, which a `fetch` of the author's own may not heed.
  const late = new Promise<never>((_, reject) => {
    deadline.addEventListener('abort', () => reject(tooSlow(timeLimit)))
  })
  const { hosts, apiKey, fetch } = options
  const asked = createClient({ hosts, apiKey, fetch, retry: 0 }).page(query, { signal: deadline })
  try {
    return { answer: keepAnswer(await Promise.race([asked, late]), undefined), at: Date.now() }
  } catch (error) {
    if (!isPageError(error)) throw error
    onError?.(error.code === 'EABORTED' ? tooSlow(timeLimit) : error)
    return undefined
  }
}

const tooSlow = (timeLimitMs: number) =>
  new PageError('ETIMEOUTCLIENT', `The service did not answer within ${timeLimitMs} ms; the page was made without it.`)
