import type { QueryClient } from '@tanstack/react-query'
import { chooseImage, type PreviewRequest } from '../../card/index.js'
import { createClient } from '../../client/index.js'
import { isPageError, PageError } from '../../query/index.js'
import { decodeImage } from './decode-image.js'
import { foreignClientWarning } from './foreign-client-warning.js'
import type { PreviewResult } from './preview-result.js'
import { rateLimitPauseMs, startRateLimitPause } from './rate-limit-pause.js'
import { trackRevalidation } from './revalidation.js'
import type { ServiceOptions } from './source-options.js'
import { warnOnce } from './warn-once.js'

// Bundlers of apps replace it, as they do for React.
declare const process: { env: { NODE_ENV?: string } }

interface FetchContext {
  /** Holds the previous result, and the rate limits that other previews have run into. */
  queryClient: QueryClient
  signal: AbortSignal
}

/**
 * Fetches the result of one page, unless the service has responded 429 and may not be requested yet.
 *
 * @throws  {PageError} as `Client.page` does; `ERATE` without a request during a rate limit.
 */
export async function fetchPreview(
  { queryKey, query, jsonQuery, embed }: PreviewRequest,
  service: ServiceOptions,
  { queryClient, signal }: FetchContext,
): Promise<PreviewResult> {
  const warning = process.env.NODE_ENV === 'production' ? undefined : foreignClientWarning(queryClient)
  if (warning) warnOnce(warning)
  const [, , serviceUrl] = queryKey
  const retryAfterMs = rateLimitPauseMs(queryClient, serviceUrl)
  if (retryAfterMs)
    throw new PageError(
      'ERATE',
      `${serviceUrl} has limited the rate of requests, so none is sent until it allows them.`,
      {
        retryAfterMs,
      },
    )
  const previous = queryClient.getQueryData<PreviewResult>(queryKey)
  const revalidate = previous !== undefined || Boolean(queryClient.getQueryState(queryKey)?.errorUpdateCount)
  try {
    const result = trackRevalidation(
      await createClient(service).page(jsonQuery ?? query, { signal, revalidate }),
      previous,
    )
    const imageUrl = (history: PreviewResult) => chooseImage(history.data, { history, embed })?.src
    const newImageUrl = imageUrl(result)
    // The previous result is shown until the new image is decoded, so that both change at the same time.
    if (previous && newImageUrl && newImageUrl !== imageUrl(previous)) await decodeImage(newImageUrl, signal)
    return result
  } catch (error) {
    if (isPageError(error) && error.status === 429) startRateLimitPause(queryClient, serviceUrl, error)
    throw error
  }
}
