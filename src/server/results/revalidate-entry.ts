import type { CacheEntry } from '../store/index.js'
import type { ExtractionResult } from './extraction-result.js'
import { produceEntry, type ProductionContext, type ProductionRequest } from './produce-entry.js'
import { whyWorse } from './why-worse.js'

/**
 * Replaces a stale entry with a new extraction, unless the new result is worse: a good result is never replaced by the error
 * page of a site that is down.
 *
 * @throws  {PageError} The error of the extraction, or the reason why the new result was discarded.
 */
export async function revalidateEntry(
  { body: cached }: CacheEntry<ExtractionResult>,
  { parsed, ...request }: ProductionRequest,
  context: ProductionContext,
): Promise<void> {
  // Nobody waits for it, so the timeout of the request that started it does not apply.
  const unhurried = parsed.with({ timeout: undefined })
  await produceEntry({ ...request, parsed: unhurried }, context, (result) => {
    const reason = whyWorse(result, cached)
    if (reason) throw reason
  })
}
