import type { CacheEntry } from '../store/index.js'
import type { ExtractionResult } from './extraction-result.js'
import { produceEntry, type EntryContext, type EntryRequest } from './produce-entry.js'
import { whyNotReplace } from './why-not-replace.js'

/**
 * Replaces a stale entry with a new extraction, unless the new result may not replace it: a good result is never replaced by the error
 * page of a site that is down. Its owner stays the same.
 *
 * @throws  {PageError} The error of the extraction, or the reason why the new result was discarded.
 */
export async function revalidateEntry(
  { body: cached, owner }: CacheEntry<ExtractionResult>,
  { parsed, ...request }: Omit<EntryRequest, 'owner'>,
  context: EntryContext,
): Promise<void> {
  // No request waits for it, so the timeout of the one that started it does not apply.
  const withoutTimeout = parsed.with({ timeout: undefined })
  await produceEntry({ ...request, parsed: withoutTimeout, owner }, context, (result) => {
    const reason = whyNotReplace(result, cached)
    if (reason) throw reason
  })
}
