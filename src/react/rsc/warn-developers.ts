import type { PreviewRequest } from '../../card/index.js'
import { withNearestParameter } from '../../query/help/index.js'
import type { PageError } from '../../query/index.js'
import { errorWarning } from '../data/error-warning.js'
import type { ServiceOptions } from '../data/source-options.js'
import { warnOnce } from '../data/warn-once.js'

// Bundlers of apps replace it, as they do for React.
declare const process: { env: { NODE_ENV?: string } }

/**
 * Warns developers in the console of their server of what they can fix, as the components of browsers do there. Nothing in
 * production.
 *
 * @param component  As it is written in code.
 * @param error      Absent for a request that succeeded.
 */
export function warnDevelopers(
  { query, json, queryKey }: PreviewRequest,
  { component, hosts, error }: Pick<ServiceOptions, 'hosts'> & { component: string; error?: PageError },
): void {
  if (process.env.NODE_ENV === 'production') return
  for (const warning of json?.warnings ?? []) warnOnce(withNearestParameter(warning), component)
  const warning = error && errorWarning(error, query, { hosts, host: queryKey[2] })
  if (warning) warnOnce(warning, component)
}
