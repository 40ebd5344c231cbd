import { layoutWarning, type PreviewRequest } from '../../card/index.js'
import { withNearestParameter } from '../../query/help/index.js'
import type { PageError } from '../../query/index.js'
import { errorWarning } from '../data/error-warning.js'
import type { ServiceOptions } from '../data/source-options.js'
import { warnOnce } from '../data/warn-once.js'

// Bundlers of apps replace it, as they do for React.
declare const process: { env: { NODE_ENV?: string } }

interface WarningSubject extends Pick<ServiceOptions, 'hosts'> {
  /** Name of the component as it is written in code. */
  component: string
  layout?: unknown
  /** Absent for a request that succeeded. */
  error?: PageError
}

/**
 * Warns developers in the console of their server of what they can fix, as components do in the console of a browser. Does
 * nothing in production.
 */
export function warnDevelopers(
  { query, jsonQuery, queryKey }: PreviewRequest,
  { component, layout, hosts, error }: WarningSubject,
): void {
  if (process.env.NODE_ENV === 'production') return
  const warnings = [
    ...(jsonQuery?.warnings ?? []).map(withNearestParameter),
    layoutWarning(layout),
    error && errorWarning(error, query, { hosts, serviceUrl: queryKey[2] }),
  ]
  for (const warning of warnings) if (warning) warnOnce(warning, component)
}
