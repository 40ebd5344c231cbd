import { hostOfSubject } from '../subject.js'
import type { Purge } from './purge.js'

/** A purge without the URL of its page, for the log. */
export interface PurgeDescription {
  scope: 'page' | 'host' | 'all'
  /** Without port; `undefined` when everything is purged. */
  targetHost: string | undefined
}

/** @returns  `undefined` for the row that names the images of a purge, which belongs to one that is described already. */
export function describePurge(purge: Purge): PurgeDescription | undefined {
  if ('page' in purge) return { scope: 'page', targetHost: hostOfSubject(purge.page) }
  if ('host' in purge) return { scope: 'host', targetHost: purge.host }
  return 'all' in purge ? { scope: 'all', targetHost: undefined } : undefined
}
