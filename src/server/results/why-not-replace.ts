import { PageError } from '../../query/index.js'
import { describeState } from './describe-state.js'
import type { ExtractionResult } from './extraction-result.js'

/**
 * Why a new result must not replace a cached one; `undefined` when it may.
 *
 * @returns  `EBRWSRTIMEOUT` when only the new one lacks what the browser had no time for, `EUNREACHABLE` when only the cached one has the content
 *           of the page.
 */
export function whyNotReplace(result: ExtractionResult, cached: ExtractionResult): PageError | undefined {
  const { state } = result.data
  if (hasContent(cached)) {
    if (state) return new PageError('EUNREACHABLE', `The page now ${describeState(state)}.`)
    if (result.statusCode >= 400)
      return new PageError('EUNREACHABLE', `The page now responds with status ${result.statusCode}.`)
  }
  if (result.isProvisional && !cached.isProvisional && !cached.data.state)
    return new PageError('EBRWSRTIMEOUT', 'The browser had too little time for the page, or could not open it.')
  return undefined
}

/** Whether a result shows the content of its page, neither an error nor what `state` names. */
const hasContent = ({ data, statusCode }: ExtractionResult) => data.state === undefined && statusCode < 400
