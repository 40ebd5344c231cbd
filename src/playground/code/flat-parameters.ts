import { fields, type ParsedQuery } from '../../query/index.js'

const PARAMETER_NAMES = Object.keys(fields)

/**
 * The parameters of a query as flat names and texts, without defaults, in the order of the parameter table. Includes
 * `screenshot` if the canonical text leaves it out because an option such as `element` implies it.
 */
export function flatParameters({ text, query }: ParsedQuery): [name: string, value: string][] {
  const parameters = [...new URLSearchParams(text)]
  const isImplied = query.screenshot && !parameters.some(([name]) => name.startsWith('screenshot'))
  if (isImplied) parameters.push(['screenshot', 'true'])
  return parameters.toSorted(([one], [other]) => orderOf(one) - orderOf(other))
}

/** `headers.accept` and `click.0` have the position of `headers` and `click`. */
const orderOf = (name: string) =>
  PARAMETER_NAMES.indexOf(PARAMETER_NAMES.includes(name) ? name : (name.split('.')[0] ?? name))
