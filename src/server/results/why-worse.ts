import { PageError } from '../../query/index.js'
import type { ExtractionResult } from './extraction-result.js'

/**
 * Why a new result must not replace a cached one; `undefined` when it may.
 *
 * @returns  `EBRWSRTIMEOUT` when only the new one lacks what scripts add, `EUNREACHABLE` when the page now is an error page.
 */
export function whyWorse(result: ExtractionResult, cached: ExtractionResult): PageError | undefined {
  if (result.isProvisional && !cached.isProvisional)
    return new PageError('EBRWSRTIMEOUT', 'The scripts of the page could not be run.')
  if (result.statusCode >= 400 && cached.statusCode < 400)
    return new PageError('EUNREACHABLE', `The page now responds with status ${result.statusCode}.`)
  return undefined
}
