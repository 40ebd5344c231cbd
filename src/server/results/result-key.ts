import type { HostList } from '../../query/help/index.js'
import type { ParsedQuery } from '../../query/index.js'
import { digest } from '../store/index.js'

/**
 * The key of a result. A restricted request has entries of its own, because others may have come from any host. It is a digest,
 * because a query may be 64 kB long, and V8 hashes such long strings by their length alone.
 */
export const resultKey = ({ cacheKey }: ParsedQuery, allowHosts: HostList | undefined): string =>
  digest(allowHosts ? `${cacheKey} hosts=${allowHosts.text}` : cacheKey)
