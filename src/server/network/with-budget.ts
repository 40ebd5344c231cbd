import { PageError } from '../../query/index.js'
import type { CaptureBudget } from '../budget/index.js'

/** The budget that counts the traffic of a capture; `undefined`: it is not counted. */
export type OptionalBudget = CaptureBudget | undefined

/**
 * Counts a request or tunnel of a capture until it ends.
 *
 * @returns  Ends the count of its connection.
 * @throws   {PageError} `ETOOLARGE` when it is beyond the budget.
 */
export function startWithBudget(budget: OptionalBudget, host: string): () => void {
  if (!budget) return () => undefined
  const end = budget.countRequest('proxy') ? budget.openConnection(host) : undefined
  if (!end) throw new PageError('ETOOLARGE', 'The page has used up the budget of its capture.')
  return end
}
