import type { PageQuery } from '../../query/index.js'
import type { MetadataField } from './values/index.js'

/** Whether `meta` requests a field: by default all; if one is `true`, only those. */
export function isFieldRequested({ meta = true }: PageQuery, field: MetadataField): boolean {
  if (typeof meta === 'boolean') return meta
  const isSelection = Object.values(meta).some(Boolean)
  return meta[field] ?? !isSelection
}

/** Whether the URL of a field is to be checked: `ping.<field>`, written nested or dotted, takes precedence over `ping`. */
export function isPingRequested(query: PageQuery, field: MetadataField): boolean {
  const { ping = true } = query
  const dotted = query[`ping.${field}`]
  if (dotted !== undefined) return dotted
  return typeof ping === 'boolean' ? ping : (ping[field] ?? true)
}
