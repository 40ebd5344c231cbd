import type { HostList } from '../../query/help/index.js'
import type { ParsedQuery } from '../../query/index.js'

/** The key of a result. A restricted request has entries of its own, because others may have come from any host. */
export const resultKey = ({ cacheKey }: ParsedQuery, allowHosts: HostList | undefined): string =>
  allowHosts ? `${cacheKey} hosts=${allowHosts.text}` : cacheKey
