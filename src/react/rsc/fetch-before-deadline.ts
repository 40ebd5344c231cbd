import type { PreviewRequest } from '../../card/index.js'
import { createClient } from '../../client/index.js'
import { isPageError, PageError } from '../../query/index.js'
import type { PreviewResult } from '../data/preview-result.js'
import { trackRevalidation } from '../data/revalidation.js'
import type { ServiceOptions } from '../data/source-options.js'
import { warnDevelopers } from './warn-developers.js'

interface FetchOptions extends ServiceOptions {
  /** Named in warnings. */
  component: string
  /** Milliseconds. Default 2,000. */
  timeLimit?: number | undefined
  /** The layout of a card that no browser renders again: only the server can warn of it. */
  layout?: unknown
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
 * @returns  `undefined` after a failure, which is reported to `onError` and, in development, to the console.
 */
export async function fetchBeforeDeadline(
  request: PreviewRequest,
  { component, layout, timeLimit = 2_000, onError, ...service }: FetchOptions,
): Promise<ServerResult | undefined> {
  const signal = AbortSignal.timeout(timeLimit)
  // Raced as well, because a caller's own `fetch` may ignore the signal.
  const timeout = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(timeoutError(timeLimit)))
  })
  const { hosts, apiKey, fetch } = service
  const { query, jsonQuery } = request
  const response = createClient({ hosts, apiKey, fetch, retry: 0 }).page(jsonQuery ?? query, { signal })
  try {
    const result = trackRevalidation(await Promise.race([response, timeout]), undefined)
    warnDevelopers(request, { component, layout, hosts })
    return { result, receivedAt: Date.now() }
  } catch (cause) {
    if (!isPageError(cause)) throw cause
    const error = cause.code === 'EABORTED' ? timeoutError(timeLimit) : cause
    warnDevelopers(request, { component, layout, hosts, error })
    onError?.(error)
    return undefined
  }
}

const timeoutError = (timeLimitMs: number) =>
  new PageError(
    'ETIMEOUTCLIENT',
    `The service did not respond within ${timeLimitMs} ms, so the page was rendered without a preview; raise \`timeLimit\` to wait longer.`,
  )
