import type { PageResult } from '../../client/index.js'
import type { PreviewResult } from './preview-result.js'

/**
 * One newer answer ends a renewal, whatever that answer says of itself: with `staleTtl: 0` every answer is `STALE`, and
 * asking until none is would never end.
 */
export function keepAnswer(answer: PageResult, before: PreviewResult | undefined): PreviewResult {
  const { status, timestamp = 0 } = answer.cache
  const { renewal } = before ?? {}
  const isAwaited = status === 'STALE' && !(renewal && timestamp > renewal.newerThan)
  return {
    ...answer,
    first: before && (before.first ?? before.data),
    renewal: isAwaited ? (renewal ?? { newerThan: timestamp, since: Date.now() }) : undefined,
  }
}
