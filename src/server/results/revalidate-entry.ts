import { PageError } from '../../query/index.js'
import type { CacheEntry } from '../store/index.js'
import type { ExtractionResult } from './extraction-result.js'
import { produceEntry, type ProductionContext, type ProductionRequest } from './produce-entry.js'

/**
 * Replaces a stale entry with a new extraction, unless the new result is worse: a good result is never replaced by the error
 * page of a site that is down.
 *
 * @throws  {PageError} The error of the extraction, or the reason why the new result was discarded.
 */
export async function revalidateEntry(
  { body: cached }: CacheEntry<ExtractionResult>,
  request: ProductionRequest,
  context: ProductionContext,
): Promise<void> {
  await produceEntry(request, context, ({ statusCode, isProvisional }) => {
    if (isProvisional && !cached.isProvisional)
      throw new PageError('EBRWSRTIMEOUT', 'The scripts of the page could not be run.')
    if (statusCode >= 400 && cached.statusCode < 400)
      throw new PageError('EUNREACHABLE', `The page now responds with status ${statusCode}.`)
  })
}
