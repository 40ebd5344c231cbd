import { PageError } from '../../query/index.js'

/** @param parameter  The one whose value is not a selector. */
export function invalidSelectorError(parameter: string): PageError {
  const reason = 'is not a CSS selector'
  return new PageError('EINVALQUERY', `${parameter} ${reason}.`, { data: { [parameter]: reason } })
}
