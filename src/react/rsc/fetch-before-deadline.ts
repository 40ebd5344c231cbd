import type { PreviewRequest } from '../../card/index.js'
import { createClient } from '../../client/index.js'
import { isPageError, PageError } from '../../query/index.js'
import type { PreviewResult } from '../data/preview-result.js'
import { trackRevalidation } from '../data/revalidation.js'
import type { ServiceOptions } from '../data/source-options.js'

interface FetchOptions extends ServiceOptions {
  /** Milliseconds. Default 2,000. */
  timeLimit?: number | undefined
  onError?: ((error: PageError) => void) | undefined
}

/** A result that a server has fetched, as it is sent to browsers. */
export interface ServerResult {
  result: PreviewResult
  /** When it arrived, milliseconds since 1970. */
  receivedAt: number
}

/**
 * Fetches once, without retries and for a limited time.
 *
 * @returns  `undefined` after a failure, which is reported to `onError`.
 */
export async function fetchBeforeDeadline(
  { query, json }: PreviewRequest,
  { timeLimit = 2_000, onError, ...service }: FetchOptions,
): Promise<ServerResult | undefined> {
  const signal = AbortSignal.timeout(timeLimit)
  // Raced as well, because a caller's own `fetch` may ignore the signal.
  const timeout = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(timeoutError(timeLimit)))
  })
  const { hosts, apiKey, fetch } = service
  const response = createClient({ hosts, apiKey, fetch, retry: 0 }).page(json ?? query, { signal })
  try {
    return { result: trackRevalidation(await Promise.race([response, timeout]), undefined), receivedAt: Date.now() }
  } catch (error) {
    if (!isPageError(error)) throw error
    onError?.(error.code === 'EABORTED' ? timeoutError(timeLimit) : error)
    return undefined
  }
}

const timeoutError = (timeLimitMs: number) =>
  new PageError(
    'ETIMEOUTCLIENT',
    `The service did not respond within ${timeLimitMs} ms, so the page was rendered without a preview; raise \`timeLimit\` to wait longer.`,
  )
