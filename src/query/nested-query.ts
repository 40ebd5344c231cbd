import type { Values } from './canonical-values.js'
import { parameterOf } from './fields.js'
import type { PageQuery } from './page-query.js'
import type { Value } from './value-types.js'

interface Nested {
  [name: string]: Value | Nested
}

/** The object form of a query: `screenshot.type` becomes `{ screenshot: { type } }`, `click.0` the first item of an array. */
export function nestedQuery(values: Values): PageQuery {
  const query: Nested = {}
  for (const [name, value] of values) {
    const [group = '', ...rest] = name.split('.')
    // A parent that is `false` cannot be an object too, so its options keep their dotted names.
    if (!rest.length || values.get(group) === false) query[name] = value
    else optionsIn(query, group)[rest.join('.')] = value
  }
  // Built name by name from the table that its type is derived from, which the type checker cannot follow.
  return query as Nested & PageQuery
}

function optionsIn(query: Nested, group: string): Nested {
  const options = query[group]
  if (typeof options === 'object') return options
  const isList = parameterOf(group)?.type === 'list'
  return (query[group] = isList ? ([] as never[] & Nested) : {})
}
