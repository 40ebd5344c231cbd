import type { PreviewRequest } from '../../card/index.js'
import { requestPage } from '../../client/request.js'
import { isPageError, PageError } from '../../query/index.js'
import { trackRevalidation, type PreviewResult } from '../data/preview-state.js'
import type { ServiceOptions } from '../props.js'
import { warnOfPreview, type CheckedPreview } from '../warnings.js'

interface FetchOptions
  extends Pick<ServiceOptions, 'endpoint' | 'fetch'>, Pick<CheckedPreview, 'component' | 'layout'> {
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
 * @returns  `undefined` after a failure, which is reported to `onError` and, in development, to the console.
 */
export async function fetchBeforeDeadline(
  request: PreviewRequest,
  { component, layout, endpoint, fetch, timeLimit = 2_000, onError }: FetchOptions,
): Promise<ServerResult | undefined> {
  const signal = AbortSignal.timeout(timeLimit)
  // Raced as well, because a caller's own `fetch` may ignore the signal.
  const timeout = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(timeoutError(timeLimit)))
  })
  const response = requestPage(request, { fetch, retry: 0, signal })
  try {
    const result = trackRevalidation(await Promise.race([response, timeout]), undefined)
    warnOfPreview({ component, request, layout, endpoint })
    return { result, receivedAt: Date.now() }
  } catch (cause) {
    if (!isPageError(cause)) throw cause
    const error = cause.code === 'EABORTED' ? timeoutError(timeLimit) : cause
    warnOfPreview({ component, request, layout, endpoint, error })
    onError?.(error)
    return undefined
  }
}

const timeoutError = (timeLimitMs: number) =>
  new PageError(
    'ETIMEOUTCLIENT',
    `The service did not respond within ${timeLimitMs} ms, so the page was rendered without a preview; raise \`timeLimit\` to wait longer.`,
  )
