import { describeState } from './describe-state.js'
import type { ExtractionResult } from './extraction-result.js'

/**
 * The warning of a response about a page that did not show its content.
 *
 * @param retryAt  When the page may be opened again, milliseconds since 1970.
 * @param isEarlierServed  Whether an earlier result is served instead.
 * @returns        `undefined` for a page that showed its content.
 */
export function stateWarning(
  { data: { state }, screenshot }: ExtractionResult,
  { retryAt, isEarlierServed = false }: { retryAt: number; isEarlierServed?: boolean },
): string | undefined {
  if (!state) return undefined
  const lost = screenshot === null ? 'there is no screenshot of it' : 'its metadata could not be read'
  const consequence = isEarlierServed ? 'the earlier result is served' : lost
  const retry = `it is opened again after ${new Date(retryAt).toISOString()}`
  return `The page ${isEarlierServed ? 'now ' : ''}${describeState(state)}, so ${consequence}; ${retry}.`
}
