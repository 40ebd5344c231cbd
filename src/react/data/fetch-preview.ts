import type { QueryClient } from '@tanstack/react-query'
import { createClient } from '../../client/index.js'
import { isPageError, PageError, type PageData } from '../../query/index.js'
import { coolDownMs } from './cool-down.js'
import { decodeImage } from './decode-image.js'
import { keepAnswer } from './track-revalidation.js'
import type { PreviewResult } from './preview-result.js'
import type { PreviewRequest } from '../../card/index.js'
import type { ServiceOptions } from './source-options.js'
import { startCoolDown } from './start-cool-down.js'

interface Asking {
  /** What has the answer before, and what the host said to other previews. */
  cache: QueryClient
  signal: AbortSignal
}

/**
 * Asks for one page, unless its host said 429 and is to be left alone.
 *
 * @throws  {PageError} as `Client.page` does; `ERATE` without a request.
 */
export async function fetchPreview(
  { queryKey, json }: PreviewRequest,
  service: ServiceOptions,
  { cache, signal }: Asking,
): Promise<PreviewResult> {
  const [, , host] = queryKey
  const retryAfterMs = coolDownMs(cache, host)
  if (retryAfterMs)
    throw new PageError('ERATE', `${host} asks for a pause, so it is not asked for now.`, { retryAfterMs })
  const before = cache.getQueryData<PreviewResult>(queryKey)
  const revalidate = before !== undefined || Boolean(cache.getQueryState(queryKey)?.errorUpdateCount)
  try {
    const answer = keepAnswer(await createClient(service).page(json, { signal, revalidate }), before)
    const newPictureUrl = pictureUrl(answer.data)
    // The old answer stays until the new picture can be shown with the new one.
    if (before && newPictureUrl && newPictureUrl !== pictureUrl(before.data)) await decodeImage(newPictureUrl, signal)
    return answer
  } catch (error) {
    if (isPageError(error) && error.status === 429) startCoolDown(cache, host, error)
    throw error
  }
}

/** The picture that a page is shown with. */
function pictureUrl({ screenshot, image }: PageData): string | undefined {
  return (screenshot ?? image)?.url
}
