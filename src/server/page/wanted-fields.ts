import type { PageQuery } from '../../query/index.js'
import type { Field } from './tidy-value.js'

/** Says whether `meta` asks for a field: all by default; with one named `true`, only those. */
export function isWanted({ meta = true }: PageQuery, field: Field): boolean {
  if (typeof meta === 'boolean') return meta
  const isSelection = Object.values(meta).some(Boolean)
  return meta[field] ?? !isSelection
}

/** Says whether the address of a field is to be checked: `ping`, unless `ping.<field>`, nested or beside it, says otherwise. */
export function isPinged(query: PageQuery, field: Field): boolean {
  const { ping = true } = query
  const own = query[`ping.${field}`]
  if (own !== undefined) return own
  return typeof ping === 'boolean' ? ping : (ping[field] ?? true)
}
