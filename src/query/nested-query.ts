import type { Values } from './canonical-values.js'
import type { PageQuery } from './page-query.js'

/** The object form of a query: `screenshot.type` becomes `{ screenshot: { type } }`. */
export function nestedQuery(values: Values): PageQuery {
  const query: Record<string, unknown> = {}
  const groups: Record<string, Record<string, unknown>> = {}
  for (const [name, value] of values) {
    const [group = '', ...rest] = name.split('.')
    // A parent that is `false` cannot be an object too, so its options keep their dotted names.
    if (!rest.length || values.get(group) === false) query[name] = value
    // An option replaces the `true` of its parent.
    else (query[group] = groups[group] ??= {})[rest.join('.')] = value
  }
  // Built name by name from the table that its type is derived from, which the type checker cannot follow.
  return query as Record<string, unknown> & PageQuery
}
